"""The history of an object: who changed what, with a diff, and a way to take one edit back."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice
from typing import Any

from scheduler.admin.fields import to_yaml
from scheduler.engine.simulation.clock import to_rfc3339
from scheduler.services.history import Manifest, Version

MOST_LINES = 300
SHOWN = 50
WORDS = {
    "ObjectAdded": "Added",
    "ObjectUpdated": "Changed",
    "ObjectPatched": "Changed by a controller or a binding",
    "ObjectDeleted": "Deleted",
    "CycleFinished": "Placed by the scheduler",
}
CLASSES = {"+": "diff-in", "-": "diff-out", "@": "diff-at"}


@dataclass(frozen=True, slots=True)
class Entry:
    version: Version
    title: str
    time: str
    lines: list[tuple[str, str]]
    cut: bool

    @property
    def none(self) -> str:
        """Why there is no diff."""
        if self.version.kind == "ObjectAdded":
            return "This is how it began."
        return "Nothing in the manifest differs." if self.version.before is not None else "What was before is not kept."


def entries(versions: list[Version]) -> list[Entry]:
    return [_entry(version) for version in versions[:SHOWN]]


def _entry(version: Version) -> Entry:
    lines = list(islice(_diff(version), MOST_LINES + 1))
    title = WORDS[version.kind] + (f" by {version.actor}" if version.actor else "")
    title += f" ({version.cause})" if version.cause else ""
    return Entry(version, title, to_rfc3339(version.at_us), lines[:MOST_LINES], len(lines) > MOST_LINES)


def _diff(version: Version) -> Iterator[tuple[str, str]]:
    """Lines with the class that colours them; none for what came into being or of what the beginning is not known."""
    if version.before is not None and version.kind != "ObjectDeleted":
        yield from diff(version.before, version.after)


def diff(before: Manifest | None, after: Manifest | None) -> Iterator[tuple[str, str]]:
    """What differs between two manifests as YAML: each line after the class that colours it."""
    lines = unified_diff(_lines(before), _lines(after), n=2, lineterm="")
    for line in islice(lines, 2, None):  # the first two name files
        yield CLASSES.get(line[:1], ""), line


def _lines(manifest: Manifest | None) -> list[str]:
    text: Any = to_yaml(manifest) if manifest else ""
    return list(text.splitlines())
