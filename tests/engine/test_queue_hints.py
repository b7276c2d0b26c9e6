"""Which change is worth another attempt, plugin by plugin: the hint table of kube-scheduler v1.34.1."""

import msgspec
import pytest

from scheduler.engine.hints.context import Context
from scheduler.engine.hints.decide import Hints, Strategy
from scheduler.engine.hints.event import ACTIONS, RESOURCES, UNSCHEDULABLE_TIMEOUT, Action, event_of
from scheduler.engine.hints.storage import MIGRATED_PLUGINS
from scheduler.engine.labels import node_selector
from scheduler.engine.objects import NodeSelector, decode
from scheduler.engine.profile import Profiles
from scheduler.engine.queue.entry import Entry
from tests.engine.scenario import a_node
from tests.engine.typed import labelled, node, pod, thing

PLUGINS = list(dict.fromkeys(name for names in Profiles.default().first.plugins.values() for name in names))
HINTS = Hints({"default-scheduler": PLUGINS})
TAINT = {"key": "k", "effect": "NoSchedule"}
TOLERATES = [{"operator": "Exists"}]


def asks(plugin, waiting, kind, action, old=None, new=None, hints=HINTS):
    event = event_of(RESOURCES.get(kind, kind), ACTIONS[action])
    entry = Entry(0, unschedulable_plugins=(plugin,))
    strategy, by = hints.is_worth_requeuing(waiting, entry, event, old, new)
    assert by == (plugin if strategy else "")
    return strategy is Strategy.AFTER_BACKOFF


SPREAD = {
    "topologySpreadConstraints": [
        {
            "maxSkew": 1,
            "topologyKey": "zone",
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": {"app": "web"}},
            "nodeTaintsPolicy": "Honor",
        }
    ]
}
TERM = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "db"}}}
NEAR = {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [TERM]}}}
APART = {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [TERM]}}}
CLAIM = {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]}
EPHEMERAL = {"volumes": [{"name": "v", "ephemeral": {}}]}
DISK = {"volumes": [{"name": "v", "gcePersistentDisk": {"pdName": "d"}}]}
PORT = {"containers": [{"name": "c", "ports": [{"containerPort": 80, "hostPort": 80}]}]}


def port(address: str, number: int = 80):
    return {"containers": [{"name": "c", "ports": [{"containerPort": number, "hostPort": number, "hostIP": address}]}]}


def on_port(address: str):
    return pod("b", nodeName="n", **port(address))


def with_room_for(pods: int):
    manifest = a_node("n1")
    manifest["status"]["allocatable"]["pods"] = str(pods)
    return decode("Node", manifest)


DB = {"app": "db"}
ZONED = {"zone": "a"}


@pytest.mark.parametrize(
    ("plugin", "waiting", "kind", "action", "old", "new", "queue"),
    [
        # NodeUnschedulable
        ("NodeUnschedulable", pod(), "Node", "Add", None, node(), True),
        ("NodeUnschedulable", pod(), "Node", "Add", None, node(unschedulable=True), False),
        ("NodeUnschedulable", pod(), "Node", "UpdateNodeTaint", node(unschedulable=True), node(), True),
        ("NodeUnschedulable", pod(), "Node", "UpdateNodeTaint", node(), node(), False),
        (
            "NodeUnschedulable",
            pod(),
            "UnschedulablePod",
            "UpdatePodToleration",
            pod(),
            pod(tolerations=TOLERATES),
            True,
        ),
        ("NodeUnschedulable", pod(), "UnschedulablePod", "UpdatePodToleration", pod(), pod(), False),
        # TaintToleration
        ("TaintToleration", pod(), "Node", "Add", None, node(), True),
        ("TaintToleration", pod(), "Node", "Add", None, node(taints=[TAINT]), False),
        ("TaintToleration", pod(), "Node", "UpdateNodeTaint", node(taints=[TAINT]), node(), True),
        ("TaintToleration", pod(), "Node", "UpdateNodeTaint", node(), node(), False),
        ("TaintToleration", pod(), "UnschedulablePod", "UpdatePodToleration", pod(), pod(), True),
        ("TaintToleration", pod(), "UnschedulablePod", "UpdatePodToleration", pod("b"), pod("b"), False),
        # NodeName, and the taint updates that it never registered for
        ("NodeName", pod(), "Node", "Add", None, node(), True),
        ("NodeName", pod(), "Node", "UpdateNodeTaint", node(), node(), True),
        ("NodeName", pod(), "Node", "UpdateNodeLabel", node(), node(), False),
        # NodeAffinity
        ("NodeAffinity", pod(nodeSelector=ZONED), "Node", "Add", None, node(labels=ZONED), True),
        ("NodeAffinity", pod(nodeSelector=ZONED), "Node", "Add", None, node(), False),
        ("NodeAffinity", pod(nodeSelector=ZONED), "Node", "UpdateNodeLabel", node(), node(labels=ZONED), True),
        (
            "NodeAffinity",
            pod(nodeSelector=ZONED),
            "Node",
            "UpdateNodeLabel",
            node(labels=ZONED),
            node(labels=ZONED),
            False,
        ),
        # NodePorts
        ("NodePorts", pod(**PORT), "AssignedPod", "Delete", pod("b", nodeName="n", **PORT), None, True),
        ("NodePorts", pod(**PORT), "AssignedPod", "Delete", pod("b", nodeName="n"), None, False),
        ("NodePorts", pod(**PORT), "AssignedPod", "Delete", pod("b", **PORT), None, False),
        ("NodePorts", pod(**port("10.0.0.1")), "AssignedPod", "Delete", pod("b", nodeName="n", **PORT), None, True),
        ("NodePorts", pod(**port("10.0.0.1")), "AssignedPod", "Delete", on_port("10.0.0.1"), None, True),
        ("NodePorts", pod(**port("10.0.0.1")), "AssignedPod", "Delete", on_port("10.0.0.2"), None, False),
        # NodeResourcesFit
        ("NodeResourcesFit", pod(), "Node", "Add", None, with_room_for(1), True),
        ("NodeResourcesFit", pod(), "Node", "Add", None, with_room_for(0), False),
        ("NodeResourcesFit", pod(), "Node", "UpdateNodeAllocatable", with_room_for(1), with_room_for(2), True),
        ("NodeResourcesFit", pod(cpu="2"), "AssignedPod", "Delete", pod("b", nodeName="n"), None, True),
        ("NodeResourcesFit", pod(cpu="2"), "AssignedPod", "Delete", pod("b"), None, False),
        (
            "NodeResourcesFit",
            pod(cpu="2"),
            "AssignedPod",
            "UpdatePodScaleDown",
            pod("b", cpu="2", nodeName="n"),
            pod("b", cpu="1", nodeName="n"),
            True,
        ),
        ("NodeResourcesFit", pod(cpu="2"), "UnschedulablePod", "UpdatePodScaleDown", pod("b"), pod("b"), False),
        ("NodeResourcesFit", pod(cpu="2"), "UnschedulablePod", "UpdatePodScaleDown", pod(cpu="2"), pod(cpu="1"), True),
        ("NodeResourcesFit", pod(cpu="5"), "Node", "Add", None, node(cpu="4"), False),
        ("NodeResourcesFit", pod(cpu="4"), "Node", "Add", None, node(cpu="4"), True),
        ("NodeResourcesFit", pod(cpu="4"), "Node", "UpdateNodeAllocatable", node(cpu="4"), node(cpu="4"), False),
        ("NodeResourcesFit", pod(cpu="4"), "Node", "UpdateNodeAllocatable", node(cpu="4"), node(cpu="5"), True),
        # PodTopologySpread
        ("PodTopologySpread", pod(**SPREAD), "AssignedPod", "Add", None, labelled({"app": "web"}, nodeName="n"), True),
        ("PodTopologySpread", pod(**SPREAD), "AssignedPod", "Add", None, labelled({"app": "web"}), False),
        ("PodTopologySpread", pod(**SPREAD), "AssignedPod", "Add", None, labelled(DB, nodeName="n"), False),
        (
            "PodTopologySpread",
            pod(**SPREAD),
            "AssignedPod",
            "Delete",
            labelled({"app": "web"}, nodeName="n"),
            None,
            True,
        ),
        (
            "PodTopologySpread",
            pod(**SPREAD),
            "AssignedPod",
            "UpdatePodLabel",
            labelled(DB, nodeName="n"),
            labelled({"app": "web"}, nodeName="n"),
            True,
        ),
        (
            "PodTopologySpread",
            pod(**SPREAD),
            "UnschedulablePod",
            "UpdatePodToleration",
            pod(**SPREAD),
            pod(tolerations=TOLERATES, **SPREAD),
            True,
        ),
        ("PodTopologySpread", pod(**SPREAD), "Node", "Add", None, node(labels=ZONED), True),
        ("PodTopologySpread", pod(**SPREAD), "Node", "Add", None, node(), False),
        ("PodTopologySpread", pod(**SPREAD), "Node", "Delete", node(labels=ZONED), None, True),
        (
            "PodTopologySpread",
            pod(**SPREAD),
            "Node",
            "UpdateNodeLabel",
            node(labels=ZONED),
            node(labels={"zone": "b"}),
            True,
        ),
        ("PodTopologySpread", pod(**SPREAD), "Node", "UpdateNodeLabel", node(labels=ZONED), node(labels=ZONED), False),
        # InterPodAffinity
        ("InterPodAffinity", pod(**NEAR), "AssignedPod", "Add", None, labelled(DB, nodeName="n"), True),
        ("InterPodAffinity", pod(**NEAR), "AssignedPod", "Delete", labelled(DB, nodeName="n"), None, False),
        ("InterPodAffinity", pod(**APART), "AssignedPod", "Delete", labelled(DB, nodeName="n"), None, True),
        ("InterPodAffinity", pod(**APART), "AssignedPod", "Add", None, labelled(DB, nodeName="n"), False),
        ("InterPodAffinity", pod(), "AssignedPod", "Delete", pod("b", nodeName="n", **APART), None, False),
        (
            "InterPodAffinity",
            pod(**APART),
            "AssignedPod",
            "UpdatePodLabel",
            labelled(DB, nodeName="n"),
            labelled({}, nodeName="n"),
            True,
        ),
        ("InterPodAffinity", pod(**NEAR), "Node", "Add", None, node(labels=ZONED), True),
        ("InterPodAffinity", pod(**NEAR), "Node", "Add", None, node(), False),
        ("InterPodAffinity", pod(**APART), "Node", "Add", None, node(), True),
        ("InterPodAffinity", pod(**APART), "Node", "UpdateNodeLabel", node(labels=ZONED), node(), True),
        ("InterPodAffinity", pod(**APART), "Node", "UpdateNodeLabel", node(), node(labels=ZONED), False),
        # VolumeRestrictions
        ("VolumeRestrictions", pod(**CLAIM), "AssignedPod", "Delete", pod("b", nodeName="n", **CLAIM), None, True),
        ("VolumeRestrictions", pod(**DISK), "AssignedPod", "Delete", pod("b", nodeName="n", **DISK), None, True),
        ("VolumeRestrictions", pod(**DISK), "AssignedPod", "Delete", pod("b", nodeName="n", **CLAIM), None, False),
        (
            "VolumeRestrictions",
            pod(**CLAIM),
            "PersistentVolumeClaim",
            "Add",
            None,
            thing("PersistentVolumeClaim", "data"),
            True,
        ),
        (
            "VolumeRestrictions",
            pod(**EPHEMERAL),
            "PersistentVolumeClaim",
            "Add",
            None,
            thing("PersistentVolumeClaim", "web-v"),
            False,
        ),
        # NodeVolumeLimits
        (
            "NodeVolumeLimits",
            pod(**EPHEMERAL),
            "PersistentVolumeClaim",
            "Add",
            None,
            thing("PersistentVolumeClaim", "web-v"),
            True,
        ),
        ("NodeVolumeLimits", pod(**CLAIM), "AssignedPod", "Delete", pod("b", nodeName="n", **CLAIM), None, True),
        ("NodeVolumeLimits", pod(**CLAIM), "AssignedPod", "Delete", pod("b", nodeName="n"), None, False),
        ("NodeVolumeLimits", pod(**CLAIM), "VolumeAttachment", "Delete", thing("VolumeAttachment"), None, True),
        (
            "NodeVolumeLimits",
            pod(**DISK),
            "VolumeAttachment",
            "Delete",
            thing("VolumeAttachment", spec={"attacher": "pd.csi.storage.gke.io"}),
            None,
            True,
        ),
        (
            "NodeVolumeLimits",
            pod(**CLAIM),
            "CSINode",
            "Update",
            thing("CSINode", spec={"drivers": [{"name": "d", "allocatable": {"count": 3}}]}),
            thing("CSINode", spec={"drivers": [{"name": "d", "allocatable": {"count": 4}}]}),
            True,
        ),
        (
            "NodeVolumeLimits",
            pod(**CLAIM),
            "CSINode",
            "Update",
            thing("CSINode", spec={"drivers": [{"name": "d", "allocatable": {"count": 3}}]}),
            thing("CSINode", spec={"drivers": [{"name": "d"}]}),
            False,
        ),
        # VolumeBinding
        (
            "VolumeBinding",
            pod(**CLAIM),
            "PersistentVolume",
            "Update",
            thing("PersistentVolume"),
            thing("PersistentVolume"),
            True,
        ),
        ("VolumeBinding", pod(**CLAIM), "StorageClass", "Update", thing("StorageClass"), thing("StorageClass"), False),
        (
            "VolumeBinding",
            pod(**CLAIM),
            "CSIStorageCapacity",
            "Update",
            thing("CSIStorageCapacity", capacity="1Gi"),
            thing("CSIStorageCapacity", capacity="2Gi"),
            True,
        ),
        (
            "VolumeBinding",
            pod(**CLAIM),
            "CSIStorageCapacity",
            "Update",
            thing("CSIStorageCapacity", capacity="1500m"),
            thing("CSIStorageCapacity", capacity="2"),
            False,  # whole bytes, rounded up, are compared
        ),
        ("VolumeBinding", pod(**CLAIM), "CSINode", "Update", thing("CSINode"), thing("CSINode"), False),
        (
            "VolumeBinding",
            pod(**CLAIM),
            "CSINode",
            "Update",
            thing("CSINode"),
            thing("CSINode", metadata={"annotations": {MIGRATED_PLUGINS: "kubernetes.io/gce-pd"}}),
            True,
        ),
        (
            "VolumeBinding",
            pod(volumes=[{"name": "v", "csi": {"driver": "x"}}]),
            "CSIDriver",
            "Update",
            thing("CSIDriver", spec={"storageCapacity": True}),
            thing("CSIDriver", spec={"storageCapacity": False}),
            True,
        ),
        (
            "VolumeBinding",
            pod(**CLAIM),
            "CSIDriver",
            "Update",
            thing("CSIDriver", spec={"storageCapacity": True}),
            thing("CSIDriver"),
            False,
        ),
        # VolumeZone
        (
            "VolumeZone",
            pod(**CLAIM),
            "StorageClass",
            "Add",
            None,
            thing("StorageClass", volumeBindingMode="Immediate"),
            False,
        ),
        (
            "VolumeZone",
            pod(**CLAIM),
            "PersistentVolume",
            "Update",
            thing("PersistentVolume"),
            thing("PersistentVolume", metadata={"labels": {"topology.kubernetes.io/zone": "a"}}),
            True,
        ),
        # DefaultPreemption never says yes itself
        ("DefaultPreemption", pod(), "AssignedPod", "Delete", pod("b", nodeName="n"), None, False),
    ],
)
def test_a_hint_says_whether_it_helps(plugin, waiting, kind, action, old, new, queue):
    assert asks(plugin, waiting, kind, action, old, new) is queue


@pytest.mark.parametrize(
    ("mine", "theirs", "conflict"),
    [
        pytest.param(
            {"gcePersistentDisk": {"pdName": "d"}}, {"gcePersistentDisk": {"pdName": "e"}}, False, id="other disk"
        ),
        pytest.param(
            {"gcePersistentDisk": {"pdName": "d", "readOnly": True}},
            {"gcePersistentDisk": {"pdName": "d", "readOnly": True}},
            False,
            id="both only read",
        ),
        pytest.param(
            {"awsElasticBlockStore": {"volumeID": "v", "readOnly": True}},
            {"awsElasticBlockStore": {"volumeID": "v", "readOnly": True}},
            True,
            id="EBS conflicts even when read",
        ),
        pytest.param({"iscsi": {"iqn": "q"}}, {"iscsi": {"iqn": "q"}}, True, id="iSCSI"),
        pytest.param(
            {"rbd": {"monitors": ["a", "b"], "image": "i"}},
            {"rbd": {"monitors": ["b"], "image": "i", "pool": "rbd"}},
            True,
            id="RBD, default pool, one monitor in common",
        ),
        pytest.param(
            {"rbd": {"monitors": ["a"], "image": "i"}},
            {"rbd": {"monitors": ["b"], "image": "i"}},
            False,
            id="RBD elsewhere",
        ),
    ],
)
def test_a_pod_that_held_the_same_disk_leaves_it_free(mine, theirs, conflict):
    waiting, gone = pod(volumes=[{"name": "v", **mine}]), pod("b", nodeName="n", volumes=[{"name": "v", **theirs}])
    assert asks("VolumeRestrictions", waiting, "AssignedPod", "Delete", gone) is conflict


def test_any_refusing_plugin_is_enough():
    entry = Entry(0, unschedulable_plugins=("NodeAffinity", "NodeName"))
    waiting = pod(nodeSelector=ZONED)
    assert HINTS.is_worth_requeuing(waiting, entry, event_of("Node", Action.ADD), None, node())[1] == "NodeName"


def test_a_pending_plugin_asks_for_no_backoff():
    entry = Entry(0, unschedulable_plugins=("NodeAffinity",), pending_plugins=("NodeName",))
    strategy, by = HINTS.is_worth_requeuing(pod(), entry, event_of("Node", Action.ADD), None, node())
    assert (strategy, by) == (Strategy.IMMEDIATELY, "NodeName")


def test_the_timeout_concerns_everybody_and_asks_nobody():
    entry = Entry(0, unschedulable_plugins=("NodeName",))
    assert HINTS.is_worth_requeuing(pod(), entry, UNSCHEDULABLE_TIMEOUT, None, None) == (Strategy.AFTER_BACKOFF, "")
    assert HINTS.is_worth_requeuing(pod(), entry, UNSCHEDULABLE_TIMEOUT, None, pod("b")) == (Strategy.SKIP, "")


def test_a_selector_that_cannot_be_read_counts_as_yes():
    broken = {"topologyKey": "zone", "labelSelector": {"matchExpressions": [{"key": "a", "operator": "Near"}]}}
    waiting = pod(affinity={"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [broken]}})
    assert asks("InterPodAffinity", waiting, "AssignedPod", "Add", None, pod("b", nodeName="n"))


@pytest.mark.parametrize(
    ("selector", "labels", "queue"),
    [
        pytest.param({}, {}, True, id="no term matches, and one cannot be read"),
        pytest.param({"disk": "ssd"}, {}, False, id="nodeSelector says no before any term is looked at"),
        pytest.param({}, ZONED, True, id="another term matches"),
    ],
)
def test_a_required_term_that_cannot_be_read_counts_as_yes_where_no_other_matches(selector, labels, queue):
    """`Gt` takes "-1" as a number, but no label can have that value: the API server lets it pass, no parser does."""
    terms = [
        {"matchExpressions": [{"key": "cores", "operator": "Gt", "values": ["-1"]}]},
        {"matchExpressions": [{"key": "zone", "operator": "Exists"}]},
    ]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    waiting = pod(nodeSelector=selector, affinity={"nodeAffinity": required})
    assert asks("NodeAffinity", waiting, "Node", "UpdateNodeLabel", node(), node(labels=labels)) is queue


def test_the_profiles_added_affinity_counts_too():
    terms = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}]}
    added = node_selector(msgspec.convert(terms, NodeSelector))
    hints = Hints({"default-scheduler": PLUGINS}, {"default-scheduler": Context(added)})
    assert asks("NodeAffinity", pod(), "Node", "Add", None, node(labels=ZONED), hints)
    assert not asks("NodeAffinity", pod(), "Node", "Add", None, node(), hints)


def test_an_algorithm_that_registers_nothing_is_retried_at_everything():
    hints = Hints({"default-scheduler": ["MyAlgorithm"]})
    assert asks("MyAlgorithm", pod(), "Node", "UpdateNodeCondition", node(), node(), hints)
