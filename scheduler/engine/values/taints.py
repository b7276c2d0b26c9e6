"""Taints and tolerations. Source: api core/v1/toleration.go and component-helpers scheduling/corev1 v0.34.1."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from scheduler.engine.objects import Taint, Toleration

NO_SCHEDULE, PREFER_NO_SCHEDULE, NO_EXECUTE = "NoSchedule", "PreferNoSchedule", "NoExecute"
HARD_EFFECTS = frozenset({NO_SCHEDULE, NO_EXECUTE})
UNSCHEDULABLE_TAINT = Taint(key="node.kubernetes.io/unschedulable", effect=NO_SCHEDULE)


def tolerates(toleration: Toleration, taint: Taint) -> bool:
    """An empty effect or key stands for any. `tolerationSeconds` does not matter here."""
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    if toleration.operator in (None, "", "Equal"):
        return (toleration.value or "") == (taint.value or "")
    return toleration.operator == "Exists"


def is_tolerated(taint: Taint, tolerations: Iterable[Toleration]) -> bool:
    return any(tolerates(toleration, taint) for toleration in tolerations)


def plain(tolerations: Iterable[Toleration]) -> tuple[tuple[str, str, str, str], ...]:
    """(key, operator, value, effect) each, "" where nothing is stated."""
    return tuple((one.key or "", one.operator or "", one.value or "", one.effect or "") for one in tolerations)


def first_untolerated(
    taints: Iterable[Taint], tolerations: Collection[Toleration], effects: Collection[str] = HARD_EFFECTS
) -> Taint | None:
    """The first taint in the node's order, among those of `effects`, that nothing tolerates."""
    return next((taint for taint in taints if taint.effect in effects and not is_tolerated(taint, tolerations)), None)


def prefer_no_schedule_untolerated(taints: Iterable[Taint], tolerations: Iterable[Toleration]) -> int:
    """How many PreferNoSchedule taints nothing tolerates: TaintToleration's raw score."""
    soft = [one for one in tolerations if one.effect in (None, "", PREFER_NO_SCHEDULE)]
    return sum(taint.effect == PREFER_NO_SCHEDULE and not is_tolerated(taint, soft) for taint in taints)
