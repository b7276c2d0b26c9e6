"""What admission fills in, and that it leaves its input alone."""

import copy
import json

import pytest

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.errors import Invalid
from tests.engine.vectors import load

NOTHING = Context()


def pod(metadata=None, **spec):
    return {"metadata": {"name": "p"} | (metadata or {}), "spec": spec}


def admitted_spec(context=NOTHING, metadata=None, **spec):
    return admit("Pod", pod(metadata, **spec), context)["spec"]


def container(**resources):
    return {"name": "c", "resources": resources}


def classes(*rows):
    return Context.of(
        {"kind": "PriorityClass", "metadata": {"name": name}, "value": value, "globalDefault": default, **more}
        for name, value, default, more in rows
    )


def test_admitting_twice_changes_nothing_more_and_the_input_never():
    for vector in [*load("cycle")[::9], *load("volume")[::3]]:
        context = Context.of(vector.objects)
        for manifest in vector.objects:
            before = copy.deepcopy(manifest)
            once = admit(manifest["kind"], manifest, context)
            assert manifest == before
            assert admit(manifest["kind"], once, context) == once


def test_names_a_pod_that_has_no_namespace_or_uid():
    assert admit("Pod", pod(), NOTHING)["metadata"] == {"name": "p", "namespace": "default", "uid": "uid-default-p"}
    assert admit("Pod", pod({"uid": "u"}), NOTHING)["metadata"]["uid"] == "u"
    claim = admit("PersistentVolumeClaim", {"metadata": {"name": "c", "namespace": "n"}}, NOTHING)
    assert claim["metadata"]["uid"] == "uid-pvc-n-c"
    assert (claim["spec"]["volumeMode"], claim["status"]["phase"]) == ("Filesystem", "Pending")


def test_pod_defaults():
    spec = admitted_spec(containers=[])
    assert (spec["schedulerName"], spec["restartPolicy"], spec["priority"]) == ("default-scheduler", "Always", 0)


@pytest.mark.parametrize(
    ("given", "requests"),
    [
        ({"limits": {"cpu": "1"}}, {"cpu": "1"}),
        ({"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "0"}}, {"cpu": "0", "memory": "1Gi"}),
        ({"requests": {"cpu": "0.5m"}}, {"cpu": "1m"}),  # rounded up to milli before anything is added
        ({"requests": {"cpu": None}}, {"cpu": "0"}),  # null is zero, and zero is stated
        ({"limits": None, "requests": {"cpu": 1}}, {"cpu": 1}),
    ],
)
@pytest.mark.parametrize("field", ["containers", "initContainers"])
def test_requests_come_from_limits(field, given, requests):
    assert admitted_spec(**{field: [container(**given)]})[field][0]["resources"]["requests"] == requests


@pytest.mark.parametrize(
    ("pod_level", "requests"),
    [
        ({"requests": {"memory": "1Gi"}}, {"memory": "1Gi"}),  # no limit: nothing is filled in
        ({"limits": {"cpu": "2"}}, {"cpu": "300m", "memory": "100Mi"}),  # the containers' sum, not the limit
        ({"limits": {"cpu": "2"}, "requests": {"cpu": "1"}}, {"cpu": "1", "memory": "100Mi"}),
        ({"limits": {"hugepages-2Mi": "4Mi"}}, {"cpu": "300m", "memory": "100Mi", "hugepages-2Mi": "4Mi"}),
    ],
)
def test_pod_level_requests_default_from_the_containers(pod_level, requests):
    containers = [container(requests={"cpu": "100m", "memory": "100Mi"}), container(requests={"cpu": "200m"})]
    assert admitted_spec(containers=containers, resources=pod_level)["resources"]["requests"] == requests


def test_a_pod_level_limit_without_container_requests_becomes_the_request():
    assert admitted_spec(containers=[container()], resources={"limits": {"cpu": "2"}})["resources"] == {
        "limits": {"cpu": "2"},
        "requests": {"cpu": "2"},
    }


def test_pod_level_hugepage_limits_default_from_the_containers():
    containers = [container(limits={"hugepages-2Mi": "2Mi"}), container(limits={"hugepages-2Mi": "4Mi"})]
    spec = admitted_spec(containers=containers, resources={"requests": {"cpu": "1"}})
    assert spec["resources"] == {
        "limits": {"hugepages-2Mi": "6Mi"},
        "requests": {"cpu": "1", "hugepages-2Mi": "6Mi"},
    }


@pytest.mark.parametrize(("host_network", "host_ports"), [(True, [80, 8080]), (False, [None, 8080])])
def test_the_host_network_turns_ports_into_host_ports(host_network, host_ports):
    ports = [{"containerPort": 80}, {"containerPort": 81, "hostPort": 8080}]
    spec = admitted_spec(hostNetwork=host_network, containers=[{"name": "c", "ports": ports}])
    assert [port.get("hostPort") for port in spec["containers"][0]["ports"]] == host_ports


HIGH = ("high", 1000, False, {"preemptionPolicy": "Never"})
LOW_DEFAULT = ("low", 5, True, {})
LOWER_DEFAULT = ("lower", 4, True, {})


@pytest.mark.parametrize(
    ("context", "spec", "priority", "policy"),
    [
        (NOTHING, {}, 0, None),
        (classes(HIGH), {"priorityClassName": "high"}, 1000, "Never"),
        (
            classes(HIGH),
            {"priorityClassName": "high", "preemptionPolicy": "PreemptLowerPriority"},
            1000,
            "PreemptLowerPriority",
        ),
        (classes(HIGH), {"priorityClassName": "high", "priority": 3}, 3, None),  # no class is looked up
        (classes(HIGH), {"priority": 0}, 0, None),
        (classes(LOW_DEFAULT), {}, 5, None),
        (classes(LOW_DEFAULT, LOWER_DEFAULT), {}, 4, None),
        (classes(HIGH), {}, 0, None),
        (NOTHING, {"priorityClassName": "system-cluster-critical"}, 2000000000, None),
        (NOTHING, {"priorityClassName": "system-node-critical"}, 2000001000, None),
    ],
)
def test_priority(context, spec, priority, policy):
    found = admitted_spec(context, **spec)
    assert (found["priority"], found.get("preemptionPolicy")) == (priority, policy)


def test_an_unknown_priority_class_is_refused():
    with pytest.raises(Invalid) as caught:
        admitted_spec(priorityClassName="ghost")
    assert str(caught.value) == "spec.priorityClassName: no PriorityClass with name ghost was found"


@pytest.mark.parametrize("side", ["podAffinity", "podAntiAffinity"])
@pytest.mark.parametrize("strength", ["required", "preferred"])
def test_label_keys_join_the_selector(side, strength):
    term = {
        "labelSelector": {"matchLabels": {"app": "web"}},
        "matchLabelKeys": ["rev", "absent"],
        "mismatchLabelKeys": ["tenant"],
    }
    listed = term if strength == "required" else {"weight": 1, "podAffinityTerm": term}
    affinity = {side: {f"{strength}DuringSchedulingIgnoredDuringExecution": [listed]}}
    spec = admitted_spec(metadata={"labels": {"rev": "2", "tenant": "a"}}, affinity=affinity)
    found = spec["affinity"][side][f"{strength}DuringSchedulingIgnoredDuringExecution"][0]
    assert (found if strength == "required" else found["podAffinityTerm"])["labelSelector"]["matchExpressions"] == [
        {"key": "rev", "operator": "In", "values": ["2"]},
        {"key": "tenant", "operator": "NotIn", "values": ["a"]},
    ]


def test_label_keys_without_a_selector_do_nothing():
    affinity = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"matchLabelKeys": ["rev"]}]}}
    spec = admitted_spec(metadata={"labels": {"rev": "2"}}, affinity=affinity)
    assert spec["affinity"] == affinity


def test_label_keys_of_spread_constraints_stay_for_the_algorithm():
    constraint = {"maxSkew": 1, "topologyKey": "z", "labelSelector": {}, "matchLabelKeys": ["rev"]}
    spec = admitted_spec(metadata={"labels": {"rev": "2"}}, topologySpreadConstraints=[constraint])
    assert spec["topologySpreadConstraints"] == [constraint]


def test_other_kinds():
    namespace = admit("Namespace", {"metadata": {"name": "n", "labels": {"a": "b"}}}, NOTHING)
    assert namespace["metadata"] == {"name": "n", "labels": {"a": "b", "kubernetes.io/metadata.name": "n"}}
    node = admit("Node", {"metadata": {"name": "n"}, "status": {"capacity": {"cpu": "0.0001"}}}, NOTHING)
    assert node["status"] == {"capacity": {"cpu": "1m"}, "allocatable": {"cpu": "1m"}}
    assert "namespace" not in node["metadata"]
    assert admit("StorageClass", {"metadata": {"name": "s"}}, NOTHING)["volumeBindingMode"] == "Immediate"


def test_an_azure_disk_is_a_shared_blob_unless_it_says_otherwise():
    disks = [{"diskURI": "/a"}, {"diskURI": "/b", "kind": "Managed"}]
    volumes = [{"name": one["diskURI"][1:], "azureDisk": one} for one in disks]
    spec = admitted_spec(volumes=[*volumes, {"name": "c", "emptyDir": {}}])
    assert [one.get("azureDisk", {}).get("kind") for one in spec["volumes"]] == ["Shared", "Managed", None]
    kinds = [
        admit("PersistentVolume", {"metadata": {"name": "v"}, "spec": {"azureDisk": one}}, NOTHING)["spec"]["azureDisk"]
        for one in disks
    ]
    assert [one["kind"] for one in kinds] == ["Shared", "Managed"]


# --- what the cluster adds to new pods --------------------------------------------------------------------------------


def limit_range(name, *items, namespace="default"):
    return {"kind": "LimitRange", "metadata": {"name": name, "namespace": namespace}, "spec": {"limits": list(items)}}


def container_limits(**given):
    return {"type": "Container", **given}


@pytest.mark.parametrize(
    ("items", "stated", "limits", "requests"),
    [
        pytest.param(
            [container_limits(default={"cpu": "2"}, defaultRequest={"cpu": "0.0005"})],
            {},
            {"cpu": "2"},
            {"cpu": "1m"},
            id="defaults, rounded up to milli",
        ),
        pytest.param(
            [container_limits(max={"cpu": "4"}, min={"cpu": "1", "memory": "1Gi"})],
            {},
            {"cpu": "4"},
            {"cpu": "4", "memory": "1Gi"},
            id="the maximum is the default, else the minimum is requested",
        ),
        pytest.param(
            [container_limits(default={"cpu": "2", "memory": "1Gi"})],
            {"limits": {"cpu": "1"}, "requests": {"memory": "1Mi"}},
            {"cpu": "1", "memory": "1Gi"},
            {"cpu": "1", "memory": "1Mi"},
            id="what is stated stays, and a stated limit is the request",
        ),
        pytest.param([{"type": "Pod", "max": {"cpu": "4"}}], {}, None, None, id="limits of pods default nothing"),
    ],
)
def test_a_limit_range_fills_in_what_containers_do_not_state(items, stated, limits, requests):
    context = Context.of(
        [limit_range("a", *items), limit_range("b", container_limits(max={"cpu": "9"}), namespace="x")]
    )
    spec = admitted_spec(context, containers=[container(**stated)], initContainers=[container(**stated)])
    for one in (*spec["containers"], *spec["initContainers"]):
        assert (one["resources"].get("limits"), one["resources"].get("requests")) == (limits, requests)


def test_of_several_limit_ranges_the_first_by_name_decides():
    ranges = [limit_range(name, container_limits(default={"cpu": cpu})) for name, cpu in (("b", "2"), ("a", "1"))]
    spec = admitted_spec(Context.of(ranges), containers=[container()])
    assert spec["containers"][0]["resources"] == {"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}


KATA = {
    "kind": "RuntimeClass",
    "metadata": {"name": "kata"},
    "handler": "kata",
    "overhead": {"podFixed": {"cpu": "250m"}},
    "scheduling": {"nodeSelector": {"kata": "yes"}, "tolerations": [{"key": "kata", "operator": "Exists"}]},
}


def test_a_runtime_class_brings_its_overhead_and_where_it_runs():
    own = {"key": "own", "operator": "Exists"}
    given = {"runtimeClassName": "kata", "nodeSelector": {"zone": "a"}, "tolerations": [own]}
    spec = admitted_spec(Context.of([KATA]), **given)
    assert spec["overhead"] == {"cpu": "250m"}
    assert spec["nodeSelector"] == {"zone": "a", "kata": "yes"}
    assert spec["tolerations"] == [own, {"key": "kata", "operator": "Exists"}]
    again = admit("Pod", {"metadata": {}, "spec": spec}, Context.of([KATA]))["spec"]
    assert again == spec


def test_a_runtime_class_that_contradicts_the_pod_is_refused_and_a_missing_one_adds_nothing():
    given = {"runtimeClassName": "kata", "nodeSelector": {"kata": "no"}}
    with pytest.raises(
        Invalid, match=r"^spec.nodeSelector: conflict: runtimeClass.scheduling.nodeSelector\[kata\] = yes; "
    ):
        admitted_spec(Context.of([KATA]), **given)
    assert "overhead" not in admitted_spec(NOTHING, **given)


@pytest.mark.parametrize(
    ("metadata", "more"),
    [({"creationTimestamp": "2025-01-01T00:00:00Z"}, {}), ({}, {"nodeName": "n1"})],
)
def test_a_pod_that_was_in_a_cluster_stays_as_it_is(metadata, more):
    context = Context.of([KATA, limit_range("a", container_limits(default={"cpu": "2"}))])
    spec = admitted_spec(context, metadata, containers=[container()], runtimeClassName="kata", **more)
    assert spec["containers"][0]["resources"] == {}
    assert not {"overhead", "nodeSelector", "tolerations"} & set(spec)


def test_nulls_are_absent_and_nothing_else_is_lost():
    manifest = pod({"labels": {"a": None}, "annotations": None}, nodeSelector=None, unknown={"kept": [1, {"x": None}]})
    admitted = admit("Pod", manifest, NOTHING)
    assert admitted["metadata"]["labels"] == {"a": ""}
    assert "annotations" not in admitted["metadata"]
    assert "nodeSelector" not in admitted["spec"]
    assert admitted["spec"]["unknown"] == {"kept": [1, {}]}
    json.dumps(admitted)


def storage_class(name, made="2025-01-01T00:00:00Z", mark="storageclass.kubernetes.io/is-default-class", value="true"):
    metadata = {"name": name, "annotations": {mark: value}, "creationTimestamp": made}
    return {"kind": "StorageClass", "metadata": metadata, "provisioner": "example.com"}


BETA = "storageclass.beta.kubernetes.io/is-default-class"


@pytest.mark.parametrize(
    ("given", "named"),
    [
        pytest.param([storage_class("a", value="false"), storage_class("b")], "b", id="the one that is marked"),
        pytest.param([storage_class("a", mark=BETA)], "a", id="marked as before"),
        pytest.param([storage_class("a"), storage_class("b", made="2025-01-02T00:00:00Z")], "b", id="the newest"),
        pytest.param([storage_class("b"), storage_class("a")], "a", id="first by name among equally old ones"),
        pytest.param([storage_class("a", mark="note")], None, id="none is marked"),
    ],
)
def test_a_claim_that_names_no_class_gets_the_default_one(given, named):
    claim = admit("PersistentVolumeClaim", {"metadata": {"name": "c"}, "spec": {}}, Context.of(given))
    assert claim["spec"].get("storageClassName") == named


@pytest.mark.parametrize(
    "claim",
    [
        pytest.param({"spec": {"storageClassName": ""}}, id="wants none"),
        pytest.param({"spec": {"volumeName": "v"}}, id="has its volume"),
        pytest.param({"annotations": {"volume.beta.kubernetes.io/storage-class": "old"}}, id="named as before"),
    ],
)
def test_a_claim_that_says_what_it_wants_keeps_it(claim):
    metadata = {"name": "c", "annotations": claim.get("annotations", {})}
    given = {"metadata": metadata, "spec": claim.get("spec", {})}
    admitted = admit("PersistentVolumeClaim", given, Context.of([storage_class("a")]))
    assert admitted["spec"].get("storageClassName", "") == ""
