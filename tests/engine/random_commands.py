"""Random but plausible lives of a small cluster, for property tests: commands as data, and how to live them."""

from collections.abc import Callable
from typing import Any

import msgspec
from hypothesis import strategies as st

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.commands import (
    ActivatePods,
    AddObject,
    AdvanceClock,
    AdvanceToNextTimer,
    ChangeProfile,
    Command,
    DeleteObject,
    FinishCycle,
    LoadScenario,
    PopPod,
    Schedule,
    UpdateObject,
)
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.errors import Refused
from scheduler.engine.events import Event
from scheduler.engine.scenario import ScenarioStep
from scheduler.engine.simulation.settings import Settings
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.scenario import START_US, a_node, a_pod, with_metadata

NODES, PODS = ["n1", "n2", "n3"], ["a", "b", "c", "d", "e"]
TAINT = [{"key": "k", "effect": "NoSchedule"}]
WEB = {"topologyKey": "topology.kubernetes.io/zone", "labelSelector": {"matchLabels": {"app": "web"}}}
SPREAD = {"topologySpreadConstraints": [{"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", **WEB}]}
APART = {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [WEB]}}}
PORT = {"containers": [{"name": "main", "ports": [{"containerPort": 80, "hostPort": 80}]}]}
PLUGINS = ["NodeResourcesFit", "TaintToleration", "NodeName", "PodTopologySpread", "InterPodAffinity"]


@st.composite
def nodes(draw: st.DrawFn) -> dict[str, Any]:
    node = a_node(draw(st.sampled_from(NODES)), cpu=draw(st.sampled_from(["1", "2", "4"])))
    node["spec"] = draw(st.sampled_from([{}, {"unschedulable": True}, {"taints": TAINT}]))
    if draw(st.booleans()):
        node["status"] = {**node["status"], "images": [{"names": ["app:1"], "sizeBytes": 300 * 2**20}]}
    return with_metadata(node, labels={"topology.kubernetes.io/zone": draw(st.sampled_from("xyz"))})


@st.composite
def pods(draw: st.DrawFn) -> dict[str, Any]:
    spec: dict[str, Any] = {}
    if draw(st.integers(0, 5)) == 0:
        spec["schedulingGates"] = [{"name": "gate"}]
    if draw(st.integers(0, 5)) == 0:
        spec["nodeName"] = draw(st.sampled_from(NODES))
    if draw(st.booleans()):
        spec["tolerations"] = [{"operator": "Exists"}]
    spec |= draw(st.sampled_from([{}, {}, SPREAD, APART, PORT]))
    cpu, priority = draw(st.sampled_from(["100m", "1", "2"])), draw(st.sampled_from([0, 0, 10]))
    pod = a_pod(draw(st.sampled_from(PODS)), cpu=cpu, priority=priority, **spec)
    if draw(st.integers(0, 4)) == 0:
        pod = with_metadata(pod, annotations={"podium.dev/duration": "40s"})
    return with_metadata(pod, labels={"app": draw(st.sampled_from(["web", "db"]))})


def decisions() -> st.SearchStrategy[Decision]:
    """Outcomes that algorithms might give: among them victims and nodes that may not be there any more."""
    refusals = st.lists(st.sampled_from(PLUGINS), max_size=2, unique=True)
    victims = st.lists(st.sampled_from([f"default/{name}" for name in PODS]), max_size=2, unique=True)
    failed = st.builds(
        lambda plugins, node, gone: Decision(
            "unschedulable" if plugins else "error",
            unschedulable_plugins=tuple(plugins),
            nominated_node=node,
            victims=tuple(gone) if node else (),
        ),
        refusals,
        st.sampled_from([None, "", *NODES]),
        victims,
    )
    return st.one_of(st.builds(lambda node: Decision("bound", node=node), st.sampled_from(NODES)), failed)


def _keys(kind: str, names: list[str]) -> st.SearchStrategy[Command]:
    namespace = "" if kind == "Node" else "default"
    return st.sampled_from(names).map(lambda name: DeleteObject(kind, namespace, name))


def _admitted(command: type, manifests: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[Command]:
    return manifests.map(lambda one: command(one["kind"], admit(one["kind"], one, Context())))


def steps() -> st.SearchStrategy[ScenarioStep]:
    """One step of a scenario, its moment counted from the present: see `perform`."""

    def step(after_us: int, action: str, manifest: dict[str, Any]) -> ScenarioStep:
        kind, name = manifest["kind"], manifest["metadata"]["name"]
        whole = None if action == "delete" else admit(kind, manifest, Context())
        return ScenarioStep(after_us, action, kind, "" if kind == "Node" else "default", name, whole)

    moments = st.sampled_from([1, 10_000, 2_000_000])
    return st.builds(step, moments, st.sampled_from(["add", "update", "delete"]), st.one_of(nodes(), pods()))


def commands() -> st.SearchStrategy[Command]:
    """`AdvanceClock` and scenarios count from the present: see `perform`."""
    return st.one_of(
        _admitted(AddObject, nodes()),
        _admitted(AddObject, pods()),
        _admitted(AddObject, pods()),
        _admitted(UpdateObject, nodes()),
        _admitted(UpdateObject, pods()),
        _keys("Node", NODES),
        _keys("Pod", PODS),
        st.just(Schedule()),
        st.just(PopPod()),
        decisions().map(lambda decision: FinishCycle(decision.to_data())),
        st.sampled_from([1, 350_000, 1_000_000, 31_000_000, 400_000_000]).map(AdvanceClock),
        st.just(AdvanceToNextTimer()),
        st.sampled_from(PODS).map(lambda name: ActivatePods((f"default/{name}",))),
        st.sampled_from([{"queueing_hints": False}, {"pop_from_backoff": False}, {"async_preemption": False}, {}]).map(
            lambda settings: ChangeProfile({}, settings)
        ),
        st.lists(steps(), min_size=1, max_size=3).map(lambda planned: LoadScenario("life", tuple(planned))),
    )


def scripts() -> st.SearchStrategy[list[Command]]:
    return st.lists(commands(), min_size=5, max_size=40)


def perform(simulation: Simulation, command: Command) -> list[Event]:
    """What the command brings about; a refused one brings nothing."""
    if isinstance(command, AdvanceClock):
        command = AdvanceClock(simulation.now_us + command.to_us)
    if isinstance(command, LoadScenario):
        planned = (msgspec.structs.replace(one, at_us=simulation.now_us + one.at_us) for one in command.steps)
        command = LoadScenario(command.name, tuple(planned))
    try:
        return simulation.handle(command)
    except Refused:
        return []


def lived(
    script: list[Command],
    restart: Callable[[Simulation], Simulation] = lambda one: one,
    settings: Settings | None = None,
) -> list[Event]:
    """The log of a cluster that gets these commands; `restart` may replace the state after each of them."""
    simulation, log = Simulation.create("life", 7, START_US, {}, settings)
    for command in script:
        log += perform(simulation, command)
        simulation.validate()
        simulation = restart(simulation)
    return log
