"""Moving the virtual clock by hand."""

from scheduler.engine.commands import AdvanceClock, AdvanceToNextTimer
from scheduler.services.commit import Committed, execute


def clock_advance(cluster_id: int, to_us: int | None = None, actor: str = "") -> Committed:
    """Move the clock to `to_us` (virtual µs), or to the next timer; what is due until then happens."""
    return execute(cluster_id, AdvanceToNextTimer() if to_us is None else AdvanceClock(to_us), actor=actor)
