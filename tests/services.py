"""Fixtures with the real things: the embedded Redis-compatible server, and Celery worker processes that serve it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from kombu import pools

from config.celery import app
from config.env import broker_url
from scheduler.execution import exchange, pacemaker, precedence, redis
from scheduler.execution.presence import alive
from scheduler.management.embedded import server_command, wait_for_redis
from scheduler.services import news

ROOT = Path(__file__).parents[1]
PATIENCE_SECONDS = 30


@pytest.fixture(scope="session")
def redis_socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A server of this test run alone, on a Unix socket."""
    socket = tmp_path_factory.mktemp("valkey") / "s.sock"
    with subprocess.Popen(server_command(socket), stdout=subprocess.DEVNULL) as server:
        assert not wait_for_redis(f"unix://{socket}", PATIENCE_SECONDS)
        yield socket
        server.terminate()


@pytest.fixture
def redis_url(redis_socket: Path, settings) -> Iterator[str]:
    """The address of an empty server, which Django and Celery use for the length of a test."""
    url = f"unix://{redis_socket}"
    with using_redis(url, settings):
        redis.client().flushall()
        yield url


@pytest.fixture
def no_redis(tmp_path: Path, settings) -> Iterator[None]:
    """Nobody answers at the server's address."""
    with using_redis(f"unix://{tmp_path}/nobody.sock", settings):
        yield


class using_redis:  # noqa: N801 - a context manager reads as a verb
    """Point Django's and Celery's connections of this process to `url`, and back."""

    def __init__(self, url: str, settings) -> None:
        self.url, self.settings, self.before = url, settings, django_settings.REDIS_URL

    def __enter__(self) -> None:
        self._point(self.url)

    def __exit__(self, *_: object) -> None:
        redis.client().connection_pool.disconnect()
        pools.reset()
        self._point(self.before)

    def _point(self, url: str) -> None:
        self.settings.REDIS_URL = url
        self.settings.CHANNEL_LAYERS = layers_at(url)
        news._silent_until = pacemaker._silent_until = precedence._silent_until = 0.0
        app.conf.broker_url = broker_url(url)
        app._pool = app.amqp._producer_pool = None
        redis.client.cache_clear()
        exchange._deposit.cache_clear()


def layers_at(url: str) -> dict:
    default = django_settings.CHANNEL_LAYERS["default"]
    hosts = [{**host, "address": url} for host in default["CONFIG"]["hosts"]]
    return {"default": {**default, "CONFIG": {**default["CONFIG"], "hosts": hosts}}}


class Worker:
    """A real worker process, `manage.py worker`, in a process group of its own."""

    def __init__(self, url: str, home: Path, concurrency: int = 2) -> None:
        environment = {
            **os.environ,
            "REDIS_URL": url,
            "PODIUM_HOME": str(home),
            "SECRET_KEY": django_settings.SECRET_KEY,
        }
        command = [sys.executable, "manage.py", "worker", f"--concurrency={concurrency}"]
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)

    def wait_until_ready(self) -> "Worker":
        wait_until(lambda: alive("worker") is True or self.process.poll() is not None)
        assert self.process.poll() is None, "the worker ended at once"
        return self

    def children(self) -> list[int]:
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in listed.split()]

    def send(self, number: signal.Signals) -> None:
        """To the worker and its processes alike."""
        os.killpg(self.process.pid, number)

    def end(self) -> None:
        if self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.send(signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def start_worker(redis_url: str, tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    workers: list[Worker] = []

    def start(concurrency: int = 2) -> Worker:
        workers.append(Worker(redis_url, tmp_path, concurrency))
        return workers[-1].wait_until_ready()

    yield start
    for worker in workers:
        worker.end()


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
