"""Runs commands that need no database: without the `django_db` mark any use of one fails the test."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management import call_command


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


def run(capsys, command: str, *arguments: object) -> Ran:
    status = 0
    try:
        call_command(command, *map(str, arguments))
    except SystemExit as exit_:
        status = int(exit_.code or 0)
    return Ran(status, *capsys.readouterr())


def written(folder: Path, objects: list[dict[str, Any]], config: dict[str, Any] | None = None) -> list[str]:
    """The arguments that name files with these objects and this configuration."""
    (folder / "objects.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    if config is None:
        return ["-f", str(folder / "objects.json")]
    (folder / "config.json").write_text(json.dumps(config))
    return ["-f", str(folder / "objects.json"), "--config", str(folder / "config.json")]
