"""Items that hold objects: watch events, snapshots of kube-scheduler-simulator, lists in odd shapes."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from scheduler.manifests.items import Item, Line, type_name
from scheduler.manifests.kinds import API_VERSIONS, ITEMLESS_LISTS

Action = Literal["", "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]
ACTIONS = ("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR")


def unfold(item: Item) -> Iterator[tuple[Action, Item]]:
    """The objects in an item: nearly always just itself. The action is that of a watch event, "" outside of one."""
    value = item.value
    if not isinstance(value, dict):
        yield "", item
    elif "kind" not in value and value.get("type") in ACTIONS and "object" in value:
        yield value["type"], replace(item, value=value["object"], line=_below(item.line, "object"))
    elif _is_snapshot(value):
        yield from _snapshot(item)
    elif str(value.get("kind") or "").endswith("List") and "items" in value:
        yield from _list(item)
    else:
        yield "", item


def _below(line: Line, path: str) -> Line:
    return lambda inner: line(f"{path}.{inner}" if inner else path)


def _is_snapshot(value: dict[str, Any]) -> bool:
    members = value.keys() & ITEMLESS_LISTS.keys()
    return bool(members) and not {"kind", "apiVersion", "metadata"} & value.keys()


def _snapshot(item: Item) -> Iterator[tuple[Action, Item]]:
    for member, kind in ITEMLESS_LISTS.items():
        inner = replace(item, value=item.value.get(member), default_kind=kind, default_api_version=API_VERSIONS[kind])
        yield from _elements(inner, member)


def _list(item: Item) -> Iterator[tuple[Action, Item]]:
    kind = item.value["kind"].removesuffix("List")
    version = str(item.value.get("apiVersion") or "") if kind else ""
    yield from _elements(
        replace(item, value=item.value["items"], default_kind=kind, default_api_version=version), "items"
    )


def _elements(item: Item, member: str) -> Iterator[tuple[Action, Item]]:
    if item.value is None:
        return
    if not isinstance(item.value, list):
        message = f"{member}: expected a list, got {type_name(item.value)}"
        yield "", replace(item, value={}, default_kind="", faults=[(item.line(member), message)])
        return
    for index, value in enumerate(item.value):
        yield from unfold(replace(item, value=value, line=_below(item.line, f"{member}[{index}]"), faults=item.faults))
