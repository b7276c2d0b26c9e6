"""`manage.py benchmark`: how many pods a second the engine schedules. Needs no database."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scheduler.management.benchmark import WORKLOADS, Size, StuckError, measure
from scheduler.management.benchmark.yardstick import REFERENCE_US


class Command(BaseCommand):
    help = "Time the whole engine with the default profile, in this process and without a database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--nodes", type=int, default=5000, metavar="N")
        parser.add_argument("--pods", type=int, default=1000, metavar="M", help="pods that wait")
        parser.add_argument("--workload", choices=WORKLOADS, default="simple")
        parser.add_argument(
            "--percentage", type=int, choices=(0, 100), default=100, help="of nodes to score; 0 is kube-scheduler's own"
        )
        parser.add_argument("--bound", type=int, default=0, metavar="B", help="pods that are on nodes already")
        parser.add_argument("-o", "--output", choices=("text", "json"), default="text")

    def handle(
        self, *, nodes: int, pods: int, workload: str, percentage: int, bound: int, output: str, **_: Any
    ) -> None:
        if nodes < 1 or pods < 1 or bound < 0:
            raise CommandError("at least one node and one pod, and no negative number")
        try:
            figures = asdict(measure(WORKLOADS[workload], Size(nodes, pods, bound), percentage))
        except StuckError as problem:
            raise CommandError(str(problem)) from problem
        inputs = {"workload": workload, "nodes": nodes, "pods": pods, "bound": bound, "percentage": percentage}
        self.stdout.write(json.dumps({**inputs, **figures}) if output == "json" else _text(inputs, figures))


def _text(inputs: dict[str, Any], figures: dict[str, float]) -> str:
    """With the rate that a machine with the reference yardstick would have."""
    scaled = figures["pods_per_second"] * figures["yardstick_us"] / REFERENCE_US
    lines = {**inputs, **figures, "pods_per_second at 30.7 µs": round(scaled, 1)}
    return "\n".join(f"{name:<26} {value}" for name, value in lines.items())
