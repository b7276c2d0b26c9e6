"""`manage.py undo CLUSTER`: take back the last thing that happened, or go back to an event."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scheduler.engine.errors import PodiumError
from scheduler.management.running import cluster_named
from scheduler.services import cluster_reset, undo, undoable


class Command(BaseCommand):
    help = "Take back the last action: a cycle, a change of an object, a flush. The log keeps what was."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("cluster", help="the cluster's name")
        parser.add_argument("--to", type=int, metavar="SEQ", help="go back to this event instead")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be undone")

    def handle(self, *args: Any, **options: Any) -> None:
        cluster = cluster_named(options["cluster"])
        try:
            self.stdout.write(_undone(cluster.pk, options["to"], options["dry_run"]))
        except PodiumError as error:
            raise CommandError(str(error)) from None


def _undone(cluster_id: int, to_seq: int | None, dry_run: bool) -> str:
    if dry_run:
        found = undoable(cluster_id)
        return f"Would undo {found.text}, back to event {to_seq or found.to_seq}."
    if to_seq is not None:
        cluster_reset(cluster_id, to_seq)
        return f"The cluster is again as it was at event {to_seq}."
    found, _ = undo(cluster_id)
    return f"Undone: {found.text}. The cluster is again as it was at event {found.to_seq}."
