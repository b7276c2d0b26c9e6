"""Files of algorithms that cannot be used: told by `manage.py check` and at every start, never a traceback."""

from typing import Any

from django.core.checks import Error, register

from scheduler.engine import plugins

HINT = "CONTRIBUTING.md says what an algorithm's file holds."


@register
def check_plugin_files(**_: Any) -> list[Error]:
    return [Error(fault, hint=HINT, id="podium.E001") for fault in plugins.faults()]


def warnings() -> list[str]:
    """One line a fault, for a terminal."""
    return [f"warning: left out: {fault}" for fault in plugins.faults()]
