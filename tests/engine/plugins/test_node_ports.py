"""NodePorts by examples."""

import pytest

from scheduler.engine.plugins.node_ports import conflicts
from tests.engine.builders import a_cycle, a_node, a_pod, verdicts

TAKEN = "node(s) didn't have free ports for the requested pod ports"


@pytest.mark.parametrize(
    ("wanted", "used", "is_conflict"),
    [
        pytest.param(("0.0.0.0", "TCP", 80), ("10.0.0.1", "TCP", 80), True, id="any address wanted"),
        pytest.param(("10.0.0.1", "TCP", 80), ("0.0.0.0", "TCP", 80), True, id="any address used"),
        pytest.param(("10.0.0.1", "TCP", 80), ("10.0.0.1", "TCP", 80), True, id="same"),
        pytest.param(("10.0.0.1", "TCP", 80), ("10.0.0.2", "TCP", 80), False, id="other address"),
        pytest.param(("0.0.0.0", "UDP", 80), ("0.0.0.0", "TCP", 80), False, id="other protocol"),
        pytest.param(("0.0.0.0", "TCP", 81), ("0.0.0.0", "TCP", 80), False, id="other port"),
    ],
)
def test_when_two_ports_conflict(wanted, used, is_conflict):
    assert conflicts(wanted, {used}) is is_conflict


def port(number, **more):
    return {"containerPort": 8080, "hostPort": number, **more}


def test_a_used_port_refuses_the_node():
    used = a_pod("used", node="n1", ports=[port(80)])
    cycle = a_cycle(a_pod(ports=[port(443), port(80)]), a_node("n1"), a_node("n2"), used)
    assert verdicts(cycle, "NodePorts") == {"n1": TAKEN, "n2": ""}
    assert "NodePorts" in cycle.trace.diagnosis.unschedulable_plugins


def test_a_pod_without_host_ports_skips_the_filter():
    cycle = a_cycle(a_pod(), a_node())
    cycle.pre_filter()
    assert "NodePorts" in cycle.skipped_filters


def test_ports_of_sidecars_count_and_of_plain_init_containers_do_not():
    plain = {"name": "init", "ports": [port(80)]}
    used = a_pod("used", node="n1", ports=[port(80)])
    main = a_pod(initContainers=[plain])
    assert verdicts(a_cycle(main, a_node(), used), "NodePorts") == {"n1": ""}
    sidecar = a_pod(initContainers=[plain | {"restartPolicy": "Always"}])
    assert verdicts(a_cycle(sidecar, a_node(), used), "NodePorts") == {"n1": TAKEN}
