"""What an attempt would find now, whatever the last one found: nobody may have told the pod that it fits."""

from dashboard.build.records import CycleRecord
from dashboard.text import count, listed
from scheduler.engine.explain.why import cause
from scheduler.engine.queue.entry import IN_FLIGHT, UNSCHEDULABLE
from scheduler.engine.simulation.outlook import outlook
from scheduler.engine.simulation.simulation import Simulation

NAMED = 3


def now(simulation: Simulation, key: str, last: CycleRecord | None) -> str:
    """One or two sentences; "" for a pod that does not wait, or where nothing has happened since its last attempt.

    To be called while the state is lent.
    """
    queued = simulation.queued(key)
    if queued is None or queued.place == IN_FLIGHT or (last is not None and not _is_over(simulation, last)):
        return ""
    cycle = outlook(simulation, key)
    if cycle is None or cycle.error:
        return ""
    fitting = cycle.trace.feasible
    if not fitting:
        return "" if last is not None else f"If it were tried now, no node would take it: {cause(cycle).clause}."
    many = len(fitting) > NAMED
    who = count(len(fitting), "node") if many else listed([f"`{name}`" for name in sorted(fitting)])
    if last is None:
        return f"If it were tried now, {who} would take it."
    unwoken = " Nothing that has happened since has woken it." if queued.place == UNSCHEDULABLE else ""
    return f"By now {who} would take it.{unwoken}"


def _is_over(simulation: Simulation, last: CycleRecord) -> bool:
    """Whether the last attempt has ended and its own consequences are not all that came after."""
    return last.finished_seq is not None and simulation.seq > last.finished_seq
