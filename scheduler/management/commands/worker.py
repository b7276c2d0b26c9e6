"""`manage.py worker`: one Celery worker, as `up` runs it; any number may run, on any machine."""

import os
import warnings
from typing import Any

from celery.exceptions import CPendingDeprecationWarning
from celery.platforms import SecurityWarning
from django.core.management.base import BaseCommand, CommandParser

from config.celery import app


class Command(BaseCommand):
    help = "Run map and reduce tasks, and background jobs."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--concurrency", type=int, default=2, help="processes (default 2)")
        parser.add_argument("--name", default="w", help="name shown with its tasks (default w)")

    def handle(self, *, concurrency: int, name: str, **options: Any) -> None:
        # A job that outlives its connection may finish: a second delivery finds it done.
        warnings.simplefilter("ignore", CPendingDeprecationWarning)
        # Tasks carry JSON only, so running as root is not the danger that Celery warns of.
        warnings.simplefilter("ignore", SecurityWarning)
        # Django's checks would import every page of the dashboard; `up` and the tests have run them.
        os.environ.setdefault("CELERY_SKIP_CHECKS", "true")
        app.worker_main(
            [
                "--quiet",
                "worker",
                f"--concurrency={concurrency}",
                f"--hostname={name}@%h",
                "--loglevel=WARNING",
                "--without-gossip",
                "--without-mingle",
                "--without-heartbeat",
            ]
        )
