"""The whole question: what would make a pending pod fit? Candidates of one moment, and each of them tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.errors import PluginError, Refused
from scheduler.engine.fixes.candidates import MOST, candidates, in_order
from scheduler.engine.fixes.change import Candidate, Effort, Fix
from scheduler.engine.fixes.combining import together
from scheduler.engine.fixes.entry import before_the_queue
from scheduler.engine.fixes.near import Near
from scheduler.engine.fixes.roomier import roomier
from scheduler.engine.fixes.trial import Result, carried_out, try_out
from scheduler.engine.objects import Pod
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.words import listed

DEEPEST, BESIDES, DEEPENED = 3, 5, 2


@dataclass(frozen=True, slots=True)
class Tried:
    """A fix with what came of it. `place`: of its candidate in `Search.candidates`."""

    place: int
    fix: Fix
    result: Result


class Search:
    """Of a pod that waits in `simulation`, which must not be changed meanwhile and stays as it is.

    Equal states give equal candidates, in the same order. Raises Refused for a pod that does not wait.
    """

    def __init__(self, simulation: Simulation, key: str) -> None:
        pod = simulation.pods.get(key)
        if pod is None:
            raise Refused(f"There is no pod {key}.")
        if pod.node_name or pod.is_finished:
            raise Refused(f"Pod {key} does not wait{f': it is on {pod.node_name}' if pod.node_name else ''}.")
        if pod.is_terminating:
            raise Refused(f"Pod {key} is being deleted: the scheduler passes it over.")
        self.simulation, self.key, self.pod = simulation, key, pod

    @cached_property
    def cycle(self) -> Cycle:
        """Its attempt as it would be now, on all nodes."""
        return attempt(self.simulation, self.pod)

    @cached_property
    def candidates(self) -> list[Candidate]:
        """What is worth a try; [] where it fits as it is. Raises PluginError."""
        return _candidates(self.simulation, self.pod, self.cycle)

    @cached_property
    def silent(self) -> list[str]:
        """Algorithms that refuse the pod and that know of no change."""
        return Near.of(self.cycle).silent

    def as_it_is(self) -> Result:
        """What becomes of the pod if nothing is changed, when its turn comes."""
        return try_out(self.simulation, self.key, ())

    def tried(self, first: int = 0) -> Iterator[Tried]:
        """Each candidate from `first` on, tried when asked for: the first of its fixes that helps, else the first.

        In the order of the candidates; `ranked` has the order for people.
        """
        for place in range(first, len(self.candidates)):
            yield self.try_candidate(place)

    def try_candidate(self, place: int) -> Tried:
        outcomes = list[Tried]()
        for fix in self.candidates[place]:
            result = try_out(self.simulation, self.key, fix.edits)
            outcomes.append(Tried(place, fix, _without_place(result)))
            if outcomes[-1].result.fits:
                return outcomes[-1]
        first = outcomes[0]
        for fix, result in roomier(self.simulation, self.key, first.fix, first.result):
            if result.fits:
                return Tried(place, fix, result)
        return first

    def fix(self, fix_id: str) -> Fix | None:
        """The one of this id among all that may be told."""
        for fix in (one for candidate in self.candidates for one in candidate):
            if fix.id == fix_id:
                return fix
        found = (one.fix for one in self.tried() if one.fix.kind == "larger-node")
        return next((one for one in found if one.id == fix_id), None)


def _candidates(simulation: Simulation, pod: Pod, cycle: Cycle, depth: int = 0) -> list[Candidate]:
    """What keeps the pod from being tried on any node goes first, together with what is needed besides."""
    entry = list(before_the_queue(pod, simulation.profiles))
    if entry:
        return _with_more(simulation, pod, together(entry) if len(entry) > 1 else entry[0], depth)
    if cycle.error:
        raise PluginError(cycle.error)
    found = [] if len(cycle.feasible) else candidates(Near.of(cycle))
    if cycle.pre_filter_status.is_rejected:
        return [more for one in found for more in _with_more(simulation, pod, one[0], depth)][:MOST]
    if depth == DEEPEST or not found or any(_is_enough(simulation, pod, one) for one in found):
        return found
    deeper = [more for one in found[:DEEPENED] for more in _with_more(simulation, pod, one[0], depth)]
    return in_order([*found, *(more for more in deeper if more not in found)])


def _is_enough(simulation: Simulation, pod: Pod, candidate: Candidate) -> bool:
    """Whether some node passes then; who makes room makes it later."""
    if any(fix.effort in (Effort.MOVE, Effort.EVICT) for fix in candidate):
        return True
    return any((cycle := _attempt_after(simulation, pod, fix)) and len(cycle[1].feasible) for fix in candidate)


def _attempt_after(simulation: Simulation, pod: Pod, fix: Fix) -> tuple[Simulation, Cycle] | None:
    """The state with the fix, and the pod's attempt on it; None where it cannot be made."""
    after = carried_out(simulation, fix.edits)
    changed = after.pods.get(f"{pod.namespace or 'default'}/{pod.name}") if after is not None else None
    return (after, attempt(after, changed)) if after is not None and changed is not None else None


def _with_more(simulation: Simulation, pod: Pod, fix: Fix, depth: int) -> list[Candidate]:
    """The fix by itself where some node passes then, or where nothing is known that helps besides."""
    found = _attempt_after(simulation, pod, fix) if depth < DEEPEST else None
    if found is None or found[1].error or len(found[1].feasible):
        return [(fix,)]
    after, cycle = found
    more = _candidates(after, cycle.pod.pod, cycle, depth + 1)[:BESIDES]
    return [tuple(together([fix, one]) for one in candidate) for candidate in more] or [(fix,)]


def _without_place(result: Result) -> Result:
    """To move pods that find no other node is no help."""
    homeless = [f"`{one.pod}`" for one in result.moved if not one.after]
    if not result.fits or not homeless:
        return result
    finds = "finds" if len(homeless) == 1 else "find"
    return replace(result, outcome="no help", message=f"{listed(homeless)} then {finds} no other node.")


def attempt(simulation: Simulation, pod: Pod) -> Cycle:
    """One attempt on the state as it is, without any effect on it."""
    profile = simulation.profiles.get(pod.spec.scheduler_name) or simulation.profiles.first
    settings, snapshot = simulation.settings, simulation.cluster.glance()
    nominated = dict(simulation.nominated_pods())
    cycle = Cycle(
        snapshot, profile, pod, seed=simulation.seed, nominated=nominated, percentage=100,
        draws_nomination=settings.draw_nominations,
    )  # fmt: skip
    cycle.pre_filter()
    cycle.filter()
    return cycle


def ranked(found: list[Tried]) -> list[Tried]:
    """What helps first, the least effort first; then what does not."""
    order = {"fits": 0, "unfinished": 1, "no help": 2}
    return sorted(found, key=lambda one: (order[one.result.outcome], *cost(one), one.place))


def cost(one: Tried) -> tuple[int, int, float]:
    """Others that lose their place weigh more than the effort."""
    lost = sum(not moved.after for moved in (*one.result.moved, *one.result.preempted))
    return int(lost > 0), one.fix.effort, one.fix.size
