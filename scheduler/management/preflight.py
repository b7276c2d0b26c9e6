"""What must be so before anything is started; each failure is one clear line."""

import errno
import fcntl
import os
import re
import socket
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import DatabaseError, connection

from config.env import env_str
from scheduler.management.embedded import redis_fault
from scheduler.management.errors import StartError

BACKLOG = 1024


def lock_data_directory(directory: Path) -> IO[str]:
    """The lock that says who runs on this data; it ends with the process, however that ends."""
    lock = (directory / "up.lock").open("a+", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip() or "another process"
        lock.close()
        raise StartError(
            f"Podium already runs on {directory} ({holder}). Stop it, or set PODIUM_HOME to another directory."
        ) from None
    return lock


def sign_lock(lock: IO[str], address: str) -> None:
    lock.seek(0)
    lock.truncate()
    lock.write(f"process {os.getpid()}, {address}")
    lock.flush()


def listen(host: str, port: int) -> socket.socket:
    """The listening socket, made here: a port in use is known at once, and a restarted web server loses nobody."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as fault:
        raise StartError(f"HOST={host} is not an address of this machine: {fault.strerror}.") from None
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as fault:
        listener.close()
        raise StartError(_cannot_listen(host, port, fault)) from None
    return listener


def _cannot_listen(host: str, port: int, fault: OSError) -> str:
    if fault.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use. Stop what uses it, or choose another: PORT={port + 1} make run"
    if fault.errno == errno.EACCES:
        return f"Port {port} needs more rights than this user has: choose one above 1023, e.g. PORT=8000."
    return f"Cannot listen on {host} port {port}: {fault.strerror}."


def check_redis() -> None:
    """That the server named by REDIS_URL answers."""
    if fault := redis_fault(settings.REDIS_URL):
        raise StartError(f"REDIS_URL: no answer from {without_password(settings.REDIS_URL)}: {fault}.")


def check_database() -> None:
    """That the database can be reached (SQLite: that its file can be made)."""
    try:
        connection.ensure_connection()
    except (DatabaseError, OSError) as fault:
        where = "DATABASE_URL" if env_str("DATABASE_URL") else settings.DATABASES["default"]["NAME"]
        raise StartError(f"{where}: the database cannot be opened: {one_line(fault)}.") from None


def one_line(fault: Exception) -> str:
    """The first line of a driver's message: the rest repeats it or gives hints for its own command line."""
    return str(fault).strip().split("\n")[0].strip().rstrip(".")


def without_password(url: str) -> str:
    return re.sub(r"(//[^:/@]*):[^@]*@", r"\1:***@", url)
