"""Who keeps a pod waiting: plugins in the order of what they tell, and the decisive reason in a few words."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from dashboard.build.latest import latest
from scheduler.engine.cycle.decision import Refusal
from scheduler.engine.explain.decisive import by_weight, in_brief
from scheduler.engine.objects import Pod

Refusers = dict[str, "Refused"]


class Refused(NamedTuple):
    """The refusals of a pod's newest cycle, the decisive first, and of how many nodes they are."""

    refusals: list[Refusal]
    nodes: int

    def ordered(self, plugins: list[str]) -> list[str]:
        """The plugins in the order of their first refusal; those that refused no node come last, in their own order."""
        told = list(dict.fromkeys(one.plugin for one in self.refusals))
        return sorted(plugins, key=lambda plugin: told.index(plugin) if plugin in told else len(told))

    def words(self, pod: Pod) -> str:
        """`insufficient cpu, asks for 64 (4 of 5 nodes)`; "" where no node was looked at."""
        if not self.refusals:
            return ""
        first, total = self.refusals[0], self.nodes
        where = f"all {total:,}" if first.count == total else f"{first.count:,} of {total:,}"
        return in_brief(first, pod) + (f" ({where} nodes)" if total > 1 else "")


def last_refusers(cluster_id: int, keys: Iterable[str], up_to: int) -> Refusers:
    """The refusals of each pod's newest cycle up to that event, by `namespace/name`; none: left out."""
    ended = latest(cluster_id, "CycleFinished", keys, up_to)
    return {key: _refused(told.payload["decision"]) for key, told in ended.items()}


def _refused(decision: dict[str, object]) -> Refused:
    refusals = msgspec.convert(decision.get("refusals", ()), list[Refusal])
    return Refused(by_weight(refusals), msgspec.convert(decision.get("node_count", 0), int))
