"""The embedded server's socket, and children that will not stay alive."""

import subprocess
import sys
import time

import pytest

from scheduler.management import supervisor
from scheduler.management.embedded import clear_stale_socket, redis_fault, server_command, wait_for_redis
from scheduler.management.errors import StartError
from scheduler.management.preflight import lock_data_directory, sign_lock, without_password
from scheduler.management.supervisor import Child, Supervisor
from tests.services import wait_until


def test_a_socket_file_without_a_server_is_removed(tmp_path):
    socket = tmp_path / "s.sock"
    socket.touch()
    clear_stale_socket(socket)
    assert not socket.exists()


def test_an_orphaned_server_is_ended(tmp_path):
    socket = tmp_path / "s.sock"
    with subprocess.Popen(server_command(socket)) as server:
        assert not wait_for_redis(f"unix://{socket}", 10)
        clear_stale_socket(socket)
        assert server.wait(5) == 0
    assert redis_fault(f"unix://{socket}")


def test_the_server_has_no_port_and_writes_nothing(tmp_path):
    socket = tmp_path / "s.sock"
    with subprocess.Popen(server_command(socket)) as server:
        assert not wait_for_redis(f"unix://{socket}", 10)
        assert socket.stat().st_mode & 0o777 == 0o700
        server.terminate()
    assert list(tmp_path.iterdir()) == []


def test_the_lock_names_its_holder(tmp_path):
    lock = lock_data_directory(tmp_path)
    sign_lock(lock, "http://localhost:1/")
    with pytest.raises(StartError, match=r"already runs on .*http://localhost:1/"):
        lock_data_directory(tmp_path)
    lock.close()
    lock_data_directory(tmp_path).close()


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://user:secret@host:1/0", "redis://user:***@host:1/0"),
        ("redis://:secret@host", "redis://:***@host"),
        ("unix:///run/valkey.sock", "unix:///run/valkey.sock"),
        ("redis://host:6379/0", "redis://host:6379/0"),
    ],
)
def test_passwords_are_not_shown(url, shown):
    assert without_password(url) == shown


@pytest.fixture
def said():
    return []


def test_a_child_that_keeps_dying_is_started_after_ever_longer_pauses(said, monkeypatch):
    monkeypatch.setattr(supervisor, "FIRST_PAUSE", 0.05)
    monkeypatch.setattr(supervisor, "LONGEST_PAUSE", 0.2)
    keeper = Supervisor(said.append)
    keeper.start(Child("mayfly", [sys.executable, "-c", "print('hello'); exit(3)"]))
    while sum("exit code 3" in line for line in said) < 4:
        keeper.tend()
        time.sleep(0.01)
    keeper.stop()
    pauses = [line.split()[-2] for line in said if "exit code 3" in line]
    assert pauses[:4] == ["0.05", "0.1", "0.2", "0.2"]
    wait_until(lambda: "mayfly | hello" in said, 5)


def test_a_child_that_ignores_its_end_is_killed_with_what_it_started(said, tmp_path):
    script = (
        "import signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    keeper = Supervisor(said.append)
    keeper.start(Child("stubborn", [sys.executable, "-c", script], grace=0.2))
    wait_until(lambda: said, 10)
    keeper.stop()
    assert "stubborn did not end within 0.2 s and was killed." in said
    grandchild = int(said[0].split("|")[1])
    wait_until(lambda: _ended(grandchild), 5)


def _ended(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().split()[2] == "Z"
    except FileNotFoundError:
        return True
