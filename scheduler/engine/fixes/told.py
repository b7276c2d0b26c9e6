"""What came of a trial, in words. Names stand in backticks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scheduler.engine.controllers.owners import controller_of
from scheduler.engine.fixes.change import Patch, pod_key
from scheduler.engine.fixes.search import Tried
from scheduler.engine.fixes.trial import Moved, Result
from scheduler.engine.objects import Pod
from scheduler.engine.words import count, listed

NAMED, REASONS = 3, 3
_PREEMPTION = re.compile(r"preemption: [^:]*: ?(.*)$")
_PART = re.compile(r"(\d+) (.*)")
_BEFORE = re.compile(r"^\d+/\d+ nodes are available: (.*?)\.(?: |$)")
_NO_VICTIMS, _NOT_HELPFUL = "No preemption victims found for incoming pod", "Preemption is not helpful for scheduling"


def told(one: Tried) -> str:
    """Where the pod lands and what that costs others, or why the change is no help."""
    result = one.result
    if result.outcome == "unfinished":
        return "Not decided after two minutes of the cluster's time."
    if result.fits:
        return landed(result)
    text = _no_help(one)
    return text[:1].upper() + text[1:]


def landed(result: Result) -> str:
    """The same of a trial that helped, by itself."""
    text = _fits(result)
    return text[:1].upper() + text[1:]


def advice(one: Tried, pod: Pod) -> str:
    """What else to know before doing it."""
    patches_pod = any(isinstance(edit, Patch) and edit.key == pod_key(pod) for edit in one.fix.edits)
    owner = controller_of(pod)
    where = f"Change it in the template of {owner[0]} `{owner[2]}` as well." if patches_pod and owner else ""
    return " ".join(part for part in (one.fix.note, where) if part)


def _fits(result: Result) -> str:
    parts = [f"lands on `{result.node}`"]
    if result.feasible > 1:
        parts = [f"{parts[0]}, one of {count(result.feasible, 'node')} that fit"]
    parts += [part for part in (_moves(result.moved), _evictions(result.preempted), _others(result)) if part]
    if result.ahead:
        parts.append(f"{count(result.ahead, 'pod comes', 'pods come')} first in the queue and may take the room")
    return "; ".join(parts)


def _moves(moved: Sequence[Moved]) -> str:
    if not moved:
        return ""
    shown = [f"`{one.pod}` → `{one.after}`" for one in moved[:NAMED]]
    more = [f"{len(moved) - NAMED} more"] if len(moved) > NAMED else []
    return f"{', '.join(shown + more)}; no disruption budget is broken"


def _evictions(preempted: Sequence[Moved]) -> str:
    if not preempted:
        return ""
    return f"{_named([one.pod for one in preempted])} {'is' if len(preempted) == 1 else 'are'} evicted for it"


def _others(result: Result) -> str:
    if not result.also:
        return ""
    return f"{_named([key for key, _ in result.also])} {'fits' if len(result.also) == 1 else 'fit'} then as well"


def _named(keys: Sequence[str]) -> str:
    """The first of them, and how many more there are."""
    more = [f"{len(keys) - NAMED} more"] if len(keys) > NAMED else []
    return listed([f"`{key}`" for key in keys[:NAMED]] + more)


def _no_help(one: Tried) -> str:
    result = one.result
    if result.also:
        verbs = ("waits", "is", "takes") if len(result.also) == 1 else ("wait", "are", "take")
        who = _named([key for key, _ in result.also])
        return f"{who} {verbs[0]} for room as well, {verbs[1]} tried before it and {verbs[2]} this room"
    if one.fix.kind in ("priority", "preempt") and (found := _PREEMPTION.search(result.message)):
        return f"preemption: {_counted(found[1])}" if found[1] else "preemption would not help"
    found = _BEFORE.match(result.message)
    return f"still refused: {_most(found[1])}" if found else result.message or "it is not tried again"


def _counted(text: str) -> str:
    """`on 21 nodes no pod of lower priority could go, on 69 it would not help`."""
    words = {_NO_VICTIMS: "on {} no pods of lower priority make room", _NOT_HELPFUL: "on {} it would not help"}
    parts = [_PART.fullmatch(part.strip().rstrip(".")) for part in text.split(",")]
    return ", ".join(words.get(one[2], "on {}: " + one[2]).format(count(int(one[1]), "node")) for one in parts if one)


def _most(text: str) -> str:
    """The reasons of the most nodes."""
    parts = [one for part in text.split(", ") if (one := _PART.fullmatch(part.strip()))]
    parts.sort(key=lambda one: -int(one[1]))
    shown = [f"{one[1]} {one[2]}" for one in parts[:REASONS]]
    return ", ".join(shown) + (", …" if len(parts) > REASONS else "") if shown else text
