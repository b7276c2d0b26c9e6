"""Pods of files scheduled one after the other on the cluster of these files, with preemption, retries and all."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from scheduler.engine.commands import AddObject, AdvanceClock, LoadScenario
from scheduler.engine.conformance.cycles import admitted
from scheduler.engine.conformance.until_idle import SETTINGS, START_US, left, until_idle
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.explain.report import node_sums
from scheduler.engine.objects import key_of
from scheduler.engine.queue.entry import GATED
from scheduler.engine.simulation.parts import OpenCycle
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.simulation.simulation import Simulation
from scheduler.management.offline import Input, Unreadable
from scheduler.manifests.order import newest_us
from scheduler.manifests.reading import Manifest, Progress
from scheduler.manifests.scenario import ScenarioError, ScenarioFile
from scheduler.services.scenarios import planned

FINISHED = ("Succeeded", "Failed")
MOST_ATTEMPTS_A_POD = 1000
Told = TypeVar("Told")


@dataclass
class Run:
    """`arriving`: keys of the pending pods in file order. `popped` and `evicted` grow with every attempt.

    `scripted`: keys of the pods that a scenario adds.
    """

    simulation: Simulation
    arriving: dict[str, Manifest]
    popped: list[str] = field(default_factory=list)
    evicted: list[str] = field(default_factory=list)
    scripted: list[str] = field(default_factory=list)

    @property
    def keys(self) -> list[str]:
        """Of all pods whose way is told, in the order of their coming."""
        return [*self.arriving, *self.scripted]

    @property
    def now_ms(self) -> int:
        return (self.simulation.now_us - self.simulation.start_us) // 1000

    @property
    def bindings(self) -> dict[str, str]:
        """Pods that this run has placed and that are still there."""
        pods = (self.simulation.pod(key) for key in self.keys)
        return {pod.key: pod.node_name for pod in pods if pod is not None and pod.node_name}

    @property
    def gated(self) -> list[str]:
        queued = (self.simulation.queued(key) for key in self.keys)
        return [one.key for one in queued if one is not None and one.place == GATED]

    def outcome(self) -> dict[str, Any]:
        """All keys of a sequence vector's `expected`, of both sorts, but for the attempts themselves."""
        return {
            "gated": self.gated,
            "pop_order": self.popped,
            "bindings": self.bindings,
            "evicted": self.evicted,
            "left": left(self.simulation),
            "final_node_info": {info.name: node_sums(info) for info in self.simulation.cluster},
        }


def prepare(given: Input, seed: int, scenario: ScenarioFile | None = None) -> Run:
    """Everything is there but the pending pods. The clock stands at a whole second, after all that the files tell.

    `scenario`: its steps are planned from there on. Raises Unreadable.
    """
    start_us = newest_us(given.manifests) or START_US
    start_us += -start_us % SECOND_US
    simulation, _ = Simulation.create("simulate", seed, start_us, given.configuration, SETTINGS)
    run = Run(simulation, {})
    for kind, manifest in admitted(given.manifests):
        if kind == "Pod" and _is_pending(manifest):
            run.arriving["/".join(key_of(kind, manifest)[1:])] = manifest
        else:
            simulation.handle(AddObject(kind, manifest))
    if scenario is not None:
        _plan(run, scenario, given)
    if not run.arriving and scenario is None:
        raise Unreadable(["error: there is no pending pod in these files: every pod has a node"])
    return run


def attempts(
    run: Run,
    look: Callable[[Cycle, OpenCycle], Told],
    *,
    smallest_name: bool,
    together: bool,
    progress: Progress | None = None,
) -> Iterator[Told]:
    """Attempt after attempt, as `look` tells it, until no pod can be tried any more. Pods come one second apart.

    `together`: all are queued before the first attempt; otherwise each has its attempts before the next one comes.
    """
    steps = run.simulation.agenda.steps()
    most = MOST_ATTEMPTS_A_POD * (len(run.arriving) + len(steps))
    for number, manifest in enumerate(run.arriving.values(), 1):
        _advance(run.simulation)
        run.simulation.handle(AddObject("Pod", manifest))
        if together and number < len(run.arriving):
            continue
        if together:
            _advance(run.simulation)
        for told in _tried(run, look, smallest_name, most):
            yield told
            if progress:
                progress("Scheduling", len(run.popped) if together else number, len(run.arriving))
    while (at_us := run.simulation.agenda.next_us()) is not None:
        run.simulation.handle(AdvanceClock(at_us))
        yield from _tried(run, look, smallest_name, most)


def _tried(run: Run, look: Callable[[Cycle, OpenCycle], Told], smallest_name: bool, most: int) -> Iterator[Told]:
    """All attempts that can be made now."""
    for attempt in until_idle(run.simulation, look, smallest_name=smallest_name):
        run.popped.append(attempt.pod)
        run.evicted += attempt.decision.victims
        yield attempt.told
        if len(run.popped) > most:
            raise Unreadable([f"error: stopped after {most:,} attempts: pods keep waking one another"])


def _plan(run: Run, scenario: ScenarioFile, given: Input) -> None:
    """Steps, and their pods among those whose way is told."""
    manifests = {key_of(kind, manifest): manifest for kind, manifest in admitted(given.manifests)}
    try:
        steps = planned(scenario, run.simulation, manifests.get)
    except ScenarioError as error:
        raise Unreadable(error.faults) from None
    run.simulation.handle(LoadScenario(scenario.name, steps))
    run.scripted = [f"{one.namespace}/{one.name}" for one in steps if one.kind == "Pod" and one.action == "add"]


def _advance(simulation: Simulation) -> None:
    simulation.handle(AdvanceClock(simulation.now_us + SECOND_US))


def _is_pending(manifest: Manifest) -> bool:
    return not manifest["spec"].get("nodeName") and (manifest.get("status") or {}).get("phase") not in FINISHED
