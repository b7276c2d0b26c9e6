"""`manage.py export_cluster NAME`: the cluster's objects as one Kubernetes List on standard output."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, TextIO, cast

from django.core.management.base import BaseCommand, CommandError

from scheduler.management.running import cluster_named
from scheduler.manifests.export import cluster_objects, write_json, write_yaml
from scheduler.models import Cluster
from scheduler.services.past import objects_at

EXAMPLE = "For instance, what demo held at event 120: manage.py export_cluster demo --at 120 > demo-event-120.yaml"


class Command(BaseCommand):
    help = f"Print all objects of a cluster as Kubernetes would: a List in YAML or JSON. {EXAMPLE}"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("-o", "--output", choices=("yaml", "json"), default="yaml")
        parser.add_argument("--at", type=int, metavar="SEQ", help="as it was at this event of its log (default: now)")

    def handle(self, *args: Any, **options: Any) -> None:
        objects = _objects(cluster_named(options["name"]), options["at"])
        write = write_json if options["output"] == "json" else write_yaml
        try:
            write(objects, cast("TextIO", self.stdout._out))
            self.stdout.flush()
        except BrokenPipeError:  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _objects(cluster: Cluster, at: int | None) -> Iterator[dict[str, Any]]:
    if at is None:
        return cluster_objects(cluster)
    if not 0 < at <= cluster.seq:
        raise CommandError(f"{cluster.name} has no event {at}: its log has the events 1 to {cluster.seq}.")
    return objects_at(cluster.pk, at)
