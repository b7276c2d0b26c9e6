"""Who runs map and reduce: Celery tasks over ranges of nodes, or this process where no broker answers."""

from scheduler.execution.coordinator import decide, rehearse
from scheduler.execution.presence import alive, executor_now
from scheduler.execution.report import Report, report_of

__all__ = ["Report", "alive", "decide", "executor_now", "rehearse", "report_of"]
