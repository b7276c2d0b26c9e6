"""Tables of the current state, kept by the events that are written, and made again from the log."""

from scheduler.services.projection.changes import Changes
from scheduler.services.projection.prepare import prepare
from scheduler.services.projection.rebuild import differences, rebuild, whole
from scheduler.services.projection.tables import PROJECTED, Rows

__all__ = ["PROJECTED", "Changes", "Rows", "differences", "prepare", "rebuild", "whole"]
