"""Where the real controller panics: its pass ends then, and nothing is written."""

from scheduler.engine.errors import Invalid


class ControllerCrash(Invalid):
    """`path`: the field whose value it does not bear."""
