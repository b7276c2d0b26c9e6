"""One kill -9 each of worker, runner, web server and Redis in the middle of a run: see scripts/kill_test.py."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def a_free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.mark.services
def test_nothing_acknowledged_is_lost_and_nothing_is_doubled_by_a_kill():
    command = [sys.executable, "scripts/kill_test.py", "--times", "1", "--port", str(a_free_port())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert done.stdout.count("killed 1×") == 4
