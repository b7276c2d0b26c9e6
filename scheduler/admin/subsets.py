"""The subsets of a UnitedDeployment as rows: a name, numbers, and labels that its nodes have."""

from typing import Any

from scheduler.admin.columns import ListRows, set_or_drop, shown
from scheduler.admin.rows import Column, Row, fault_at

Subset = dict[str, Any]
NUMBERS = ("replicas", "minReplicas", "maxReplicas")


class SubsetRows(ListRows):
    """Tolerations, patches and expressions other than “one of” stand in the YAML and stay."""

    columns = (
        Column("name", "name", "spot"),
        Column("replicas", "replicas", "3 or 20%"),
        Column("minReplicas", "min", "0"),
        Column("maxReplicas", "max", "50%"),
        Column("nodes", "labels of its nodes", "topology.kubernetes.io/zone=a,b"),
    )
    noun = "subset"

    def row(self, one: Subset) -> Row:
        told = (f"{each.get('key')}={','.join(map(str, each['values']))}" for each in _expressions(one) if _told(each))
        return {"nodes": " ".join(told), **{name: shown(one.get(name)) for name in ("name", *NUMBERS)}}

    def entry(self, place: int, row: Row, before: Subset) -> Subset:
        made = dict(before)
        set_or_drop(made, "name", row["name"].strip())
        for name in NUMBERS:
            text = row[name].strip()
            set_or_drop(made, name, int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text)
        if " ".join(row["nodes"].split()) == self.row(before)["nodes"]:
            return made
        others = [one for one in _expressions(before) if not _told(one)]
        term = dict(before.get("nodeSelectorTerm") or {})
        term["matchExpressions"] = [*_written(place, row["nodes"]), *others]
        if not term["matchExpressions"]:
            del term["matchExpressions"]
        made.pop("nodeSelectorTerm", None)
        return {**made, "nodeSelectorTerm": term} if term else made


def _expressions(subset: Subset) -> list[dict[str, Any]]:
    term = subset.get("nodeSelectorTerm")
    found = term.get("matchExpressions") if isinstance(term, dict) else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _told(expression: dict[str, Any]) -> bool:
    return expression.get("operator") == "In" and isinstance(expression.get("values"), list)


def _written(place: int, text: str) -> list[dict[str, Any]]:
    made = []
    for word in text.split():
        key, equals, values = word.partition("=")
        if not equals or not key or not values:
            raise fault_at(place, f"Row {place + 1}: labels of its nodes: write zone=a or zone=a,b, not “{word}”")
        made.append({"key": key, "operator": "In", "values": values.split(",")})
    return made
