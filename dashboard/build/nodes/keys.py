"""Labels as one says them: `zone` for topology.kubernetes.io/zone where nothing else ends so; which ones there are."""

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from dashboard.build.node_rows import NodeRows

MOST_VALUES = 60
DEPTH = 2
MOST_NAMED = 8
_NOT_GROUPS = ("kubernetes.io/hostname",)


class Key(NamedTuple):
    """`alias`: its short name in addresses and on screen; `values`: how many different ones there are."""

    key: str
    alias: str
    values: int


@lru_cache(maxsize=4)
def label_keys(rows: NodeRows) -> tuple[Key, ...]:
    """All labels of the nodes, by alias."""
    values: dict[str, set[str]] = {}
    for node in rows.objects:
        for key, value in (node.labels if node else {}).items():
            values.setdefault(key, set()).add(value)
    ends = Counter(key.rpartition("/")[2] for key in values)
    first = {key.rpartition("/")[2]: key for key in sorted(values, key=_rank, reverse=True)}
    keys = []
    for key, found in values.items():
        end = key.rpartition("/")[2]
        is_short = ends[end] == 1 or (first[end] == key and _rank(key)[0] == 0)
        keys.append(Key(key, end if is_short and end else key, len(found)))
    return tuple(sorted(keys, key=lambda one: one.alias))


def _rank(key: str) -> tuple[int, str]:
    """The topology labels of today go before others of the same end."""
    return (0 if key.startswith("topology.kubernetes.io/") else 1, key)


def groupable(rows: NodeRows) -> list[Key]:
    """Labels that nodes can be told apart by: not one value a node."""
    return [one for one in label_keys(rows) if one.values <= MOST_VALUES and one.key not in _NOT_GROUPS]


def resolved(rows: NodeRows, name: str) -> Key | None:
    """The label of that key, or of that alias."""
    keys = label_keys(rows)
    found = [one for one in keys if one.key == name] + [one for one in keys if one.alias == name]
    return found[0] if found else None


def chosen(rows: NodeRows, text: str | None) -> list[Key]:
    """`zone,pool` → the labels to group by, two at most. None: by zone, if the nodes have any; "": by none."""
    if text is None:
        zone = resolved(rows, "zone")
        return [zone] if zone and zone.values <= MOST_VALUES else []
    found = [resolved(rows, name) for name in _named(text)]
    kept = list(dict.fromkeys(one for one in found if one is not None and one.values <= MOST_VALUES))
    return kept[:DEPTH]


def faults(rows: NodeRows, text: str | None) -> list[str]:
    """Why labels that somebody asked for are no groups."""
    told = []
    for name in _named(text or "") if rows.objects else ():
        one = resolved(rows, name)
        if one is None:
            told.append(f"No node has a label {name} to group by.")
        elif one.values > MOST_VALUES:
            told.append(
                f"{name} has {one.values:,} values; nodes are grouped by {MOST_VALUES} at most. Search for some."
            )
    return told


def _named(text: str) -> list[str]:
    """Each once, and no more than anybody would ask for."""
    return list(dict.fromkeys(filter(None, map(str.strip, text.split(",")))))[:MOST_NAMED]
