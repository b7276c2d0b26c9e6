"""Who keeps a pod waiting: plugins by the number of nodes that each refused at the last attempt."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from dashboard.build.latest import latest

Refusers = dict[str, Counter[str]]


def last_refusers(cluster_id: int, keys: Iterable[str], up_to: int) -> Refusers:
    """Nodes by plugin of each pod's newest cycle up to that event, by `namespace/name`; none: left out."""
    ended = latest(cluster_id, "CycleFinished", keys, up_to)
    return {key: _counted(told.payload["decision"]) for key, told in ended.items()}


def _counted(decision: dict[str, Any]) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in decision.get("refusals", ()):
        found[one["plugin"]] += one["count"]
    return found


def by_nodes(plugins: list[str], refused: Counter[str]) -> list[str]:
    """Those that refused most nodes first; of equals the order stays."""
    return sorted(plugins, key=lambda plugin: -refused[plugin])
