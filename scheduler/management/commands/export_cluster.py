"""`manage.py export_cluster NAME`: the cluster's objects as one Kubernetes List on standard output."""

import os
import sys
from argparse import ArgumentParser
from typing import Any, TextIO, cast

from django.core.management.base import BaseCommand, CommandError

from scheduler.manifests.export import cluster_objects, write_json, write_yaml
from scheduler.models import Cluster


class Command(BaseCommand):
    help = "Print all objects of a cluster as Kubernetes would: a List in YAML or JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("-o", "--output", choices=("yaml", "json"), default="yaml")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            cluster = Cluster.objects.get(name=options["name"])
        except Cluster.DoesNotExist:
            raise CommandError(f"there is no cluster {options['name']}") from None
        write = write_json if options["output"] == "json" else write_yaml
        try:
            write(cluster_objects(cluster), cast("TextIO", self.stdout._out))
            self.stdout.flush()
        except BrokenPipeError:  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
