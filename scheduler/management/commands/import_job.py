"""`manage.py import_job ID`: does one import that was asked for on the page; the worker starts it."""

import ctypes
import os
import signal
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scheduler.services.import_jobs import job_run

NICE = 5
_PR_SET_PDEATHSIG = 1


class Command(BaseCommand):
    help = "Do an import that was asked for on the import page. The worker starts this by itself."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("job", type=int, help="number of the job")

    def handle(self, *, job: int, **options: Any) -> None:
        """Steps that somebody waits for come first. Without its worker it ends: another one will begin anew."""
        os.nice(NICE)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        job_run(job)
