"""Who keeps a pod waiting: plugins in the order of what they tell, and the decisive reason in a few words."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

import msgspec

from dashboard.build.kept import Kept
from dashboard.build.latest import latest
from scheduler import store
from scheduler.engine.cycle.decision import Refusal
from scheduler.engine.explain.decisive import by_weight, in_brief
from scheduler.engine.objects import Pod

KEPT = 2_000


@dataclass(slots=True)
class Refused:
    """The refusals of a pod's newest cycle, the decisive first, and of how many nodes they are.

    A board that is watched asks for the same ones in every picture: made once a cycle, worded once a pod.
    """

    refusals: list[Refusal]
    nodes: int
    _worded: tuple[Pod, str] | None = None

    def ordered(self, plugins: list[str]) -> list[str]:
        """The plugins in the order of their first refusal; those that refused no node come last, in their own order."""
        told = list(dict.fromkeys(one.plugin for one in self.refusals))
        return sorted(plugins, key=lambda plugin: told.index(plugin) if plugin in told else len(told))

    def words(self, pod: Pod) -> str:
        """`insufficient cpu, asks for 64 (4 of 5 nodes)`; "" where no node was looked at."""
        worded = self._worded
        if worded is None or worded[0] is not pod:
            worded = self._worded = pod, self._words(pod)
        return worded[1]

    def _words(self, pod: Pod) -> str:
        if not self.refusals:
            return ""
        first, total = self.refusals[0], self.nodes
        where = f"all {total:,}" if first.count == total else f"{first.count:,} of {total:,}"
        return in_brief(first, pod) + (f" ({where} nodes)" if total > 1 else "")


_kept: Kept[tuple[int, datetime, int], Refused] = Kept(KEPT)


def last_refusers(cluster_id: int, keys: Iterable[str], up_to: int) -> dict[str, Refused]:
    """The refusals of each pod's newest cycle up to that event, by `namespace/name`; none: left out."""
    ended = latest(cluster_id, "CycleFinished", keys, up_to)
    if not ended:
        return {}
    identity = store.identity_of(cluster_id)[0]
    return {key: _kept.of((*identity, told.seq), partial(_refused, told.payload)) for key, told in ended.items()}


def _refused(payload: dict[str, Any]) -> Refused:
    decision = payload["decision"]
    refusals = msgspec.convert(decision.get("refusals", ()), list[Refusal])
    return Refused(by_weight(refusals), msgspec.convert(decision.get("node_count", 0), int))
