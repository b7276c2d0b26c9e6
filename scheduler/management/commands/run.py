"""`manage.py run CLUSTER`: let a cluster run until a condition comes true, and say what stopped it."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scheduler.engine import until
from scheduler.engine.errors import PodiumError
from scheduler.engine.simulation.clock import to_rfc3339
from scheduler.management.running import cluster_named, wait_until_paused
from scheduler.services import run_pause, run_start

INTERRUPTED = 130


class Command(BaseCommand):
    help = "Run a cluster until a condition comes true. Without a runner process it is driven right here."
    requires_system_checks: list[str] = []

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> Any:
        lesson = (until.__doc__ or "").partition("\n\n")[2]
        options |= {"formatter_class": RawDescriptionHelpFormatter, "epilog": f"conditions:\n{lesson}"}
        return super().create_parser(prog_name, subcommand, **options)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("cluster", help="the cluster's name")
        parser.add_argument(
            "--until",
            action="append",
            default=[],
            metavar="CONDITION",
            help="stop when this comes true; may be repeated",
        )
        parser.add_argument("--max-cycles", type=int, metavar="N", help="stop after N cycles in any case")
        parser.add_argument(
            "--speed", type=float, default=0, metavar="X", help="virtual seconds a real second; 0 is flat out (default)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        cluster = cluster_named(options["cluster"])
        if (most := options["max_cycles"]) is not None:
            options["until"].append(f"cycle=+{most}")
        try:
            run_start(cluster.pk, options["speed"], ",".join(options["until"]))
            cluster = wait_until_paused(cluster.pk)
        except PodiumError as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            run_pause(cluster.pk)
            self.stderr.write("Paused.")
            sys.exit(INTERRUPTED)
        self.stdout.write(cluster.wanted_reason or "Paused by somebody.")
        self.stdout.write(f"{cluster.name}: event {cluster.seq}, cycle {cluster.cycle}, {to_rfc3339(cluster.now_us)}.")
