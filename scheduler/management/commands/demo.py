"""`manage.py demo`: create the demo cluster."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scheduler.engine.errors import PodiumError
from scheduler.manifests.demo import DEMO_NAME, ROLLOUT_NAME
from scheduler.services.imports import demo_create, rollout_create


class Command(BaseCommand):
    help = "Create the demo cluster: sixty nodes, four hundred pods, and some that wait, each to teach one thing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help=f"{DEMO_NAME}, or {ROLLOUT_NAME} with --rollout")
        parser.add_argument("--rollout", action="store_true", help="the small one in which controllers make the pods")
        parser.add_argument("--replace", action="store_true", help="take the place of a cluster of this name")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            create, name = (rollout_create, ROLLOUT_NAME) if options["rollout"] else (demo_create, DEMO_NAME)
            cluster = create(options["name"] or name, replace=options["replace"])
        except PodiumError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Created cluster {cluster.name}.")
