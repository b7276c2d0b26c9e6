"""How fast the engine is: whole scheduling attempts in one process, without a database."""

from scheduler.management.benchmark.measure import Figures, StuckError, measure
from scheduler.management.benchmark.workloads import WORKLOADS, Size

__all__ = ["WORKLOADS", "Figures", "Size", "StuckError", "measure"]
