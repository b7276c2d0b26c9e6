"""What failed while nodes were scored, where the settings say that scoring goes on after an error.

Source: kube-scheduler v1.14 to v1.17, PrioritizeNodes, which reports the errors of all algorithms together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from scheduler.engine.errors import aggregate

CellErrors: TypeAlias = dict[str, dict[int, str]]
"""Algorithm → place among the feasible nodes, in the order found → what its map said."""

LISTED_ERRORS = 20


@dataclass(slots=True)
class ScoreErrors:
    """`cells`: errors of map. `rows`: algorithm → what its reduce said. Nothing is written down twice."""

    cells: CellErrors = field(default_factory=dict)
    rows: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.cells or self.rows)

    def add(self, cells: CellErrors) -> None:
        """What a part of map brought back."""
        for name, places in cells.items():
            self.cells.setdefault(name, {}).update(places)

    @property
    def cell_count(self) -> int:
        return sum(len(places) for places in self.cells.values())

    def message(self, algorithms: list[str]) -> str:
        """All errors, each once: by algorithm, by place, reduce after map. Of more than 20 the number of the others."""
        texts = dict.fromkeys(
            [said for name in algorithms for _, said in sorted(self.cells.get(name, {}).items())]
            + [self.rows[name] for name in algorithms if name in self.rows]
        )
        listed = list(texts)[:LISTED_ERRORS]
        more = len(texts) - len(listed)
        return aggregate([*listed, f"and {more} more"] if more else listed)
