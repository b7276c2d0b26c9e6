"""Which refusal tells a pod apart: the one order of reasons for lists, as the page of a pod names its cause."""

from __future__ import annotations

from collections.abc import Iterable

from scheduler.engine.cycle.decision import Refusal, merged
from scheduler.engine.explain.refused import short
from scheduler.engine.explain.why.hindrances import FIT, is_closing
from scheduler.engine.explain.why.selector import wanted_by
from scheduler.engine.labels import RequiredNodeAffinity
from scheduler.engine.objects import Pod
from scheduler.engine.values.quantity import format_compared
from scheduler.engine.values.requests import pod_requests

CLOSED = frozenset({"NodeUnschedulable", "TaintToleration"})  # refuse most pods alike
_INSUFFICIENT = "Insufficient "


def by_weight(refusals: Iterable[Refusal]) -> list[Refusal]:
    """By plugin and reason. First what refuses nodes that are open to the pod, then what the pod asks of a node's kind,
    last what closes a node to most pods; among these, most nodes first.
    """
    return sorted(merged(refusals), key=_weight)


def _weight(refusal: Refusal) -> tuple[int, int]:
    kind = 2 if refusal.plugin in CLOSED else 1 if is_closing(refusal.plugin, refusal.reason) else 0
    return kind, -refusal.count


def in_brief(refusal: Refusal, pod: Pod) -> str:
    """`insufficient cpu, asks for 64`; `asks for pool=gpu`: with what the pod itself says of it."""
    reason = short(refusal.reason)
    if refusal.plugin == FIT and refusal.reason.startswith(_INSUFFICIENT):
        resource = refusal.reason.removeprefix(_INSUFFICIENT)
        amount = pod_requests(pod).get(resource, 0)
        return f"{reason}, asks for {format_compared(resource, amount)[0]}" if amount else reason
    if refusal.plugin == "NodeAffinity":
        asked = wanted_by(RequiredNodeAffinity.of(pod)).text
        return f"asks for {asked.replace('`', '')}" if "`" in asked else reason
    return reason
