"""A cycle of two simple algorithms whose map can be told to hang or to fail, as the engine's own never do."""

import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from scheduler.engine.cycle.decision import Decision
from scheduler.engine.framework import Plugin


class Prepared:
    """What workers get. `hang`: a file while which exists, map of the rows from `hang_from` on waits."""

    def __init__(self, rows: int, hang: Path | None = None, hang_from: int = 0, fault: str = "") -> None:
        self.values = np.arange(rows, dtype=np.int64) * 7 % 101
        self.hang, self.hang_from, self.fault = hang, hang_from, fault

    def map(self, first: int, last: int, errors: object = None) -> dict[str, np.ndarray]:
        if self.fault:
            raise RuntimeError(self.fault)
        while self.hang and self.hang.exists() and first >= self.hang_from:
            self.hang.with_name(f"hangs-{first}").touch()
            time.sleep(0.01)
        return {"Even": self.values[first:last] * 2, "Odd": self.values[first:last] * 3 + 1}

    def reduce(self, algorithm: str, row: np.ndarray) -> np.ndarray:
        return row * 100 // row.max()


class Odd(Plugin):
    name = "Odd"


class Even(Plugin):
    name = "Even"

    def normalize(self, scoring, scores):
        return scores


class FakeCycle:
    number = 7
    algorithms = ("Even", "Odd")
    whole_lists = ()
    score_errors = None

    def __init__(self, rows: int, **prepared: object) -> None:
        self.feasible = np.arange(rows)
        self._prepared = Prepared(rows, **prepared)
        self._here = Prepared(rows)
        self.needs_scoring = rows > 1
        self.scoring = SimpleNamespace(plugins={"Even": Even(), "Odd": Odd()})

    def run(self) -> Decision:
        """The whole attempt in process, as the engine's own does it."""
        raw = self.map(0, len(self.feasible))
        return self.finish(raw, {"Even": self.reduce("Even", raw["Even"]), "Odd": raw["Odd"]})

    def pre_filter(self) -> None: ...

    def filter(self) -> None: ...

    def pre_score(self) -> None: ...

    def prepared(self) -> Prepared:
        return self._prepared

    def map(self, first: int, last: int) -> dict[str, np.ndarray]:
        return self._here.map(first, last)

    def reduce(self, algorithm: str, row: np.ndarray) -> np.ndarray:
        return self._here.reduce(algorithm, row)

    def finish(self, raw: dict[str, np.ndarray], normalized: dict[str, np.ndarray]) -> Decision:
        self.raw, self.normalized = raw, normalized
        total = sum(row.sum() for row in (*raw.values(), *normalized.values()))
        return Decision("bound", node="n", total=int(total), feasible=len(self.feasible))
