"""`manage.py demo`: create the demo cluster."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scheduler.engine.errors import PodiumError
from scheduler.manifests.demo import DEMO_NAME
from scheduler.services.imports import demo_create


class Command(BaseCommand):
    help = "Create the demo cluster: sixty nodes, four hundred pods, and some that wait, each to teach one thing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default=DEMO_NAME)
        parser.add_argument("--replace", action="store_true", help="take the place of a cluster of this name")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            cluster = demo_create(options["name"], replace=options["replace"])
        except PodiumError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Created cluster {cluster.name}.")
