"""Signs of a job that need no database, which the job itself may have locked: its lock, its progress, the wish to stop.

They are files in a directory of the job's own. The system lets go of a lock when its process dies, however it dies, so
that a job without one is known to be lost at once.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from django.conf import settings


def directory_of(job_id: int) -> Path:
    return Path(settings.DATA_DIR / "jobs" / str(job_id))


@contextmanager
def held(path: Path) -> Iterator[bool]:
    """Holds the lock on a file, which it makes, unless somebody does: then it gives False."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


def lock_of(job_id: int) -> Path:
    return directory_of(job_id) / "lock"


def is_held(job_id: int) -> bool | None:
    """Whether a process is at it; None where no lock tells, as on another machine."""
    if not lock_of(job_id).exists():
        return None
    with held(lock_of(job_id)) as free:
        return not free


def tell(job_id: int, stage: str, done: int, total: int) -> None:
    """Progress is worth no failure: where it cannot be written it is not told."""
    path = directory_of(job_id) / "progress"
    with suppress(OSError):
        path.with_suffix(".new").write_text(json.dumps({"stage": stage, "done": done, "total": total}))
        os.replace(path.with_suffix(".new"), path)


def told(job_id: int) -> dict[str, Any]:
    """`stage`, `done`, `total`; {} where nothing was told."""
    try:
        read: dict[str, Any] = json.loads((directory_of(job_id) / "progress").read_text())
    except (OSError, ValueError):
        return {}
    return read


def ask_to_stop(job_id: int) -> None:
    with suppress(OSError):
        (directory_of(job_id) / "stop").touch()


def is_asked_to_stop(job_id: int) -> bool:
    return (directory_of(job_id) / "stop").exists()


def clear(job_id: int) -> None:
    shutil.rmtree(directory_of(job_id), ignore_errors=True)
