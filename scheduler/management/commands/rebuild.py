"""`manage.py rebuild CLUSTER`: make the tables from the log, or check that they are what it says."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scheduler.engine.words import count
from scheduler.models import Cluster
from scheduler.services.projection import differences, rebuild

SHOWN = 20


class Command(BaseCommand):
    requires_system_checks = []
    help = "Rebuild a cluster's tables (nodes, pods, queue entries, …) from its log of events."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("cluster", help="the cluster's name")
        parser.add_argument(
            "--check", action="store_true", help="change nothing; exit 1 if the tables differ from the log"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        cluster = Cluster.objects.filter(name=options["cluster"]).first()
        if cluster is None:
            names = ", ".join(Cluster.objects.values_list("name", flat=True)[:SHOWN]) or "none"
            raise CommandError(f"There is no cluster {options['cluster']}. Clusters: {names}.")
        if options["check"]:
            self._check(cluster)
        else:
            self.stdout.write(f"Rebuilt the tables of {cluster} at event {rebuild(cluster.pk)}.")

    def _check(self, cluster: Cluster) -> None:
        found = differences(cluster.pk)
        for line in found[:SHOWN]:
            self.stdout.write(line)
        if found:
            rows = count(len(found), "row differs", "rows differ")
            raise CommandError(f"{rows} from the log. Run: manage.py rebuild {cluster}")
        self.stdout.write(f"The tables of {cluster} are what its log says, up to event {cluster.seq}.")
