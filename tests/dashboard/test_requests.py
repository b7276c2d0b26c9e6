"""What a pod's page says of its requests."""

from dashboard.build.requests import arithmetic
from scheduler.engine.objects import decode


def pod(**spec):
    return decode("Pod", {"metadata": {"name": "p", "namespace": "n"}, "spec": spec})


def container(name, cpu="", memory="", **more):
    requests = {key: value for key, value in (("cpu", cpu), ("memory", memory)) if value}
    return {"name": name, "resources": {"requests": requests}, **more}


def test_a_plain_pod_is_its_containers_and_their_sum():
    made = arithmetic(pod(containers=[container("a", "500m", "1Gi"), container("b", "250m")]))
    assert made.resources == ["cpu", "memory"]
    assert [(line.part, line.amounts) for line in made.lines] == [
        ("a", ["500m", "1Gi"]),
        ("b", ["250m", "0"]),
        ("the scheduler asks for", ["750m", "1Gi"]),
    ]


def test_sidecars_run_beside_containers_and_beside_later_inits():
    # 85.5 + 1.5 = 87; init 16 + sidecar 1.5 = 17.5; larger 87; overhead 1 → 88
    made = arithmetic(
        pod(
            containers=[container("trainer", "85500m")],
            initContainers=[container("log", "1500m", restartPolicy="Always"), container("fetch", "16")],
            overhead={"cpu": "1"},
        )
    )
    cpu = {line.part: (line.amounts[0], line.state) for line in made.lines}
    assert cpu["while it runs"] == ("87", "decides")
    assert cpu["fetch"] == ("17.5", "")
    assert cpu["larger of the two"] == ("87", "")
    assert cpu["overhead"] == ("1", "")
    assert cpu["the scheduler asks for"] == ("88", "total")


def test_a_large_init_container_decides():
    made = arithmetic(pod(containers=[container("a", "1")], initContainers=[container("init", "4")]))
    assert {line.part for line in made.lines if line.state == "decides"} == {"larger of the two"}
    assert made.lines[-1].amounts[0] == "4"


def test_extended_resources_get_their_own_column():
    gpu = {"name": "a", "resources": {"requests": {"nvidia.com/gpu": "2"}}}
    made = arithmetic(pod(containers=[gpu]))
    assert made.resources == ["cpu", "memory", "nvidia.com/gpu"]
    assert made.lines[-1].amounts == ["0", "0", "2"]
