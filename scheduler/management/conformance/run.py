"""Runs cases and keeps the score: per kind how many passed, failed or were left out, and why the failures failed."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from scheduler.management.conformance.cases import Case, cases_of, files_under
from scheduler.management.conformance.compare import first_difference


@dataclass
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0


@dataclass(frozen=True)
class Failure:
    """`file` and, in a table, the row; `difference`: the first one."""

    kind: str
    name: str
    file: str
    difference: str


@dataclass
class Report:
    kinds: dict[str, Tally] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    @property
    def passed(self) -> int:
        return sum(tally.passed for tally in self.kinds.values())

    @property
    def failed(self) -> int:
        return sum(tally.failed for tally in self.kinds.values())

    @property
    def skipped(self) -> int:
        return sum(tally.skipped for tally in self.kinds.values())

    def tally(self, kind: str) -> Tally:
        return self.kinds.setdefault(kind, Tally())

    def as_data(self) -> dict[str, Any]:
        kinds = {kind: asdict(tally) for kind, tally in sorted(self.kinds.items())}
        failures = [asdict(failure) for failure in self.failures]
        return {"passed": self.passed, "failed": self.failed, "skipped": self.skipped, "kinds": kinds} | {
            "failures": failures
        }


def run(paths: list[Path]) -> Iterator[Report]:
    """The same, growing report after each file: the last one is the result."""
    report = Report()
    for file in (file for path in paths for file in files_under(path)):
        _run_file(file, report)
        yield report


def _run_file(file: Path, report: Report) -> None:
    try:
        for case in cases_of(file):
            _run_case(case, file, report)
    except (ValueError, KeyError, TypeError, OSError, EOFError) as error:
        report.tally("unreadable").failed += 1
        report.failures.append(Failure("unreadable", file.name, str(file), f"{type(error).__name__}: {error}"))


def _run_case(case: Case, file: Path, report: Report) -> None:
    tally = report.tally(case.kind)
    if case.run is None:
        tally.skipped += 1
        return
    try:
        difference = first_difference(case.expected, case.run())
    except Exception as error:  # a crash of the engine is a failure of this case, not of the run
        difference = f"crashed with {type(error).__name__}: {error}"
    if difference:
        tally.failed += 1
        report.failures.append(Failure(case.kind, case.name, str(file), difference))
    else:
        tally.passed += 1
