"""Labels, taints and resources of a node as rows of a form: read from the manifest, or from what was posted."""

from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from scheduler.engine.errors import Invalid
from scheduler.engine.values.quantity import sign

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
MOST_ROWS = 200
BLANK = 1


@dataclass
class Rows:
    """`labels`: (key, value); `taints`: (key, value, effect); `resources`: (name, quantity), None: not asked for.

    `faults`: in words, for the top of the form.
    """

    labels: list[tuple[str, str]]
    taints: list[tuple[str, str, str]]
    resources: list[tuple[str, str]] | None = None
    faults: list[str] = field(default_factory=list)
    effects = EFFECTS

    @property
    def label_rows(self) -> list[tuple[str, str]]:
        return [*self.labels, *[("", "")] * BLANK]

    @property
    def taint_rows(self) -> list[tuple[str, str, str]]:
        return [*self.taints, *[("", "", EFFECTS[0])] * BLANK]

    @property
    def resource_rows(self) -> list[tuple[str, str]]:
        return [*(self.resources or ()), *[("", "")] * BLANK]

    @property
    def as_allocatable(self) -> dict[str, str] | None:
        return None if self.resources is None else dict(self.resources)

    @property
    def as_labels(self) -> dict[str, str]:
        return dict(self.labels)

    @property
    def as_taints(self) -> list[dict[str, str]]:
        return [
            {"key": key, **({"value": value} if value else {}), "effect": effect} for key, value, effect in self.taints
        ]


def stored(manifest: dict[str, Any]) -> Rows:
    labels = (manifest.get("metadata") or {}).get("labels") or {}
    taints = (manifest.get("spec") or {}).get("taints") or []
    found = [(one.get("key", ""), one.get("value") or "", one.get("effect", "")) for one in taints]
    allocatable = (manifest.get("status") or {}).get("allocatable") or {}
    return Rows(sorted(labels.items()), found, [(name, str(amount)) for name, amount in allocatable.items()])


def posted(form: QueryDict) -> Rows:
    """Rows without a key and a value are left out; a key may be given once, a taint once with each effect."""
    labels = _rows(form, "label-key", "label-value")
    taints = _rows(form, "taint-key", "taint-value", "taint-effect")
    rows = Rows([(key, value) for key, value in labels], [(key, value, effect) for key, value, effect in taints])
    if "resource-key" in form:
        rows.resources = _rows(form, "resource-key", "resource-value")
        rows.faults += [fault for name, amount in rows.resources if name and (fault := _misread(name, amount))]
    if max(len(labels), len(taints), len(rows.resources or ())) > MOST_ROWS:
        rows.faults.append(f"More than {MOST_ROWS} labels, taints or resources are not taken.")
    names = [name for name, _ in rows.resources or ()]
    found = [("label", [key for key, _ in labels]), ("taint", [(key, effect) for key, _, effect in taints])]
    for what, keys in (*found, ("resource", names)):
        seen: set[Any] = set()
        for key in keys:
            name = key if isinstance(key, str) else f"{key[0]}:{key[1]}"
            if not name.partition(":")[0]:
                rows.faults.append(f"A {what} has a value but no key.")
            elif key in seen:
                rows.faults.append(f"The {what} {name} is given twice.")
            seen.add(key)
    return rows


def _misread(name: str, text: str) -> str:
    try:
        negative = sign(text) < 0
    except Invalid:
        return (
            f'The quantity of {name}, "{text}", cannot be read: write 4 or 500m for cpu, 16Gi for bytes, 110 for pods.'
        )
    return f"The quantity of {name}, {text}, is less than 0." if negative else ""


def _rows(form: QueryDict, *names: str) -> list[Any]:
    columns = [[value.strip() for value in form.getlist(name)] for name in names]
    return [row for row in zip(*columns, strict=False) if row[0] or row[1]]
