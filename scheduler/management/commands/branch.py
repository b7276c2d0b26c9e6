"""`manage.py branch CLUSTER`: a new cluster that goes on from any event of another one."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scheduler.engine.errors import PodiumError
from scheduler.management.running import cluster_named
from scheduler.services import cluster_branch


class Command(BaseCommand):
    help = "Make a new cluster that is what another one was at an event, its log up to there included."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("cluster", help="the origin's name")
        parser.add_argument("--at", type=int, metavar="SEQ", help="event to branch from (default: the last one)")
        parser.add_argument("--name", default="", help="of the new cluster (default: ORIGIN-at-SEQ)")

    def handle(self, *args: Any, **options: Any) -> None:
        origin = cluster_named(options["cluster"])
        try:
            branch = cluster_branch(origin.pk, options["at"], options["name"])
        except PodiumError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Created cluster {branch.name}: {origin.name} as it was at event {branch.seq}.")
