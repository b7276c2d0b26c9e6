"""`manage.py conformance PATH…`: does Podium decide as the real code did? Needs no database."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scheduler.engine.words import count
from scheduler.management.conformance.run import Report, run

PROGRESS_EVERY = 100


class Command(BaseCommand):
    help = "Run recordings of real Kubernetes code (vectors) through Podium and compare every value."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a vector, a table or a folder")
        parser.add_argument("-o", "--output", choices=("table", "json"), default="table")

    def handle(self, *, paths: list[Path], output: str, **options: Any) -> None:
        if missing := [str(path) for path in paths if not path.exists()]:
            raise CommandError(f"no such file or folder: {', '.join(missing)}")
        report = self._run(paths)
        if output == "json":
            self.stdout.write(json.dumps(report.as_data(), indent=2, ensure_ascii=False))
        else:
            self._write_table(report)
        if report.failed or not report.passed:
            raise SystemExit(1)

    def _run(self, paths: list[Path]) -> Report:
        report, files = Report(), 0
        for files, report in enumerate(run(paths), 1):
            if files % PROGRESS_EVERY == 0 and self.stderr.isatty():
                self.stderr.write(f"{count(files, 'file')}, {report.failed} failed so far")
        if not files:
            raise CommandError("there is no .json or .json.gz file there")
        return report

    def _write_table(self, report: Report) -> None:
        for failure in report.failures:
            self.stdout.write(f"{failure.kind} {failure.name}: {failure.difference}\n  {failure.file}")
        if report.failures:
            self.stdout.write("")
        self.stdout.write(f"{'kind':<16}{'passed':>8}{'failed':>8}{'skipped':>9}")
        for kind, tally in sorted(report.kinds.items()):
            self.stdout.write(f"{kind:<16}{tally.passed:>8}{tally.failed:>8}{tally.skipped:>9}")
        if report.skipped:
            self.stdout.write("Skipped: what this command cannot replay yet.")
        self.stdout.write(f"{report.passed} passed, {report.failed} failed")
