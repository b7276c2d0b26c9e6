"""`manage.py step CLUSTER`: one cycle, phase or event at a time, as the buttons of the board do."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scheduler.engine.errors import PodiumError
from scheduler.management.running import cluster_named
from scheduler.services import cycle_step, cycle_step_phase, event_step


class Command(BaseCommand):
    help = "Step a cluster: a whole cycle, or with --by a phase of it, or the next event of any kind."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("cluster", help="the cluster's name")
        parser.add_argument("--by", choices=("cycle", "phase", "event"), default="cycle")
        parser.add_argument("-n", "--count", type=int, default=1, metavar="N", help="so many times (default 1)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["count"] < 1:
            raise CommandError(f"-n {options['count']}: step once at least.")
        cluster = cluster_named(options["cluster"])
        try:
            for _ in range(options["count"]):
                if not (line := _step(cluster.pk, options["by"])):
                    self.stdout.write("Nothing is left to step now.")
                    return
                self.stdout.write(line)
        except PodiumError as error:
            raise CommandError(str(error)) from None


def _step(cluster_id: int, by: str) -> str:
    """What was done, "" if nothing could be."""
    if by == "event":
        events = event_step(cluster_id).events
        return f"event {events[0].seq}: {events[0].kind}" if events else ""
    stepped = (cycle_step if by == "cycle" else cycle_step_phase)(cluster_id)
    if stepped is None:
        return ""
    if stepped.decision is None:
        return f"cycle {stepped.number}: {stepped.pod}: {stepped.phase}"
    ended = f"placed on {stepped.decision.node}" if stepped.decision.outcome == "bound" else stepped.decision.message
    return f"cycle {stepped.number}: {stepped.pod}: {ended}"
