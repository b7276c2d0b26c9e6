"""`manage.py up` as a user runs it: what it starts, how it ends, and one clear line for everything that prevents it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import closing
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.services import ROOT, wait_until

PATIENCE_SECONDS = 90


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return server.getsockname()[1]


def environment(home: Path, **changes: str) -> dict[str, str]:
    cleared = {key: value for key, value in os.environ.items() if key not in ("REDIS_URL", "DATABASE_URL", "HOST")}
    return {**cleared, "PODIUM_HOME": str(home), "PORT": str(free_port()), **changes}


class Up:
    """A started `manage.py up` and what it has printed."""

    def __init__(self, home: Path, **changes: str) -> None:
        self.env = environment(home, **changes)
        self.lines: list[str] = []
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as stream:
            self.lines.extend(stream)

    @property
    def text(self) -> str:
        return "".join(self.lines)

    def wait_until_ready(self) -> "Up":
        wait_until(lambda: "Podium is ready" in self.text or self.process.poll() is not None, PATIENCE_SECONDS)
        assert "Podium is ready" in self.text, self.text
        self.seconds = time.monotonic() - self.began
        return self

    def get(self, path: str) -> int:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.env['PORT']}{path}", timeout=20) as answer:
            return answer.status

    def descendants(self) -> dict[int, str]:
        """Every process below this one, with its command line."""
        found, parents = {}, [self.process.pid]
        while parents:
            for task in Path(f"/proc/{parents.pop()}/task").glob("*/children"):
                for pid in map(int, task.read_text().split()):
                    found[pid] = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
                    parents.append(pid)
        return found

    def child(self, name: str) -> int | None:
        """The pid of one of the four children, None while it does not run."""
        own = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return next((int(pid) for pid in own if name in Path(f"/proc/{pid}/cmdline").read_text()), None)

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(30)


def gone(pids) -> bool:
    return not any(Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_text() for pid in pids)


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture(scope="session")
def gathered(tmp_path_factory) -> Path:
    """The static files, gathered once: five seconds of work."""
    home = tmp_path_factory.mktemp("gathered")
    code = "import django; django.setup(); from scheduler.management.bootstrap import collect_static as c; c(print)"
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment(home, **settings), check=True)
    return home / "static"


@pytest.fixture
def up(home, gathered):
    started = []
    home.mkdir()
    shutil.copytree(gathered, home / "static", copy_function=os.link)

    def start(**changes: str) -> Up:
        started.append(Up(home, **changes))
        return started[-1]

    yield start
    for one in started:
        one.stop(signal.SIGTERM)
        print(one.text)  # shown for a test that failed


def refused(home: Path, **changes: str) -> str:
    """The one line that a start which cannot be says; exit code 1, no traceback, no password."""
    done = subprocess.run(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        env=environment(home, **changes),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    lines = (done.stdout + done.stderr).strip().splitlines()
    assert done.returncode == 1
    assert len(lines) == 1, lines
    assert "hunter2" not in lines[0]
    return lines[0]


@pytest.mark.services
def test_up_starts_everything_and_stops_it_without_orphans(up, home):
    shutil.rmtree(home / "static")
    first = up().wait_until_ready()
    assert first.get("/login/") == 200
    password = next(line.split()[-1] for line in first.lines if " admin  " in line)
    assert len(password) >= 12
    names = " ".join(first.descendants().values())
    assert all(part in names for part in ("valkey-server", "manage.py worker", "manage.py runner", "manage.py web"))
    pids = list(first.descendants())
    assert first.stop(signal.SIGINT) == 0
    wait_until(lambda: gone(pids), 5)
    assert "Stopped." in first.text
    assert "Traceback" not in first.text

    second = up().wait_until_ready()
    assert " admin  " not in second.text
    assert "First start" not in second.text
    assert "Gathering" not in second.text
    assert second.seconds < 20  # 3 s on a machine that does nothing else
    assert second.stop(signal.SIGTERM) == 0


class Browser:
    """A logged-in user who speaks HTTP."""

    def __init__(self, up: Up, password: str) -> None:
        self.root = f"http://127.0.0.1:{up.env['PORT']}"
        self.jar = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.opener.open(f"{self.root}/login/", timeout=20).read()
        form = {"username": "admin", "password": password, "csrfmiddlewaretoken": self.token}
        self.opener.open(f"{self.root}/login/", urlencode(form).encode(), timeout=20).read()

    @property
    def token(self) -> str:
        return next(cookie.value for cookie in self.jar if cookie.name == "csrftoken")

    def command(self, **order) -> dict:
        headers = {"Content-Type": "application/json", "X-CSRFToken": self.token}
        request = urllib.request.Request(f"{self.root}/c/demo/commands/", json.dumps(order).encode(), headers)
        return json.load(self.opener.open(request, timeout=30))

    def cluster(self) -> dict:
        return json.load(self.opener.open(f"{self.root}/c/demo/state.json", timeout=30))["cluster"]


@pytest.mark.services
def test_a_pod_is_stepped_through_the_workers_and_the_rest_is_run(up):
    browser = Browser(up(PODIUM_ADMIN_PASSWORD="correct horse battery").wait_until_ready(), "correct horse battery")
    stepped = browser.command(command="step")
    assert stepped["ok"]
    assert stepped["cycle"] == 1
    assert browser.cluster()["executor"] == "celery"
    browser.command(command="run", speed=0)
    wait_until(lambda: browser.cluster()["wanted_reason"].startswith("Nothing left to do: "), 60)
    assert browser.cluster()["seq"] > stepped["seq"]


@pytest.mark.services
def test_a_child_that_dies_is_started_again_and_nothing_survives_a_kill(up):
    running = up(PODIUM_ADMIN_PASSWORD="correct horse battery").wait_until_ready()
    assert "correct horse" not in running.text
    for count, name in enumerate(("web", "valkey-server", "worker"), start=1):
        before = running.child(name)
        os.kill(before, signal.SIGKILL)
        wait_until(lambda: running.text.count("(signal SIGKILL); starting it again in 1 s") == count)  # noqa: B023
        wait_until(lambda: running.child(name) not in (None, before))  # noqa: B023
    assert running.get("/login/") == 200
    pids = list(running.descendants())
    running.process.kill()
    running.process.wait()
    wait_until(lambda: gone(pids), 5)
    again = up().wait_until_ready()
    assert again.get("/login/") == 200


@pytest.mark.services
def test_a_second_up_on_the_same_data_is_refused(up, home):
    running = up().wait_until_ready()
    line = refused(home)
    assert line.startswith("error: Podium already runs on ")
    assert f"process {running.process.pid}" in line


@pytest.mark.services
def test_another_host_is_told_what_it_means(up):
    running = up(HOST="0.0.0.0").wait_until_ready()
    assert "other machines can reach this. Everything needs a login" in running.text


def test_a_port_in_use_is_one_line(home):
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = other.getsockname()[1]
        assert refused(home, PORT=str(port)).startswith(f"error: Port {port} on 127.0.0.1 is in use.")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param(
            {"REDIS_URL": "redis://:hunter2@127.0.0.1:1/0"},
            "error: REDIS_URL: no answer from redis://:***@127.0.0.1:1/0: ",
            id="redis away",
        ),
        pytest.param(
            {"REDIS_URL": "http://127.0.0.1"}, "error: REDIS_URL='http://127.0.0.1' must begin", id="no redis URL"
        ),
        pytest.param({"REDIS_URL": "redis://127.0.0.1:port"}, "error: REDIS_URL", id="bad redis port"),
        pytest.param(
            {"DATABASE_URL": "postgresql://me:hunter2@127.0.0.1:1/podium"},
            "error: DATABASE_URL: the database cannot be opened: ",
            id="database away",
        ),
        pytest.param({"DATABASE_URL": "sqlite:////no/such/folder/x.sqlite3"}, "error: DATABASE_URL: ", id="no folder"),
        pytest.param({"DATABASE_URL": "mysql://x/y"}, "error: DATABASE_URL must begin with", id="unknown database"),
        pytest.param({"PORT": "eighty"}, "error: PORT='eighty' is not a whole number.", id="port is no number"),
        pytest.param({"PORT": "70000"}, "error: PORT=70000 must lie between", id="port too high"),
        pytest.param(
            {"HOST": "no.such.host.invalid"}, "error: HOST=no.such.host.invalid is not an address", id="no such host"
        ),
        pytest.param({"HOST": "192.0.2.1"}, "error: Cannot listen on 192.0.2.1 port ", id="address of another machine"),
    ],
)
def test_what_prevents_a_start_is_one_line(home, changes, expected):
    assert refused(home, **changes).startswith(expected)


def test_a_data_directory_with_too_long_a_name_is_one_line(tmp_path):
    line = refused(tmp_path / ("x" * 100))
    assert "too long a name for a Unix socket" in line


def test_a_data_directory_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "file").touch()
    assert refused(tmp_path / "file" / "home").startswith("error: PODIUM_HOME")
