"""`manage.py import_cluster NAME -f FILE…`: a new cluster from the files of a real one."""

import json
import sys
from argparse import ArgumentParser
from typing import Any, NoReturn

from django.core.management.base import BaseCommand

from scheduler.engine.errors import PodiumError
from scheduler.engine.words import count
from scheduler.management.progress import told_on
from scheduler.manifests.faults import FileError
from scheduler.manifests.kinds import KUBECTL
from scheduler.manifests.limits import DEFAULT
from scheduler.manifests.report import Report
from scheduler.manifests.sources import sources_of
from scheduler.services.imports import Imported, cluster_import

INTERRUPTED = 130
EXAMPLE = f"To get such a file from a cluster: {KUBECTL}"


class Command(BaseCommand):
    help = f"Create a cluster from Kubernetes files (YAML or JSON, gzip or not). {EXAMPLE}"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="name of the new cluster")
        parser.add_argument(
            "-f", "--filename", nargs="+", action="extend", required=True, metavar="FILE",
            help="files and directories; - is standard input",
        )  # fmt: skip
        parser.add_argument("--skip-invalid", action="store_true", help="leave out what is wrong and take the rest")
        parser.add_argument("--replace", action="store_true", help="take the place of a cluster of this name")
        parser.add_argument("-o", "--output", choices=("text", "json"), default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with told_on(self.stderr) as progress:
                imported = cluster_import(
                    options["name"],
                    sources_of(options["filename"], DEFAULT),
                    skip_invalid=options["skip_invalid"],
                    replace=options["replace"],
                    progress=progress,
                )
        except FileError as error:
            self._stop(str(error))
        except PodiumError as error:
            self._stop(f"error: {error}")
        except KeyboardInterrupt:
            self._stop("Stopped. Nothing was stored.", INTERRUPTED)
        self._tell(imported, options["output"])
        if imported.cluster is None:
            sys.exit(1)

    def _stop(self, line: str, code: int = 1) -> NoReturn:
        self.stderr.write(line)
        sys.exit(code)

    def _tell(self, imported: Imported, output: str) -> None:
        for fault in imported.report.faults:
            self.stderr.write(str(fault))
        if untold := imported.report.faults.untold:
            self.stderr.write(f"error: and {untold:,} more")
        if output == "json":
            name = imported.cluster.name if imported.cluster else None
            self.stdout.write(json.dumps({"cluster": name, **imported.report.as_json()}, indent=2))
            return
        for line in summary(imported.report):
            self.stdout.write(line)
        self.stdout.write(outcome(imported))


def summary(report: Report) -> list[str]:
    """The table of kinds, why some were ignored, and the warnings."""
    rows = [*sorted(report.kinds.items()), ("all", report.total)]
    width = max(len("kind"), *(len(kind) for kind, _ in rows))
    lines = [f"{'kind':<{width}}  {'found':>8}  {'taken':>8}  {'ignored':>8}  {'wrong':>8}"]
    for kind, one in rows:
        lines.append(f"{kind:<{width}}  {one.found:>8,}  {one.taken:>8,}  {one.ignored:>8,}  {one.wrong:>8,}")
    lines += [f"ignored: {number:,} {what}: {why}" for (what, why), number in sorted(report.ignored.items())]
    return lines + [f"warning: {notice}" for notice in report.warnings]


def outcome(imported: Imported) -> str:
    report = imported.report
    if imported.cluster is not None:
        left_out = f" {count(report.total.wrong, 'wrong one was', 'wrong ones were')} left out."
        taken = f"Imported {count(report.total.taken, 'object')} as cluster {imported.cluster.name}."
        return taken + (left_out if report.faults else "")
    if report.faults and report.total.taken:
        return f"Nothing was stored. To take the {count(report.total.taken, 'valid object')}, add --skip-invalid."
    return "Nothing was stored: there is no valid object."
