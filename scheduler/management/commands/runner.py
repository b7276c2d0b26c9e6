"""`manage.py runner`: drives running clusters; any number may run, on any machine that reaches the database."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand

from scheduler.runner import Runner
from scheduler.services.import_jobs import sweep_until


class Command(BaseCommand):
    help = "Drive the clusters that are running."
    requires_system_checks: list[str] = []

    def handle(self, **options: Any) -> None:
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        threading.Thread(target=sweep_until, args=[stop], name="sweep-jobs", daemon=True).start()
        Runner(stop).run()
