"""How a subset's number of replicas comes about, as steps that can be computed again by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from scheduler.engine.framework import Step
from scheduler.engine.uniteddeployment.allocation import UNLIMITED, Allocation, AllocationStep
from scheduler.engine.uniteddeployment.numbers import parsed_or, percent_of
from scheduler.engine.uniteddeployment.spec import Subset, UnitedDeployment
from scheduler.engine.uniteddeployment.state import ExistingSubset, Schedulability

Own: TypeAlias = dict[str, tuple[AllocationStep, int]]
"""Of one subset: by rule its step, and what was left before it."""


def planned(
    ud: UnitedDeployment,
    allocation: Allocation,
    existing: Mapping[str, ExistingSubset],
    detected: Mapping[str, Schedulability],
) -> dict[str, list[Step]]:
    """By subset of the topology. The last step's result is what `allocation` has for the subset.

    `existing`, `detected`: what it was given.
    """
    own: dict[str, Own] = {one.name: {} for one in ud.subsets}
    for step, before in with_left(allocation, ud):
        own[step.subset][step.rule] = (step, before)
    rest = _Rest(ud, allocation)
    return {one.name: list(_one(one, ud, own[one.name], rest, existing, detected)) for one in ud.subsets}


def _one(
    subset: Subset,
    ud: UnitedDeployment,
    own: Own,
    rest: _Rest,
    existing: Mapping[str, ExistingSubset],
    detected: Mapping[str, Schedulability],
) -> Iterator[Step]:
    held, state = existing.get(subset.name), detected.get(subset.name, Schedulability())
    if "replicas" in own:
        yield from _written("planned", subset.replicas, ud, "its replicas")
    elif "rest" in own:
        yield from _share(subset.name, rest, held)
    elif ud.reserves:
        yield from _within(list(_reserving(subset, ud, held, state)), own)
    else:
        yield from _within(list(_bounds(subset, ud, held if ud.adaptive else None, state.unschedulable)), own)


def with_left(allocation: Allocation, ud: UnitedDeployment) -> list[tuple[AllocationStep, int]]:
    """Each step with what was left before it. Of reserved pods less is taken off than a subset gets."""
    left = [ud.spec.replicas or 0, *(step.left for step in allocation.steps)]
    return list(zip(allocation.steps, left, strict=False))


def _written(name: str, given: int | str | None, ud: UnitedDeployment, note: str) -> Iterator[Step]:
    """A number as it is written. One that cannot be read counts as 0, which the note says."""
    total = ud.spec.replicas or 0
    number = parsed_or(given, total, 0)
    percent = percent_of(given)
    if percent is not None:
        yield Step(name, "percent", (total, percent), number, note)
    elif given is not None and not isinstance(given, int):
        yield Step(name, "value", (0,), 0, f"{note} cannot be read, so they count as 0")
    else:
        yield Step(name, "value", (number,), number, note if given is not None else f"{note}: none written")


class _Rest:
    """What subsets without numbers share: `total` replicas less what is `given`; `place` of each, from 1."""

    def __init__(self, ud: UnitedDeployment, allocation: Allocation) -> None:
        others = (step.subset for step in allocation.steps if step.rule == "rest")
        self.total = ud.spec.replicas or 0
        self.given = sum(step.given for step in allocation.steps if step.rule == "replicas")
        self.place = {name: place for place, name in enumerate(others, 1)}


def _share(name: str, rest: _Rest, held: ExistingSubset | None) -> Iterator[Step]:
    """An even share; what is over goes one by one to the last, of those that have fewest replicas first."""
    total, given, count, place = rest.total, rest.given, len(rest.place), rest.place[name]
    left = total - given
    share, over = divmod(left, count)
    extra = int(place > count - over)
    asked = held.spec_replicas if held is not None else 0
    yield Step("to share", "subtract", (total, given), left, "replicas, without those that subsets ask for")
    if not over:
        yield Step("planned", "quotient", ("to share", count), share, f"subsets that share: {count}")
        return
    yield Step("each", "quotient", ("to share", count), share, f"subsets that share: {count}")
    yield Step("over", "remainder", ("to share", count), over)
    yield Step("place", "value", (place,), place, f"its place by replicas today ({asked}), then by name")
    yield Step("one more", "one_of_last", ("place", count, "over"), extra)
    yield Step("planned", "add", ("each", "one more"), share + extra)


def _bounds(subset: Subset, ud: UnitedDeployment, held: ExistingSubset | None, unschedulable: bool) -> Iterator[Step]:
    """Its minimum and maximum, then what the ready pods of an adaptive one make of them: `least` and `most`."""
    total = ud.spec.replicas or 0
    least, most = parsed_or(subset.min_replicas, total, 0), parsed_or(subset.max_replicas, total, UNLIMITED)
    yield from _written("least" if held is None else "minimum", subset.min_replicas, ud, "its minReplicas")
    if subset.max_replicas is not None:
        is_cut = held is not None and unschedulable
        yield from _written("maximum" if is_cut else "most", subset.max_replicas, ud, "its maxReplicas")
    if held is None:
        return
    ready = held.ready_replicas
    yield Step("ready", "value", (ready,), ready, "ready pods that it has")
    if unschedulable:
        yield Step("least", "larger", ("minimum", "ready"), max(ready, least), "unschedulable: ready pods stay")
        most_of = ("maximum", "ready") if subset.max_replicas is not None else ("ready", "ready")
        yield Step("most", "smaller", most_of, min(ready, most), "unschedulable: it gets no more than these")
        return
    if subset.max_replicas is not None:
        yield Step("kept", "smaller", ("ready", "most"), min(ready, most), "of these no more than the most")
    kept = "ready" if subset.max_replicas is None else "kept"
    yield Step("least", "larger", ("minimum", kept), max(least, min(ready, most)), "ready pods are not moved away")


def _reserving(
    subset: Subset, ud: UnitedDeployment, held: ExistingSubset | None, state: Schedulability
) -> Iterator[Step]:
    """The bounds as they are written; an unschedulable subset is filled up to the replicas that it has."""
    yield from _written("least", subset.min_replicas, ud, "its minReplicas")
    if held is not None and state.unschedulable:
        note = f"replicas that it has; its {state.reserved_pods} reserved take nothing from the others"
        yield Step("most", "value", (held.spec_replicas,), held.spec_replicas, note)
    elif subset.max_replicas is not None:
        yield from _written("most", subset.max_replicas, ud, "its maxReplicas")


def _within(bounds: list[Step], own: Own) -> list[Step]:
    return [*bounds, *_filled(own, bounds)]


def _filled(own: Own, bounds: list[Step]) -> Iterator[Step]:
    """Pass 1 gives the least, pass 2 up to the most, each as far as there is something left."""
    if "min" not in own:
        yield Step("planned", "value", (0,), 0, "nothing was left when its turn came")
        return
    first, left = own["min"]
    yield Step("pass 1", "smaller", ("least", left), first.given, f"left when its turn comes: {left}")
    if "max" not in own:
        yield Step("planned", "value", ("pass 1",), first.given)
        return
    second, left = own["max"]
    numbers = {step.name: step.result for step in bounds}
    if "most" not in numbers:
        yield Step("pass 2", "value", (second.given,), second.given, "no maxReplicas, so all that is left")
    elif second.given < 0:
        yield Step("pass 2", "subtract", ("most", "pass 1"), second.given, "it has fewer than its minReplicas")
    else:
        yield Step("room", "beyond", ("most", "pass 1"), max(numbers["most"] - first.given, 0))
        yield Step("pass 2", "smaller", ("room", left), second.given, f"left when its turn comes: {left}")
    yield Step("planned", "add", ("pass 1", "pass 2"), first.given + second.given)
