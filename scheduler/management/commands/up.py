"""`manage.py up`, behind `make run`: everything Podium consists of, in one terminal, until Ctrl-C."""

import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from scheduler.management import bootstrap, plugin_files, preflight
from scheduler.management.embedded import clear_stale_socket, embedded_socket, server_command, wait_for_redis
from scheduler.management.errors import StartError
from scheduler.management.supervisor import Child, Supervisor
from scheduler.management.web_client import displayed, status_of
from scheduler.management.welcome import welcome

TEND_SECONDS = 0.25
REDIS_SECONDS = 10.0
WEB_SECONDS = 60.0
NICENESS = 5  # whoever looks at the board goes first: on few cores a run would make its browser stutter


class Command(BaseCommand):
    help = "Start Podium: database, broker, worker, runner and web server."
    requires_system_checks: list[str] = []

    def handle(self, **options: Any) -> None:
        self.began = time.monotonic()
        self.stopping = threading.Event()
        self.supervisor = Supervisor(self.say)
        try:
            self.start()
            while not self.stopping.wait(TEND_SECONDS):
                self.supervisor.tend()
        except StartError as fault:
            self.stderr.write(f"error: {fault}", self.style.ERROR)
            sys.exit(1)
        finally:
            self.supervisor.stop()
        self.say("Stopped.")

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def start(self) -> None:
        """Cheap checks first, then the slow things side by side."""
        self.lock = preflight.lock_data_directory(settings.DATA_DIR)
        # Kept open here: while the web server is started again, browsers wait instead of being refused.
        self.listener = listener = preflight.listen(settings.HOST, settings.PORT)
        address = f"http://{displayed(settings.HOST)}:{settings.PORT}/"
        preflight.sign_lock(self.lock, address)
        preflight.check_database()
        for line in plugin_files.warnings():
            self.say(line)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.stop)
        os.nice(NICENESS)
        self.start_redis()
        self.start_child("worker", grace=10)
        with ThreadPoolExecutor(1) as aside:
            gathered = aside.submit(bootstrap.collect_static, self.say)
            bootstrap.migrate()
            password = bootstrap.first_start(self.say)
            self.start_child("runner")
            gathered.result()
        self.start_child("web", f"--fd={listener.fileno()}", fds=[listener.fileno()])
        if self.wait_for_web():
            for line in welcome(address, password, time.monotonic() - self.began):
                self.say(line)

    def start_redis(self) -> None:
        if not settings.REDIS_EMBEDDED:
            preflight.check_redis()
            return
        path = embedded_socket()
        self.supervisor.start(
            Child("redis", server_command(path), before=partial(clear_stale_socket, path), serves=True)
        )
        if fault := wait_for_redis(settings.REDIS_URL, REDIS_SECONDS):
            raise StartError(f"The embedded Redis-compatible server does not answer on {path}: {fault}.")

    def start_child(self, name: str, *arguments: str, grace: float = 5, fds: Sequence[int] = ()) -> None:
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), name, *arguments]
        self.supervisor.start(Child(name, command, grace, fds))

    def wait_for_web(self) -> bool:
        """Until the web answers, or somebody wants to stop."""
        deadline = time.monotonic() + WEB_SECONDS
        while not self.stopping.wait(0.05):
            self.supervisor.tend()
            if status := status_of(settings.HOST, settings.PORT):
                if status >= 500:
                    self.say(f"The web server answers with an error ({status}); its messages are above.")
                return True
            if time.monotonic() > deadline:
                raise StartError(f"The web server did not answer within {WEB_SECONDS:g} s; its messages are above.")
        return False

    def stop(self, number: int, frame: FrameType | None) -> None:
        """The first signal ends everything in order, a second one at once."""
        if self.stopping.is_set():
            self.supervisor.kill()
            return
        self.stopping.set()
