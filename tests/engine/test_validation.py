"""Faults that the API server would find, with its paths and words; and none where it finds none."""

import pytest

from scheduler.engine.admission.admission import Context, admit, validate
from tests.engine.vectors import load

# Objects that a live API server would refuse; the makers of the vectors fed them to the scheduler all the same.
REFUSED_ON_PURPOSE = {"edge-no-terms-at-all", "t-vz-unparsable", "t-vz-unparsable-zone-good-region"}
# … and bound pods whose containers together ask for more than the pod as a whole; pending ones like that they left out.
REFUSED_ON_PURPOSE |= {"cfg-0041", "cfg-0083", "rich-0068"}


@pytest.mark.parametrize("kind", ["cycle", "preemption", "volume", "sequence", "queue"])
def test_objects_of_a_real_cluster_have_no_faults(kind):
    for vector in load(kind):
        context = Context.of(vector.objects)
        faults = [
            fault
            for manifest in vector.objects
            for one in (manifest, admit(manifest["kind"], manifest, context))
            for fault in validate(manifest["kind"], one)
        ]
        assert bool(faults) is (vector.name in REFUSED_ON_PURPOSE), (vector.name, faults)


CONTAINER = {"name": "c"}
LABEL = {"matchLabels": {"a": "b"}}


def pod(**spec):
    return {"metadata": {"name": "p"}, "spec": {"containers": [CONTAINER]} | spec}


def with_container(**more):
    return pod(containers=[CONTAINER | more])


def requesting(**amounts):
    return with_container(resources={"requests": amounts})


def spreading(**constraint):
    return pod(
        topologySpreadConstraints=[
            {"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "DoNotSchedule"} | constraint
        ]
    )


def tolerating(**toleration):
    return pod(tolerations=[toleration])


def preferring(weight):
    term = {"matchExpressions": [{"key": "a", "operator": "Exists"}]}
    return pod(
        affinity={
            "nodeAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": weight, "preference": term}]
            }
        }
    )


def requiring_node(**expression):
    terms = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a"} | expression]}]}
    return pod(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}})


def near(**term):
    return pod(affinity={"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})


def node(*taints, **status):
    return {"metadata": {"name": "n"}, "spec": {"taints": list(taints)}, "status": status}


NODE_TERM = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"
POD_TERM = "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]"


@pytest.mark.parametrize(
    ("kind", "manifest", "path", "words"),
    [
        ("Pod", {"metadata": {}, "spec": {"containers": [CONTAINER]}}, "metadata.name", "Required value"),
        (
            "Pod",
            {"metadata": {"name": "A_b"}, "spec": {"containers": [CONTAINER]}},
            "metadata.name",
            "RFC 1123 subdomain",
        ),
        ("Node", {"metadata": {"name": "n", "namespace": "x"}}, "metadata.namespace", "not allowed on this type"),
        ("Node", {"metadata": {"name": "n", "labels": {"a b": ""}}}, "metadata.labels", "name part must consist"),
        ("Node", {"metadata": {"name": "n", "labels": {"a": "-"}}}, "metadata.labels", "a valid label must be"),
        ("Pod", pod(containers=[]), "spec.containers", "Required value"),
        ("Pod", pod(containers=[CONTAINER, CONTAINER]), "spec.containers[1].name", 'Duplicate value: "c"'),
        ("Pod", pod(initContainers=[CONTAINER]), "spec.initContainers[0].name", 'Duplicate value: "c"'),
        ("Pod", pod(containers=[{}]), "spec.containers[0].name", "Required value"),
        ("Pod", with_container(restartPolicy="Always"), "spec.containers[0].restartPolicy", "non-init containers"),
        ("Pod", requesting(cpu="lots"), "spec.containers[0].resources.requests[cpu]", "quantities must match"),
        (
            "Pod",
            requesting(cpu="-1"),
            "spec.containers[0].resources.requests[cpu]",
            'Invalid value: "-1": must be greater than or equal to 0',
        ),
        ("Pod", requesting(cpu="1e17"), "spec.containers[0].resources.requests[cpu]", "too large"),
        ("Pod", requesting(gpu="1"), "spec.containers[0].resources.requests", "must be a standard resource"),
        ("Pod", requesting(**{"a.b/gpu": "1"}), "spec.containers[0].resources.limits", "Limit must be set"),
        (
            "Pod",
            requesting(**{"a.b/gpu": "0.5"}),
            "spec.containers[0].resources.requests[a.b/gpu]",
            "must be an integer",
        ),
        (
            "Pod",
            with_container(resources={"limits": {"cpu": "1"}, "requests": {"cpu": "1001m"}}),
            "spec.containers[0].resources.requests",
            'Invalid value: "1001m": must be less than or equal to cpu limit of 1',
        ),
        ("Pod", pod(resources={"requests": {"pods": "1"}}), "spec.resources.requests", 'Unsupported value: "pods"'),
        ("Pod", with_container(ports=[{"containerPort": 0}]), "spec.containers[0].ports[0].containerPort", "Required"),
        (
            "Pod",
            with_container(ports=[{"containerPort": 65536}]),
            "spec.containers[0].ports[0].containerPort",
            "must be between 1 and 65535, inclusive",
        ),
        (
            "Pod",
            with_container(ports=[{"containerPort": 1, "hostPort": -1}]),
            "spec.containers[0].ports[0].hostPort",
            "must be between 1 and 65535",
        ),
        (
            "Pod",
            with_container(ports=[{"containerPort": 1, "protocol": "tcp"}]),
            "spec.containers[0].ports[0].protocol",
            'supported values: "SCTP", "TCP", "UDP"',
        ),
        (
            "Pod",
            with_container(ports=[{"containerPort": 1, "hostIP": "1.2.3"}]),
            "spec.containers[0].ports[0].hostIP",
            "valid IP address",
        ),
        (
            "Pod",
            with_container(ports=[{"containerPort": 1, "hostPort": 9}] * 2),
            "spec.containers[0].ports[1].hostPort",
            "Duplicate value",
        ),
        (
            "Pod",
            with_container(ports=[{"containerPort": "x"}]),
            "spec.containers[0].ports[0].containerPort",
            "Expected `int`, got `str`",
        ),
        ("Pod", pod(containers="x"), "spec.containers", "Expected `array"),
        (
            "Pod",
            pod(hostNetwork=True, containers=[CONTAINER | {"ports": [{"containerPort": 1, "hostPort": 2}]}]),
            "spec.containers[0].ports[0].containerPort",
            "must match `hostPort`",
        ),
        (
            "Pod",
            pod(**(requesting(cpu="2")["spec"] | {"resources": {"requests": {"cpu": "1999m"}}})),
            "spec.resources.requests[cpu]",
            'Invalid value: "1999m": must be greater than or equal to aggregate container requests of 2',
        ),
        ("Pod", pod(nodeSelector={"a b": "c"}), "spec.nodeSelector", "name part must consist"),
        (
            "Pod",
            spreading(maxSkew=0),
            "spec.topologySpreadConstraints[0].maxSkew",
            "Invalid value: 0: must be greater than zero",
        ),
        ("Pod", spreading(topologyKey=""), "spec.topologySpreadConstraints[0].topologyKey", "can not be empty"),
        (
            "Pod",
            spreading(whenUnsatisfiable="Maybe"),
            "spec.topologySpreadConstraints[0].whenUnsatisfiable",
            'supported values: "DoNotSchedule", "ScheduleAnyway"',
        ),
        ("Pod", spreading(minDomains=0), "spec.topologySpreadConstraints[0].minDomains", "must be greater than zero"),
        (
            "Pod",
            spreading(minDomains=1, whenUnsatisfiable="ScheduleAnyway"),
            "spec.topologySpreadConstraints[0].minDomains",
            "can only use minDomains",
        ),
        (
            "Pod",
            spreading(matchLabelKeys=["a"]),
            "spec.topologySpreadConstraints[0].matchLabelKeys",
            "labelSelector is not set",
        ),
        (
            "Pod",
            spreading(nodeTaintsPolicy="honor"),
            "spec.topologySpreadConstraints[0].nodeTaintsPolicy",
            'supported values: "Honor", "Ignore"',
        ),
        (
            "Pod",
            tolerating(key="a", operator="Gt"),
            "spec.tolerations[0].operator",
            'supported values: "Equal", "Exists"',
        ),
        ("Pod", tolerating(value="a"), "spec.tolerations[0].operator", "operator must be Exists when `key` is empty"),
        (
            "Pod",
            tolerating(key="a", operator="Exists", value="b"),
            "spec.tolerations[0].operator",
            "value must be empty",
        ),
        ("Pod", tolerating(key="a", effect="Never"), "spec.tolerations[0].effect", "Unsupported value"),
        (
            "Pod",
            tolerating(key="a", effect="NoSchedule", tolerationSeconds=1),
            "spec.tolerations[0].effect",
            "must be 'NoExecute'",
        ),
        (
            "Pod",
            preferring(0),
            "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight",
            "must be in the range 1-100",
        ),
        (
            "Pod",
            preferring(101),
            "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight",
            "must be in the range 1-100",
        ),
        ("Pod", requiring_node(operator="In"), f"{NODE_TERM}.matchExpressions[0].values", "must be specified when"),
        (
            "Pod",
            requiring_node(operator="Like"),
            f"{NODE_TERM}.matchExpressions[0].operator",
            "not a valid selector operator",
        ),
        (
            "Pod",
            requiring_node(operator="Gt", values=["1", "2"]),
            f"{NODE_TERM}.matchExpressions[0].values",
            "single value",
        ),
        (
            "Pod",
            requiring_node(operator="Exists", values=["1"]),
            f"{NODE_TERM}.matchExpressions[0].values",
            "may not be specified",
        ),
        ("Pod", near(labelSelector=LABEL), f"{POD_TERM}.topologyKey", "can not be empty"),
        ("Pod", near(topologyKey="z", matchLabelKeys=["a"]), f"{POD_TERM}.matchLabelKeys", "labelSelector is not set"),
        (
            "Pod",
            near(
                topologyKey="z", labelSelector={"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]}
            ),
            f"{POD_TERM}.labelSelector.matchExpressions[0].operator",
            "not a valid selector operator",
        ),
        ("Pod", pod(schedulingGates=[{"name": "a"}, {"name": "a"}]), "spec.schedulingGates[1].name", "Duplicate value"),
        (
            "Pod",
            pod(schedulingGates=[{"name": "a"}], nodeName="n"),
            "spec.nodeName",
            "until all schedulingGates have been cleared",
        ),
        (
            "Pod",
            pod(preemptionPolicy="Always"),
            "spec.preemptionPolicy",
            'supported values: "Never", "PreemptLowerPriority"',
        ),
        ("Pod", pod(priority=2**31), "spec.priority", "must be between"),
        ("Node", node({"key": "a", "effect": "NoPlace"}), "spec.taints[0].effect", 'supported values: "NoSchedule"'),
        ("Node", node({"key": "a"}), "spec.taints[0].effect", "Required value"),
        ("Node", node(*[{"key": "a", "effect": "NoSchedule"}] * 2), "spec.taints[1]", "Duplicate value"),
        ("Node", node(allocatable={"cpu": "x"}), "status.allocatable[cpu]", "quantities must match"),
        ("Node", node(capacity={"memory": "-1Gi"}), "status.capacity[memory]", "greater than or equal to 0"),
        ("PriorityClass", {"metadata": {"name": "a"}, "value": 10**9 + 1}, "value", "maximum allowed value"),
        ("PriorityClass", {"metadata": {"name": "a"}, "value": -(2**31) - 1}, "value", "32-bit"),
        (
            "PriorityClass",
            {"metadata": {"name": "system-a"}, "value": 1},
            "metadata.name",
            "reserved for system use only",
        ),
        (
            "ReplicaSet",
            {"metadata": {"name": "a"}, "spec": {"selector": {"matchLabels": {"-": ""}}}},
            "spec.selector.matchLabels",
            "name part must consist",
        ),
        ("Service", {"metadata": {"name": "a.b"}}, "metadata.name", "RFC 1123 label"),
    ],
)
def test_a_fault_is_found_and_named(kind, manifest, path, words):
    faults = validate(kind, manifest)
    assert [fault.path for fault in faults] == [path]
    assert words in faults[0].message


def test_a_scheduler_may_be_called_anything():
    """The API server looks at the names of nodes and of priority classes, not at this one."""
    assert not validate("Pod", pod(schedulerName="My Scheduler_2"))


@pytest.mark.parametrize("manifest", [None, [], "x", {"metadata": 1}, {"metadata": None}, {"spec": []}])
def test_nonsense_is_answered_by_faults(manifest):
    assert validate("Pod", manifest)


@pytest.mark.parametrize(("value", "is_valid"), [(10**9, True), (-(2**31), True)])
def test_boundaries_that_are_valid(value, is_valid):
    assert (validate("PriorityClass", {"metadata": {"name": "a"}, "value": value}) == []) is is_valid


def test_nesting_without_end_is_answered_by_a_fault():
    manifest = {}
    for _ in range(100_000):
        manifest = {"a": manifest}
    assert validate("Pod", {"metadata": {"name": "p", "a": manifest}})
