"""The replica numbers of all subsets together."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.numbers import parse_replicas
from scheduler.engine.uniteddeployment.spec import UnitedDeployment
from scheduler.engine.uniteddeployment.validation.subsets import SUBSETS
from scheduler.engine.validation.rules import fault

_NO_MAXIMUM = 1_000_000


def faults(ud: UnitedDeployment) -> Iterator[Invalid]:
    """Numbers that cannot be read, do not go together, or leave no way to place all replicas."""
    reader = _Reader(ud)
    bounds = [reader.bounds(index) for index in range(len(ud.subsets))]
    fixed = [reader.number(index, "replicas", one.replicas) for index, one in enumerate(ud.subsets)]
    yield from reader.complaints
    given = [number for number in fixed if number is not None]
    bounded = any(one.min_replicas is not None or one.max_replicas is not None for one in ud.subsets)
    if given and bounded:
        yield _all("subset.replicas and subset.minReplicas/subset.maxReplicas are mutually exclusive in a topology")
    elif bounded:
        yield from _bounded(ud, bounds)
    else:
        yield from _fixed(ud, given)


class _Reader:
    """Reads numbers and keeps what is wrong with each; one that cannot be read counts as 0 from then on."""

    def __init__(self, ud: UnitedDeployment) -> None:
        self.ud = ud
        replicas = ud.spec.replicas
        self.total = None if replicas is None or replicas == -1 else replicas
        self.complaints: list[Invalid] = []

    def number(self, index: int, field: str, given: int | str | None) -> int | None:
        if given is None:
            return None
        try:
            return parse_replicas(given, self.total)
        except Invalid as error:
            self.complaints.append(fault(f"{SUBSETS}[{index}].{field}", given, error.message))
            return 0

    def bounds(self, index: int) -> tuple[int, int | None]:
        subset = self.ud.subsets[index]
        least = self.number(index, "minReplicas", subset.min_replicas) or 0
        most = self.number(index, "maxReplicas", subset.max_replicas)
        if least > (_NO_MAXIMUM if most is None else most):
            detail = f"subset[{index}].minReplicas must be less than or equal to maxReplicas"
            self.complaints.append(fault(f"{SUBSETS}[{index}].minReplicas", least, detail))
        return least, most


def _bounded(ud: UnitedDeployment, bounds: list[tuple[int, int | None]]) -> Iterator[Invalid]:
    if ud.spec.replicas is None or ud.spec.replicas == -1:
        yield _all("spec.replicas must be given with minReplicas or maxReplicas")
    if all(most is not None for _, most in bounds):
        yield _all("at least one subset.maxReplicas must be empty")
    if sum(least for least, _ in bounds) > sum(_NO_MAXIMUM if most is None else most for _, most in bounds):
        yield _all("the sum of minReplicas is greater than the sum of maxReplicas")


def _fixed(ud: UnitedDeployment, given: list[int]) -> Iterator[Invalid]:
    complete, total, named = len(given) == len(ud.subsets), ud.spec.replicas, sum(given)
    if total is None or total == -1:
        if not complete:
            yield _all("all subsets must be given replicas when spec.replicas is not")
        return
    if named > total:
        yield _all(f"the sum of the subsets' replicas {named} is greater than spec.replicas {total}")
    if given and complete and named != total:
        yield _all(f"all subsets are given replicas, and their sum {named} is not spec.replicas {total}")


def _all(detail: str) -> Invalid:
    return Invalid(f"Invalid value: {detail}", SUBSETS)
