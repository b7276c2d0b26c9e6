"""`manage.py scenario CLUSTER -f FILE`: plan what is to happen to a cluster; its runs play it."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scheduler.engine.errors import PodiumError
from scheduler.engine.words import count
from scheduler.management.running import cluster_named
from scheduler.manifests.scenario import ScenarioError, ScenarioFile, read_scenario
from scheduler.services import scenario_cancel, scenario_load


class Command(BaseCommand):
    help = "Load a scenario file into a cluster: see docs/scenarios.md for what it may hold."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("cluster", help="the cluster's name")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("-f", "--filename", type=Path, metavar="FILE")
        what.add_argument("--cancel", action="store_true", help="forget the steps that were not played yet")

    def handle(self, *args: Any, **options: Any) -> None:
        cluster = cluster_named(options["cluster"])
        try:
            if options["cancel"]:
                scenario_cancel(cluster.pk)
                self.stdout.write("The steps to come are cancelled.")
                return
            file = scenario_of(options["filename"])
            committed = scenario_load(cluster.pk, file)
        except ScenarioError as error:
            for fault in error.faults:
                self.stderr.write(str(fault))
            sys.exit(1)
        except PodiumError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Planned {count(len(file.steps), 'step')} of {file.name} with event {committed.last_seq}.")


def scenario_of(path: Path) -> ScenarioFile:
    """Raises ScenarioError, and CommandError for a file that cannot be read."""
    try:
        return read_scenario(str(path), path.read_text("utf-8-sig"))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise CommandError(f"{path}: not UTF-8 text") from None
