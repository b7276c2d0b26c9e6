"""The page of a UnitedDeployment as data: its subsets as a table, the pass and what happened as plain values."""

from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.build.united.history import Moment
from dashboard.build.united.phases import Phase

COLUMNS = ("name", "asked", "planned", "change", "pods", "ready", "updated", "pending", "wait", "partition", "revision")
ASKED = ("replicas", "min", "max")


def table(rows: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """Its first row has the names of the columns."""
    head = ["subset", "selector", *ASKED, *COLUMNS[1:], "schedulable", "reason"]
    return [head, *(_line(row) for row in rows)]


def _line(row: Mapping[str, Any]) -> list[Any]:
    fields = [row["fields"][name] for name in ASKED]
    asked = ["" if one is None or one.error else one.value for one in fields]
    condition = row["condition"].status if row["condition"] is not None else ""
    return [row["name"], row["selector"], *asked, *(row[name] for name in COLUMNS[1:]), condition, row["reason"]]


def document(context: Mapping[str, Any]) -> dict[str, Any]:
    """`context`: what the page is given."""
    return {
        "sentence": context["sentence"],
        "refused": [*context["wish"].faults, *(one.error for one in context["fields"].values() if one.error)],
        "error": context.get("error") or None,
        "pass": context["passes"].number or None,
        "subsets": {row["name"]: {name: row[name] for name in (*COLUMNS[1:], "reason")} for row in context["rows"]},
        "phases": [_phase(one) for one in context.get("phases", ())],
        "history": [_moment(line["moment"]) for line in reversed(context.get("moments", ()))],
        "ahead": [line["one"]._asdict() for line in context.get("ahead", ())],
    }


def _phase(one: Phase) -> dict[str, Any]:
    rows = [{"of": row.of, "in": row.reads, "out": row.gives} for row in one.rows]
    return {"name": one.name, "state": one.state, "says": one.says, "rows": rows, "notes": list(one.notes)}


def _moment(one: Moment) -> dict[str, Any]:
    return {
        "seq": one.seq,
        "at_us": one.at_us,
        "words": [told.text.replace("`", "") for told in one.words],
        "split": dict(one.standing.split),
        "unschedulable": sorted(one.standing.held),
        "made": [pod.name for pod in one.made],
        "gone": [pod.name for pod in one.gone],
    }
