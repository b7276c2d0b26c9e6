"""Tables of the current state, kept by the events that are written, and made again from the log."""

from scheduler.services.projection.changes import Changes
from scheduler.services.projection.prepare import prepare
from scheduler.services.projection.rebuild import differences, rebuild
from scheduler.services.projection.tables import PROJECTED, Rows
from scheduler.services.projection.undo import undone

__all__ = ["PROJECTED", "Changes", "Rows", "differences", "prepare", "rebuild", "undone"]
