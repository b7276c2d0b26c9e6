"""Why a hint says yes or no, in words: each with the names and numbers of the objects that it looked at."""

import pytest

from scheduler.engine.simulation.settings import CLASSIC, Settings
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.simulation.story_hints import reasoned
from tests.engine.scenario import Scenario, a_node, a_pod, with_metadata

TAINT = {"taints": [{"key": "dedicated", "value": "db", "effect": "NoSchedule"}]}
HEARD = "Node/Add, Node/UpdateNodeTaint and Pod/UpdatePodToleration"
ZONE = "topology.kubernetes.io/zone"
SPREAD = {
    "topologySpreadConstraints": [
        {
            "maxSkew": 1,
            "topologyKey": ZONE,
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": {"app": "web"}},
        }
    ]
}
APART = {
    "affinity": {
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [
                {"topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": "web"}}}
            ]
        }
    }
}


def told(scenario: Scenario, pod: str = "big") -> list[tuple[bool | None, str]]:
    """(answer, reason) of each plugin to the newest change of an object."""
    last = max(at for at, event in enumerate(scenario.log) if event.kind.startswith("Object"))
    before = Simulation()
    for event in scenario.log[:last]:
        before.apply(event)
    return [(one.answer.helps, one.because) for one in reasoned(before, scenario.log[last].happening, f"default/{pod}")]


def waiting(plugin: str, settings: Settings | None = None, **spec: object) -> Scenario:
    """`small` runs on n1; `big` was refused by one plugin."""
    scenario = Scenario(settings or Settings(cycle_us=0))
    labelled = with_metadata(a_pod("small", nodeName="n1"), labels={"app": "web"})
    scenario.add(a_node("n1", cpu="1"), labelled, a_pod("big", cpu="3", **spec))
    scenario.fail(plugin)
    return scenario


@pytest.mark.parametrize(
    ("plugin", "spec", "change", "helps", "reason"),
    [
        pytest.param(
            "NodeResourcesFit",
            {},
            lambda s: s.add(a_node("n2", cpu="2")),
            False,
            "even empty, node n2 is too small: it has 2 cpu, the pod asks for 3 cpu",
            id="too small",
        ),
        pytest.param(
            "NodeResourcesFit",
            {},
            lambda s: s.add(a_node("n2", cpu="3")),
            True,
            "node n2 is new, and large enough when empty (what runs there is not looked at)",
            id="just large enough",
        ),
        pytest.param(
            "NodeResourcesFit",
            {},
            lambda s: s.update(a_node("n1", cpu="3")),
            True,
            "node n1 offers more than before, and large enough when empty (what runs there is not looked at)",
            id="grew",
        ),
        pytest.param(
            "NodeResourcesFit",
            {},
            lambda s: s.delete("Pod", "small"),
            True,
            "pod default/small gave back what it had requested on node n1",
            id="a pod went",
        ),
        pytest.param(
            "NodeAffinity",
            {"nodeSelector": {"disk": "ssd"}},
            lambda s: s.add(a_node("n2")),
            False,
            "the labels of node n2 do not match the pod's node selector and affinity",
            id="labels that do not match",
        ),
        pytest.param(
            "TaintToleration",
            {},
            lambda s: s.add(a_node("n2", **TAINT)),
            False,
            "the pod does not tolerate the taint dedicated=db:NoSchedule of node n2",
            id="a taint",
        ),
        pytest.param("TaintToleration", {}, lambda s: s.add(a_node("n2")), True, "node n2 has no taint", id="no taint"),
        pytest.param(
            "NodeUnschedulable",
            {},
            lambda s: s.add(a_node("n2", unschedulable=True)),
            False,
            "node n2 is cordoned",
            id="cordoned",
        ),
        pytest.param(
            "PodTopologySpread",
            SPREAD,
            lambda s: s.delete("Pod", "small"),
            True,
            "pod default/small is counted by a spread constraint of the pod, so its skew has changed",
            id="a counted pod went",
        ),
        pytest.param(
            "PodTopologySpread",
            SPREAD,
            lambda s: s.add(a_node("n2")),
            False,
            f"node n2 does not change the domains that the pod's spread constraints count ({ZONE})",
            id="a node without the label",
        ),
        pytest.param(
            "InterPodAffinity",
            APART,
            lambda s: s.delete("Pod", "small"),
            True,
            "pod default/small matched every required anti-affinity term of the pod",
            id="the pod that repelled it went",
        ),
        pytest.param(
            "NodePorts",
            {},
            lambda s: s.add(a_node("n2")),
            True,
            "a new node has all its ports free",
            id="ports of a new node",
        ),
        pytest.param(
            "VolumeZone",
            {},
            lambda s: s.add(a_node("n2")),
            True,
            "what happened to node n2 may be what the pod lacked",
            id="an algorithm without words of its own",
        ),
        pytest.param(
            "TaintToleration",
            {},
            lambda s: s.delete("Pod", "small"),
            None,
            f"no such event can undo its refusal: it hears of {HEARD}",
            id="an event that it does not listen to",
        ),
    ],
)
def test_the_reason_of_an_answer(plugin, spec, change, helps, reason):
    scenario = waiting(plugin, **spec)
    change(scenario)
    assert told(scenario) == [(helps, reason)]


def test_without_hints_nobody_is_asked():
    scenario = waiting("NodeResourcesFit", CLASSIC)
    scenario.add(a_node("tiny", cpu="1"))
    assert [helps for helps, _ in told(scenario)] == [True]
    assert "queueing hints are off" in told(scenario)[0][1]
