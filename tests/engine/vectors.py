"""Reads the reference vectors under tests/vectors: inputs and outcomes of the real kube-scheduler v1.34.1."""

import gzip
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent / "vectors"


@dataclass
class Vector:
    path: Path

    @property
    def name(self) -> str:
        return self.path.name.removesuffix(".gz").removesuffix(".json")

    @cached_property
    def data(self) -> Any:
        return read(self.path)

    @property
    def objects(self) -> list[dict[str, Any]]:
        return self.data["objects"]

    @property
    def config(self) -> dict[str, Any] | None:
        return self.data["config"]

    @property
    def expected(self) -> dict[str, Any]:
        return self.data["expected"]


def read(path: Path) -> Any:
    if path.suffix == ".gz":
        return json.loads(gzip.decompress(path.read_bytes()))
    return json.loads(path.read_bytes())


def load(kind: str, group: str = "kube-scheduler") -> list[Vector]:
    """All vectors of a folder (`cycle`, `queue`, …) in order of their names; files are read on first use."""
    vectors = sorted((ROOT / group / kind).glob("*.json*"), key=lambda path: path.name)
    assert vectors, f"no vectors of kind {kind}"
    return [Vector(path) for path in vectors]


def params(kind: str, group: str = "kube-scheduler") -> list[Any]:
    """The same, for `pytest.mark.parametrize`, with the vectors' names as ids."""
    return [pytest.param(vector, id=vector.name) for vector in load(kind, group)]


def rows(kind: str, name: str) -> list[dict[str, Any]]:
    """The rows of a table file, e.g. `rows("tables", "tolerations")`."""
    return read(ROOT / "kube-scheduler" / kind / f"{name}.json")
