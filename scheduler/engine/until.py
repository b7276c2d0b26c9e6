"""When a run is to stop by itself: conditions as people write them, and whether one has come true.

idle                      nothing is left to do
bound  bound:ns/pod       a pod (this one) was placed; refused, deleted likewise
active=0  backoff>=5      how many pods a queue holds: active, backoff, unschedulable, gated, waiting (all of them)
time=90s  time=+30s       virtual time since the cluster began, or from now on; also an RFC 3339 time
cycle=128  cycle=+10      this cycle, or that many more, have ended
event=4000                the log has come as far
scenario                  every step of the scenario has been played
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import msgspec

from scheduler.engine.errors import Invalid
from scheduler.engine.events import CycleFinished, Event, ObjectDeleted
from scheduler.engine.queue.entry import BACKOFF, ERROR_BACKOFF
from scheduler.engine.simulation.clock import duration_us, from_rfc3339, to_rfc3339
from scheduler.engine.words import count

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

MOST = 5
LANES = {"active": "ActiveQ", "backoff": "BackoffQ", "unschedulable": "Unschedulable", "gated": "Gated"}
COUNTS = {**LANES, "waiting": "the queue"}
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq, ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip
_BOUNDS = {"=": "", ">=": "at least ", "<=": "at most ", ">": "more than ", "<": "fewer than "}
_HAPPENED = {"bound": "was placed", "refused": "was refused", "deleted": "was deleted"}
_REACHED = ("time", "cycle", "event")
_PART = re.compile(r"(?P<what>[a-z]+)(?:(?P<sign>>=|<=|=|>|<|:)(?P<value>\S+))?")
_USE = "use idle, scenario, bound:POD, refused:POD, deleted:POD, active=0, backoff>=5, time=90s, cycle=+10 or event=100"


class Condition(msgspec.Struct, frozen=True):
    """`number`: virtual µs since the epoch for `time`, else a count. `pod`: `namespace/name`, "" for any."""

    what: str
    sign: str = ""
    number: int = 0
    pod: str = ""

    def __str__(self) -> str:
        """As it can be read again, whatever has happened meanwhile."""
        if self.what == "time":
            return f"time={to_rfc3339(self.number)}"
        if self.pod:
            return f"{self.what}:{self.pod}"
        return f"{self.what}{self.sign}{self.number}" if self.sign else self.what

    @property
    def is_momentary(self) -> bool:
        """Whether only the log can tell if it has come true: the state does not show it any more."""
        return self.what in _HAPPENED

    def says(self) -> str:
        """What has come true, as the end of a sentence."""
        if self.what in _HAPPENED:
            return f"{self.pod or 'a pod'} {_HAPPENED[self.what]}"
        if self.what in COUNTS:
            return f"{COUNTS[self.what]} holds {_BOUNDS[self.sign]}{count(self.number, 'pod')}"
        said = {"scenario": "every step of the scenario was played", "time": f"it is {to_rfc3339(self.number)}"}
        return said.get(self.what) or f"{self.what} {self.number} is over"

    def aims(self) -> str:
        """What is to come true, as the end of a sentence."""
        if self.what in _HAPPENED:
            return self.says().replace(" was ", " is ")
        said = {"idle": "nothing is left to do", "scenario": "every step of the scenario is played"}
        return said.get(self.what) or self.says()

    def lacks(self, simulation: Simulation) -> str:
        """How far it still is, "" where that cannot be counted (and of a moment, which a clock tells)."""
        if self.what in COUNTS:
            return f"{_count(simulation, self.what):,} now"
        if self.what == "idle":
            return f"{count(len(simulation.queue), 'pod')} in the queues"
        if self.what == "scenario":
            return f"{count(len(simulation.agenda), 'step')} to come"
        reached = {"cycle": _ended(simulation), "event": simulation.seq}.get(self.what)
        return "" if reached is None else f"{max(0, self.number - reached):,} to go"

    def holds(self, simulation: Simulation, events: Iterable[Event]) -> bool:
        """Whether it is true now, or came true with these events. `idle` is for the runner to say."""
        if self.what in _HAPPENED:
            return any(self._is(event) for event in events)
        if self.what in COUNTS:
            return _COMPARED[self.sign](_count(simulation, self.what), self.number)
        if self.what == "scenario":
            return not len(simulation.agenda)
        if self.what == "time":
            return simulation.now_us >= self.number
        if self.what == "event":
            return simulation.seq >= self.number
        return self.what == "cycle" and _ended(simulation) >= self.number

    def _is(self, event: Event) -> bool:
        happening = event.happening
        if isinstance(happening, CycleFinished):
            outcome = "bound" if happening.decision["outcome"] == "bound" else "refused"
            return self.what == outcome and self.pod in ("", happening.pod)
        if not isinstance(happening, ObjectDeleted) or happening.object_kind != "Pod":
            return False
        return self.what == "deleted" and self.pod in ("", f"{happening.namespace}/{happening.name}")


def first_true(conditions: Iterable[Condition], simulation: Simulation, events: Iterable[Event]) -> Condition | None:
    return next((one for one in conditions if one.holds(simulation, events)), None)


def stop_us(conditions: Iterable[Condition]) -> int | None:
    """The virtual moment beyond which no timer may be run to."""
    return min((one.number for one in conditions if one.what == "time"), default=None)


def parse(text: str, simulation: Simulation) -> tuple[Condition, ...]:
    """Conditions separated by commas, any of which is to stop the run. Relative ones count from `simulation`.

    Raises Invalid, with what could have been written.
    """
    parts = [part for part in re.split(r"[,\s]+", text) if part]
    if len(parts) > MOST:
        raise Invalid(f"must be at most {MOST} conditions", "until")
    return tuple(_parsed(part, simulation) for part in parts)


def _parsed(part: str, simulation: Simulation) -> Condition:
    found = _PART.fullmatch(part)
    what, sign, value = (found["what"], found["sign"] or "", found["value"] or "") if found else ("", "", "")
    if what in ("idle", "scenario") and not sign:
        return Condition(what)
    if what in _HAPPENED and sign in ("", ":"):
        return Condition(what, pod=value if "/" in value or not value else f"default/{value}")
    if what in COUNTS and sign in _COMPARED and value.isascii() and value.isdigit():
        return Condition(what, sign, int(value[:18]))
    if what in _REACHED and sign == "=" and (number := _reached(what, value, simulation)) is not None:
        return Condition(what, sign, number)
    raise Invalid(f"{part[:60]!r} is no condition: {_USE}", "until")


def _reached(what: str, value: str, simulation: Simulation) -> int | None:
    later = value.startswith("+")
    number = value.removeprefix("+")
    if what == "time":
        return _moment(number, simulation.now_us if later else simulation.start_us)
    if not (number.isascii() and number.isdigit() and len(number) < 16):
        return None
    begun = {"cycle": simulation.last_cycle, "event": simulation.seq}[what]
    return int(number) + (begun if later else 0)


def _moment(text: str, since_us: int) -> int | None:
    if (duration := duration_us(text)) is not None:
        return since_us + duration
    try:
        return from_rfc3339(text) if "T" in text else None
    except ValueError:
        return None


def _count(simulation: Simulation, what: str) -> int:
    if what == "waiting":
        return len(simulation.queue)
    counts = simulation.queue.counts()
    return counts[what] + (counts[ERROR_BACKOFF] if what == BACKOFF else 0)


def _ended(simulation: Simulation) -> int:
    """The last cycle that is over."""
    return simulation.last_cycle - (simulation.open_cycle is not None)
