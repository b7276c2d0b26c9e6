"""What an import found, took, ignored and refused: for the terminal, the page and scripts."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from scheduler.manifests.faults import Faults


@dataclass
class Count:
    """Of one kind. found = taken + ignored + wrong."""

    found: int = 0
    taken: int = 0
    ignored: int = 0
    wrong: int = 0


@dataclass(frozen=True)
class Notice:
    """Something to know that does not stop the import. `objects`: the first few it is about."""

    message: str
    count: int = 0
    objects: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.objects:
            return self.message
        more = f" and {self.count - len(self.objects)} more" if self.count > len(self.objects) else ""
        return f"{self.message} ({', '.join(self.objects)}{more})"


@dataclass
class Report:
    faults: Faults
    files: list[str] = field(default_factory=list)
    kinds: dict[str, Count] = field(default_factory=dict)
    ignored: Counter[tuple[str, str]] = field(default_factory=Counter)  # (kind or file, why)
    warnings: list[Notice] = field(default_factory=list)

    def of(self, kind: str) -> Count:
        return self.kinds.setdefault(kind, Count())

    def ignore(self, kind: str, why: str) -> None:
        count = self.of(kind)
        count.found += 1
        count.ignored += 1
        self.ignored[kind, why] += 1

    @property
    def total(self) -> Count:
        counts = self.kinds.values()
        return Count(
            sum(count.found for count in counts),
            sum(count.taken for count in counts),
            sum(count.ignored for count in counts),
            sum(count.wrong for count in counts),
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "files": self.files,
            "kinds": {kind: vars(count) for kind, count in sorted(self.kinds.items())},
            "total": vars(self.total),
            "ignored": [{"kind": kind, "why": why, "count": n} for (kind, why), n in sorted(self.ignored.items())],
            "warnings": [
                {
                    "message": warning.message,
                    "count": warning.count,
                    "objects": list(warning.objects),
                    "more": warning.count - len(warning.objects),
                }
                for warning in self.warnings
            ],
            "faults": [vars(fault) for fault in self.faults],
            "fault_count": self.faults.count,
            "untold": self.faults.untold,
        }
