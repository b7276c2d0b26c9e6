"""What an attempt would find now, whatever the last one found: nobody may have told the pod that it fits."""

from typing import NamedTuple

from dashboard.build.records import CycleRecord
from dashboard.text import count, listed
from scheduler.engine.explain.why import cause
from scheduler.engine.queue.entry import ACTIVE, GATED, IN_FLIGHT, UNSCHEDULABLE
from scheduler.engine.simulation.outlook import outlook
from scheduler.engine.simulation.simulation import Simulation

NAMED = 3


class Outlook(NamedTuple):
    """`text`: one or two sentences; `lead`: the same in place of an older refusal, of a pod that fits by now."""

    text: str = ""
    lead: str = ""


NOTHING = Outlook()


def now(simulation: Simulation, key: str, last: CycleRecord | None) -> Outlook:
    """Nothing for a pod that does not wait, or where nothing has happened since its last attempt.

    To be called while the state is lent.
    """
    queued = simulation.queued(key)
    if queued is None or queued.place == IN_FLIGHT or (last is not None and not _is_over(simulation, last)):
        return NOTHING
    cycle = outlook(simulation, key)
    if cycle is None or cycle.error:
        return NOTHING
    fitting = cycle.trace.feasible
    if not fitting:
        untried = f"If it were tried now, no node would take it: {cause(cycle).clause}."
        return Outlook(untried) if last is None else NOTHING
    many = len(fitting) > NAMED
    who = count(len(fitting), "node") if many else listed([f"`{name}`" for name in sorted(fitting)])
    if last is None:
        return Outlook(f"If it were tried now, {who} would take it.")
    unwoken = " Nothing that has happened since has woken it." if queued.place == UNSCHEDULABLE else ""
    is_held = queued.place == GATED or bool(queued.pod.nominated_node_name)  # told with what holds it
    lead = f"`{key}` fits now: {who} would take it, but {_but(queued.place)}."
    return Outlook(f"By now {who} would take it.{unwoken}", "" if is_held else lead)


def _but(place: str) -> str:
    """Why a pod that fits still waits."""
    if place == UNSCHEDULABLE:
        return "nothing that has happened since its last attempt has woken it"
    return "its turn has not come yet" if place == ACTIVE else "its backoff has not ended yet"


def _is_over(simulation: Simulation, last: CycleRecord) -> bool:
    """Whether the last attempt has ended and its own consequences are not all that came after."""
    return last.finished_seq is not None and simulation.seq > last.finished_seq
