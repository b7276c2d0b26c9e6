"""Typed reading of environment variables. A bad value is one clear line, not a traceback."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def env_str(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, default: bool = False) -> bool:
    raw = env_str(name)
    if not raw:
        return default
    if raw.lower() in ("1", "true", "yes", "on"):
        return True
    if raw.lower() in ("0", "false", "no", "off"):
        return False
    raise ImproperlyConfigured(f"{name}={raw!r} is not a boolean: use true or false.")


def env_int(name: str, default: int, low: int = 0, high: int = 2**31 - 1) -> int:
    raw = env_str(name)
    if not raw:
        return default
    try:
        value = int(raw)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={raw!r} is not a whole number.") from None
    if not low <= value <= high:
        raise ImproperlyConfigured(f"{name}={raw} must lie between {low} and {high}.")
    return value


def env_choice(name: str, choices: tuple[str, ...]) -> str:
    """One of `choices`; the first is the default."""
    value = env_str(name, choices[0]).lower()
    if value not in choices:
        raise ImproperlyConfigured(f"{name}={value!r} must be one of {', '.join(choices)}.")
    return value


def env_list(name: str) -> list[str]:
    return [part.strip() for part in env_str(name).split(",") if part.strip()]


def env_directory(name: str, default: Path) -> Path:
    """A directory of our own, made if it is missing: it holds the database and the secret key."""
    directory = Path(env_str(name, str(default))).absolute()
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as fault:
        raise ImproperlyConfigured(f"{name}: the directory {directory} cannot be made: {fault.strerror}.") from None
    if not os.access(directory, os.W_OK):
        raise ImproperlyConfigured(f"{name}: the directory {directory} cannot be written to.")
    return directory


def env_database(name: str, default_file: Path) -> dict[str, Any]:
    """A Django database from a URL: `sqlite:///FILE` or `postgresql://USER:PASSWORD@HOST:PORT/NAME`."""
    raw = env_str(name)
    if not raw:
        return sqlite(default_file)
    try:
        url = urlsplit(raw)
        port = url.port
    except ValueError as fault:
        raise ImproperlyConfigured(f"{name} is not a valid URL: {fault}.") from None
    if url.scheme == "sqlite":
        path = unquote(url.path)
        if url.netloc or len(path) < 2:
            raise ImproperlyConfigured(f"{name}: write sqlite:///relative/file or sqlite:////absolute/file.")
        return sqlite(Path(path[1:]))
    if url.scheme in ("postgres", "postgresql"):
        if len(url.path) < 2:
            raise ImproperlyConfigured(f"{name} names no database: write postgresql://USER:PASSWORD@HOST:PORT/NAME.")
        return _postgresql(url, port)
    raise ImproperlyConfigured(f"{name} must begin with sqlite:// or postgresql://, not {url.scheme or raw!r}.")


def _postgresql(url: SplitResult, port: int | None) -> dict[str, Any]:
    options = {"connect_timeout": "5", **dict(parse_qsl(url.query))}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path[1:]),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": options.pop("host", "") or unquote(url.hostname or ""),
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 0,
        "OPTIONS": options,
    }


def sqlite(file: Path) -> dict[str, Any]:
    """WAL lets readers go on while one writes; IMMEDIATE makes writers queue instead of failing.

    A killed process loses nothing. DATABASE_SYNC=full waits for the disk at every commit, to outlive a power cut too.
    """
    sync = env_choice("DATABASE_SYNC", ("normal", "full"))
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(file),
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": f"PRAGMA journal_mode=WAL; PRAGMA synchronous={sync}; PRAGMA cache_size=-65536;",
        },
    }


def names_of(host: str) -> list[str]:
    """What browsers call a server that listens on `host`: itself, but nothing certain for the wildcards."""
    if host in ("0.0.0.0", "::"):
        return []
    return [f"[{host}]" if ":" in host else host]


def env_redis(name: str) -> str:
    """A `redis://`, `rediss://` or `unix://` address, or "" for the embedded server."""
    raw = env_str(name)
    if raw and urlsplit(raw).scheme not in ("redis", "rediss", "unix"):
        raise ImproperlyConfigured(f"{name}={raw!r} must begin with redis://, rediss:// or unix://.")
    return raw


def broker_url(redis_url: str) -> str:
    """The same server as Celery writes its address."""
    if not redis_url.startswith("unix://"):
        return redis_url
    return redis_url.replace("unix://", "redis+socket://", 1).replace("db=", "virtual_host=", 1)
