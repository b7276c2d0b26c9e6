"""What the address asks of the page of nodes: view, groups, shade, order, search, the chosen node, the size to fit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.build.nodes import keys
from dashboard.build.nodes.fleet import Fleet
from dashboard.build.nodes.keys import Key
from dashboard.build.usage import CPU

VIEWS = ("bars", "tiles", "map", "table")
BARS_UP_TO = 200  # nodes; more start as a map
_OLD = {"zone": "-l topology.kubernetes.io/zone={}", "state": "{}"}  # parameters of former addresses
_STATES = {"ready": "ready", "cordoned": "cordoned", "not_ready": "notready"}


@dataclass(frozen=True)
class Wish:
    """`group`: as written in addresses. `fit`: "" without a question."""

    view: str
    keys: list[Key]
    shade: str
    sort: str
    q: str
    node: str
    fit: str

    @property
    def group(self) -> str:
        return ",".join(key.alias for key in self.keys)


def wish(fleet: Fleet, query: Mapping[str, str]) -> Wish:
    """Whatever is not known falls back to what is usual."""
    view = query.get("view", "")
    if view not in VIEWS:
        view = "bars" if len(fleet) <= BARS_UP_TO else "map"
    shade = next((one for one in fleet.resources if query.get("shade") in (one, short(one))), CPU)
    usual = shade if view == "map" else "name"
    return Wish(
        view,
        keys.chosen(fleet.rows, query.get("group")),
        shade,
        query.get("sort") or usual,
        _search(query),
        query.get("node", ""),
        query.get("fit", "").strip(),
    )


def short(resource: str) -> str:
    """`nvidia.com/gpu` → `gpu`."""
    return resource.rpartition("/")[2]


def _search(query: Mapping[str, str]) -> str:
    words = [query.get("q", "").strip()]
    if zone := query.get("zone"):
        words.append(_OLD["zone"].format(zone))
    if state := _STATES.get(query.get("state", "")):
        words.append(state)
    return " ".join(filter(None, words))


def choices(fleet: Fleet, asked: Wish) -> dict[str, Any]:
    """What the menus of the page offer, as (value, text, whether it is chosen)."""
    aliases = [key.alias for key in keys.groupable(fleet.rows)]
    single = ["", *aliases]
    if asked.group and asked.group not in single:
        single.append(asked.group)
    pairs = [f"zone,{one}" for one in aliases if one not in ("zone", "region")] if "zone" in aliases else []
    groups = [*single, *(pair for pair in pairs if pair not in single)]
    sorts = ["name", *fleet.resources, *(f"free.{name}" for name in fleet.resources[:2]), "age"]
    both = [way for one in sorts for way in (one, f"-{one}")]
    return {
        "groups": [(one, one.replace(",", ", ") or "nothing", one == asked.group) for one in groups],
        "shades": [(short(one), short(one), one == asked.shade) for one in fleet.resources],
        "sorts": [(one, _sorted_by(one), one == asked.sort) for one in both],
    }


def _sorted_by(sort: str) -> str:
    named = sort.removeprefix("-")
    if named in ("name", "age"):
        return {"name": "name", "-name": "name, Z to A", "age": "oldest", "-age": "youngest"}[sort]
    amount = "most" if sort == named else "least"
    return f"{amount} {short(named[5:])} free" if named.startswith("free.") else f"{amount} {short(named)}"
