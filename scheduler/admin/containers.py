"""The containers of a pod as rows: name, image and what they request; ports, limits and all else stay in the YAML."""

from typing import Any

from scheduler.admin.columns import ListRows, kept, set_or_drop, shown
from scheduler.admin.rows import Column, Row, fault_at

OWN = {"cpu_request": "cpu", "memory_request": "memory"}


class ContainerRows(ListRows):
    columns = (
        Column("name", "name", "main"),
        Column("image", "image", "registry.example.com/web:1.2"),
        Column("cpu_request", "cpu", "250m", amount_of="cpu"),
        Column("memory_request", "memory", "1Gi", amount_of="memory"),
        Column("others", "other requests", "nvidia.com/gpu=1"),
    )
    noun = "container"

    def row(self, one: dict[str, Any]) -> Row:
        requests = requests_of(one)
        others = {name: amount for name, amount in requests.items() if name not in OWN.values()}
        return {
            "name": shown(one.get("name")),
            "image": shown(one.get("image")),
            **{column: shown(requests.get(resource)) for column, resource in OWN.items()},
            "others": ", ".join(f"{name}={shown(amount)}" for name, amount in others.items()),
        }

    def entry(self, place: int, row: Row, before: dict[str, Any]) -> dict[str, Any]:
        made = dict(before)
        for name in ("name", "image"):
            set_or_drop(made, name, row[name].strip())
        stored = requests_of(before)
        written = {resource: row[column].strip() for column, resource in OWN.items()} | _others(place, row["others"])
        # in the order in which they stand there already, new ones after them
        names = [*(name for name in stored if name in written), *(name for name in written if name not in stored)]
        requests = {name: kept(stored.get(name), written[name]) for name in names if written[name]}
        if requests != stored:
            made["resources"] = {**(before.get("resources") or {}), "requests": requests}
        return made


def requests_of(container: dict[str, Any]) -> dict[str, Any]:
    resources = container.get("resources")
    requests = resources.get("requests") if isinstance(resources, dict) else None
    return requests if isinstance(requests, dict) else {}


def _others(place: int, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        name, equals, amount = (one.strip() for one in part.partition("="))
        if not equals or not name or not amount:
            raise fault_at(place, f"Row {place + 1}: other requests: write nvidia.com/gpu=1, not “{part}”")
        if name in found or name in OWN.values():
            raise fault_at(place, f'Row {place + 1}: other requests: Duplicate value: "{name}"')
        found[name] = amount
    return found
