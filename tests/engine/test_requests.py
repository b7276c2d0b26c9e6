"""Requests of pods and sums of nodes against what the real scheduler's cache computed."""

import pytest

from scheduler.engine import objects
from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.values import requests
from tests.engine.vectors import params

UNITS = {"cpu": "milli_cpu", "memory": "memory", "ephemeral-storage": "ephemeral_storage", "pods": "pods"}


def admitted(vector, kind):
    manifests = vector.objects
    context = Context.of(manifests)
    return [objects.decode(kind, admit(kind, manifest, context)) for manifest in manifests if manifest["kind"] == kind]


def as_vector(counted, keys):
    known = {key: counted.get(name, 0) for name, key in UNITS.items() if key in keys}
    return known | {"scalar": {name: amount for name, amount in counted.items() if name not in UNITS}}


def total(pods, **options):
    return sum_of([requests.pod_requests(pod, status_resources=True, **options) for pod in pods])


def sum_of(counted):
    names = {name for one in counted for name in one}
    return {name: sum(one.get(name, 0) for one in counted) for name in names}


@pytest.mark.parametrize("vector", params("cycle") + params("preemption") + params("volume"))
def test_nodes_and_the_pod_count_as_in_the_scheduler_cache(vector):
    if "node_info" not in vector.expected:
        assert "gated" in vector.expected
        return
    pods = [pod for pod in admitted(vector, "Pod") if not pod.is_finished]
    for node in admitted(vector, "Node"):
        expected = vector.expected["node_info"][node.name]
        bound = [pod for pod in pods if pod.node_name == node.name]
        nonzero = total(bound, nonzero=True)
        assert as_vector(requests.node_allocatable(node), expected["allocatable"]) == expected["allocatable"]
        assert as_vector(total(bound), expected["requested"]) == expected["requested"]
        assert nonzero.get("cpu", 0) == expected["nonzero_requested"]["milli_cpu"]
        assert nonzero.get("memory", 0) == expected["nonzero_requested"]["memory"]
        assert len(bound) == expected["pods"]
    pod = next(pod for pod in pods if pod.key == vector.expected["pod"])
    expected = dict(vector.expected["pod_requests"])
    nonzero = requests.pod_requests(pod, status_resources=True, nonzero=True)
    assert nonzero["cpu"] == expected.pop("nonzero_milli_cpu")
    assert nonzero["memory"] == expected.pop("nonzero_memory")
    assert as_vector(requests.pod_requests(pod), expected) == expected


def pod_of(*containers, init=(), **spec):
    return objects.decode("Pod", {"spec": {"containers": list(containers), "initContainers": list(init), **spec}})


def asking(always=False, name="", **amounts):
    container = {"name": name, "resources": {"requests": {key.replace("_", "-"): q for key, q in amounts.items()}}}
    return container | ({"restartPolicy": "Always"} if always else {})


def test_sums_are_exact_and_rounded_once():
    # 0.6m + 0.6m = 1.2m, rounded up to 2m (and not 1m + 1m = 2m; three make 1.8m: still 2m)
    assert requests.pod_requests(pod_of(*[asking(cpu="600u")] * 3)) == {"cpu": 2}


def test_sidecars_declared_before_an_init_container_run_beside_it():
    pod = pod_of(asking(cpu="100m"), init=[asking(True, cpu="300m"), asking(cpu="1"), asking(True, cpu="50m")])
    # running: 100 + 300 + 50 = 450; while the plain init container runs: 1000 + 300 = 1300
    assert requests.pod_requests(pod) == {"cpu": 1300}


def test_a_sidecar_after_the_init_container_does_not_run_beside_it():
    pod = pod_of(asking(cpu="100m"), init=[asking(cpu="1"), asking(True, cpu="300m")])
    # while the init container runs: 1000; running: 100 + 300 = 400
    assert requests.pod_requests(pod) == {"cpu": 1000}


def test_pod_level_requests_replace_and_overhead_is_added():
    pod = pod_of(
        asking(cpu="1", memory="1Gi", ephemeral_storage="5"),
        resources={"requests": {"cpu": "300m", "ephemeral-storage": "7"}},
        overhead={"cpu": "10m"},
    )
    # ephemeral-storage is not supported at pod level: the container's 5 stay
    assert requests.pod_requests(pod) == {"cpu": 310, "memory": 2**30, "ephemeral-storage": 5}
    assert requests.pod_requests(pod, pod_level=False) == {"cpu": 1010, "memory": 2**30, "ephemeral-storage": 5}


def test_each_container_without_a_request_counts_with_the_default():
    pod = pod_of(asking(cpu="0"), asking(memory="1"))
    # cpu: 0 (stated) + 100 (missing); memory: 200Mi (missing) + 1
    assert requests.pod_requests(pod, nonzero=True) == {"cpu": 100, "memory": 200 * 2**20 + 1}
    assert requests.pod_requests(pod) == {"cpu": 0, "memory": 1}


def test_pod_level_requests_leave_only_what_is_missing_to_the_defaults():
    pod = pod_of(asking(), asking(), resources={"requests": {"cpu": "50m"}})
    # cpu is stated for the pod; memory: two containers of 200Mi
    assert requests.pod_requests(pod, nonzero=True) == {"cpu": 50, "memory": 400 * 2**20}


@pytest.mark.parametrize(
    ("reasons", "cpu"), [(["Deferred"], 500), (["Infeasible"], 300), (["Deferred", "Infeasible"], 500)]
)
def test_a_running_pod_counts_with_what_it_holds(reasons, cpu):
    pod = objects.decode(
        "Pod",
        {
            "spec": {"containers": [asking(name="c", cpu="500m")]},
            "status": {
                "conditions": [{"type": "PodResizePending", "status": "True", "reason": one} for one in reasons],
                "containerStatuses": [
                    {"name": "c", "resources": {"requests": {"cpu": "200m"}}, "allocatedResources": {"cpu": "300m"}}
                ],
            },
        },
    )
    # Deferred: max(500 wanted, 200 set, 300 allocated); Infeasible: max(200, 300); the first condition decides
    assert requests.pod_requests(pod, status_resources=True) == {"cpu": cpu}
    assert requests.pod_requests(pod) == {"cpu": 500}


@pytest.mark.parametrize(
    ("name", "is_extended", "is_scalar"),
    [
        ("nvidia.com/gpu", True, True),
        ("cpu", False, False),
        ("pods", False, False),
        ("hugepages-2Mi", False, True),
        ("attachable-volumes-csi-x", False, True),
        ("kubernetes.io/batch", False, True),
        ("sub.kubernetes.io/batch", False, True),
        ("requests.example.com/x", False, False),
        ("example.com/" + "x" * 63, True, True),
        ("example.com/" + "x" * 64, False, False),  # one character too long
        ("a/b/c", False, False),
        ("foo", False, False),
    ],
)
def test_names_of_resources(name, is_extended, is_scalar):
    assert requests.is_extended_resource(name) is is_extended
    assert requests.is_scalar_resource(name) is is_scalar


def test_pods_of_one_shape_are_computed_once():
    first, second = (requests.pod_requests(pod_of(asking(cpu="123m"))) for _ in range(2))
    assert first is second


def test_host_ports():
    def with_ports(*ports, **more):
        return {"ports": list(ports), **more}

    pod = pod_of(
        with_ports({"containerPort": 80, "hostPort": 8080}, {"containerPort": 81}, {"hostPort": 0}),
        init=[
            with_ports({"hostPort": 1, "hostIP": "10.0.0.1", "protocol": "UDP"}, restartPolicy="Always"),
            with_ports({"hostPort": 2}),
        ],
    )
    assert requests.host_ports(pod) == (("10.0.0.1", "UDP", 1), ("0.0.0.0", "TCP", 8080))
