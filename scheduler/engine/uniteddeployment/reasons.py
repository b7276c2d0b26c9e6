"""Why a subset has the number that it has, in a few words: what a reader asks first of a split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scheduler.engine.uniteddeployment.allocation import UNLIMITED, Allocation, AllocationError, AllocationStep
from scheduler.engine.uniteddeployment.allocators import allocate
from scheduler.engine.uniteddeployment.numbers import parsed_or, percent_of, written
from scheduler.engine.uniteddeployment.spec import Subset, UnitedDeployment
from scheduler.engine.uniteddeployment.state import ExistingSubset, Schedulability
from scheduler.engine.words import count


def reasons(
    ud: UnitedDeployment,
    allocation: Allocation,
    existing: Mapping[str, ExistingSubset],
    detected: Mapping[str, Schedulability],
) -> dict[str, str]:
    """By subset of the topology, without a full stop. `existing`, `detected`: what the allocator was given."""
    afresh = _afresh(ud)
    own: dict[str, dict[str, AllocationStep]] = {one.name: {} for one in ud.subsets}
    for step in allocation.steps:
        own[step.subset][step.rule] = step
    shares = [step.given for step in allocation.steps if step.rule == "rest"]
    found = {}
    for one in ud.subsets:
        held, state = existing.get(one.name), detected.get(one.name, Schedulability())
        number = allocation.replicas[one.name]
        adapted = _adaptive(one, ud, number, afresh, held, state)
        found[one.name] = adapted or _plain(one, ud, number, own[one.name], shares)
    return found


def _afresh(ud: UnitedDeployment) -> Mapping[str, int]:
    """The split as it would be if there were no pods yet: what an adaptive one is compared with."""
    try:
        return allocate(ud, {}, {}).replicas if ud.adaptive else {}
    except AllocationError:
        return {}


def _adaptive(
    subset: Subset,
    ud: UnitedDeployment,
    number: int,
    afresh: Mapping[str, int],
    held: ExistingSubset | None,
    state: Schedulability,
) -> str:
    """Where the pods that are there decide. "" where they do not."""
    if held is None or not ud.adaptive:
        return ""
    if ud.reserves:
        if not state.reserved_pods:
            return ""
        keeps = f"keeps the {number} that it has" if number == held.spec_replicas else f"gets {number}"
        return f"unschedulable: {keeps}, {state.reserved_pods} of them reserved while others stand in"
    if state.unschedulable and number != afresh.get(subset.name):
        ready = count(held.ready_replicas, "ready pod")
        if number > held.ready_replicas:
            return f"unschedulable, yet its minimum is {number}"
        return f"unschedulable: no more than its {ready}" if number == held.ready_replicas else ""
    kept = min(held.ready_replicas, parsed_or(subset.max_replicas, ud.spec.replicas or 0, UNLIMITED))
    if number == kept and number > afresh.get(subset.name, number):
        return f"keeps its {count(number, 'ready pod')}; without them it would get {afresh[subset.name]}"
    if number == kept == afresh.get(subset.name) and number > parsed_or(subset.min_replicas, ud.spec.replicas or 0, 0):
        return f"keeps its {count(number, 'ready pod')}, {_as_many(subset, ud, number)}"
    return ""


def _as_many(subset: Subset, ud: UnitedDeployment, number: int) -> str:
    """How a number that ready pods decide stands to what is written."""
    if number == parsed_or(subset.max_replicas, ud.spec.replicas or 0, UNLIMITED):
        return "its maximum"
    return "as many as a new split gives it"


def _plain(
    subset: Subset, ud: UnitedDeployment, number: int, own: Mapping[str, AllocationStep], shares: Sequence[int]
) -> str:
    """`own`: its steps by rule; `shares`: of all subsets that share the rest."""
    total = ud.spec.replicas or 0
    if "replicas" in own:
        return f"asks for {subset.replicas if percent_of(subset.replicas) is None else written(subset.replicas, total)}"
    if "rest" in own:
        return _shared(number, shares)
    least = parsed_or(subset.min_replicas, total, 0)
    if subset.max_replicas is not None and number == parsed_or(subset.max_replicas, total, UNLIMITED):
        return f"filled to its maximum, {subset.max_replicas}"
    if not number:
        return "nothing was left for it"
    if number < least:
        return f"less than its minimum, {subset.min_replicas}: nothing more was left"
    if number == least:
        return f"its minimum, {subset.min_replicas}; nothing was left beyond it"
    return "takes all that is left: it has no maximum" if subset.max_replicas is None else _last(subset)


def _last(subset: Subset) -> str:
    return f"takes what is left, less than its maximum, {subset.max_replicas}"


def _shared(number: int, shares: Sequence[int]) -> str:
    if len(shares) == 1:
        return "takes what the others leave"
    each, over = divmod(sum(shares), len(shares))
    share = f"an even share of {sum(shares)} over {count(len(shares), 'subset')}"
    if number == each:
        return share
    return f"{share} ({each}), and {'the one' if over == 1 else f'one of the {over}'} left over"
