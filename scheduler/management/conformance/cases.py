"""From files to cases: what a file records, and which function answers it."""

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from scheduler.engine.config import InvalidConfiguration
from scheduler.engine.config.catalogue import FEATURE_GATES
from scheduler.engine.conformance import (
    comparable,
    run_adaptive_vector,
    run_cycle_vector,
    run_queue_vector,
    run_retry_vector,
    run_sequence_vector,
    run_united_deployment_vector,
)
from scheduler.management.conformance import quantities, tables
from scheduler.manifests.configuration import configuration_document

Data = dict[str, Any]
CYCLES = ("cycle", "preemption", "large", "volume")
INFORMATIVE = ("api_validation_errors",)  # about the API server, not the scheduler


@dataclass(frozen=True)
class Case:
    """One comparison. `run` gives what Podium says in the shape of `expected`; None: no such thing is modelled yet."""

    kind: str
    name: str
    expected: Any
    run: Callable[[], Any] | None


def files_under(path: Path) -> list[Path]:
    """The file itself, or every file below a folder that may hold vectors."""
    if path.is_file():
        return [path]
    return sorted(one for one in path.rglob("*") if one.is_file() and one.name.endswith((".json", ".json.gz")))


def cases_of(path: Path) -> Iterator[Case]:
    """The cases of one file. Raises ValueError where it is no JSON or nothing that is known here."""
    name = path.name.removesuffix(".gz").removesuffix(".json")
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    data = json.loads(raw, parse_float=str if name == "quantities" else None)
    if isinstance(data, list):
        yield from _rows(name, data)
    elif "op" in data:
        yield Case(f"ud-{path.parent.name}", name, comparable(data), partial(run_united_deployment_vector, data))
    elif "kind" in data:
        yield _vector(path.parent.name, name, data)
    elif "valid" in data and "about" in data:
        yield _configuration(name, data)
    else:
        yield from _mapping(name, data)


# --- vectors ----------------------------------------------------------------------------------------------------------


def _vector(folder: str, name: str, data: Data) -> Case:
    kind = folder if folder in CYCLES else data["kind"]
    if kind not in CYCLES:
        return Case(kind, name, data.get("expected"), _other_runner(kind, data))
    expected = {key: value for key, value in data["expected"].items() if key not in INFORMATIVE}
    return Case(kind, name, expected, partial(run_cycle_vector, data))


def _other_runner(kind: str, data: Data) -> Callable[[], Any] | None:
    if kind == "sequence" and (data.get("options") or {}).get("retry"):
        return partial(run_retry_vector, data)
    runner = {"adaptive": run_adaptive_vector, "queue": run_queue_vector, "sequence": run_sequence_vector}.get(kind)
    return runner and partial(runner, data)


def _configuration(name: str, data: Data) -> Case:
    keys = ("valid", "profiles", "effective", "errors") if data["valid"] else ("valid", "stage", "errors")
    expected = {key: data[key] for key in keys}
    if data.get("stage") in ("load", "panic"):
        del expected["errors"]  # the decoder's words are Go's own
    return Case("config", name, expected, partial(_read_configuration, name, data))


def _read_configuration(name: str, data: Data) -> Data:
    try:
        document = data["config"] if "config" in data else configuration_document(name, data.get("config_text", ""))
    except InvalidConfiguration as error:
        return tables.refused(error)
    return tables.configuration(document)


# --- tables -----------------------------------------------------------------------------------------------------------

_INPUTS: dict[str, tuple[str, Callable[[Data], Any], tuple[str, ...]]] = {
    "quantities": ("quantity", quantities.parsed, ("string", "json")),
    "arithmetic": ("quantity", quantities.arithmetic, ("a", "b")),
    "label_selectors": ("tables", tables.label_selector, ("selector", "text", "labels")),
    "node_selectors": ("tables", tables.node_selector, ("nodes", "node_affinity", "node_selector")),
    "num_feasible_nodes": ("tables", tables.feasible_nodes, ("nodes", "percentage")),
    "tolerations": ("tables", tables.tolerations, ("tolerations", "taints")),
}


def _rows(name: str, rows: list[Data]) -> Iterator[Case]:
    if name == "quantities":
        rows = [quantities.as_spelled(row) for row in rows]
    if name not in _INPUTS:
        raise ValueError("no table of a known name")
    kind, answer, inputs = _INPUTS[name]
    for number, row in enumerate(rows):
        left_out = inputs + (quantities.undefined(row) if name == "quantities" else ())
        yield Case(kind, f"{name}[{number}]", _without(row, left_out), partial(_answer, answer, row, left_out))


def _answer(answer: Callable[[Data], Data], row: Data, left_out: tuple[str, ...]) -> Data:
    return _without(answer(row), left_out)


def _without(row: Data, keys: tuple[str, ...]) -> Data:
    return {key: value for key, value in row.items() if key not in keys}


def _mapping(name: str, data: Data) -> Iterator[Case]:
    if name == "default_plugins":
        for point, expected in data.items():
            yield Case("tables", f"{name}.{point}", expected, partial(tables.default_plugins, point))
    elif name == "gates":
        for gate, expected in data.items():
            yield Case("tables", f"{name}.{gate}", expected, partial(FEATURE_GATES.get, gate))
    elif name == "go_log":
        for number, expected in enumerate(data["log"], data["first"]):
            yield Case("numeric", f"{name}[{number}]", expected, partial(tables.logarithm, number))
    elif name == "heap_order":
        for number, case in enumerate(data["cases"]):
            yield Case("numeric", f"{name}[{number}]", case["pop_order"], partial(tables.pop_order, case))
    else:
        raise ValueError("no vector and no table of a known name")
