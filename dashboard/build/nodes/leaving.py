"""The plan of a drain or a deletion as a page shows it: who goes where, who would wait, who stays, who is lost.

Who leaves is certain, since the deed is refused once anything else has happened. Where pods go is not: what happens
until then and the draws of later cycles may decide otherwise, so a pod that is made anew has no name here.
"""

from dataclasses import dataclass, field
from functools import partial

from dashboard.build.nodes.rehearsal import Rehearsal, rehearse
from dashboard.text import count
from scheduler.engine.simulation.simulation import Simulation
from scheduler.services.evictions import Leaving, abandoned, drained
from scheduler.services.nodes import drain, remove

SHOWN = 200
BLOCKED = ("is blocked by a PodDisruptionBudget", "are blocked by PodDisruptionBudgets")


@dataclass(frozen=True)
class Line:
    """`op`: add (finds `node`), wait (would stay Pending), back (queued), del (lost), skip (stays, or is blocked)."""

    op: str
    pod: str
    note: str
    icon: str
    node: str = ""


@dataclass(frozen=True)
class Part:
    """`fate`: what becomes of one pod, of several."""

    fate: tuple[str, str]
    lines: list[Line]

    @property
    def title(self) -> str:
        one, many = self.fate
        return count(len(self.lines), f"pod {one}", f"pods {many}")

    @property
    def note(self) -> str:
        """What is true of every pod of several; "" where each has something of its own."""
        notes = {(line.note, line.node) for line in self.lines}
        note, node = min(notes)
        return note if len(notes) == 1 and len(self.lines) > 1 and not node else ""

    @property
    def shown(self) -> list[Line]:
        return self.lines[:SHOWN]

    @property
    def more(self) -> int:
        return max(0, len(self.lines) - SHOWN)


@dataclass(frozen=True)
class Preview:
    """`seq`: the event on which it rests."""

    seq: int
    sentence: str
    parts: list[Part]
    rehearsed: Rehearsal
    blocked: int
    others: list[str] = field(default_factory=list)


def drain_preview(simulation: Simulation, cluster_id: int, node: str, *, ignore_budgets: bool) -> Preview:
    """What a drain of the node would do to the newest state, which is lent for reading."""
    leaving = drained(simulation, node, ignore_budgets=ignore_budgets)
    act = partial(drain, cluster_id, [node], ignore_budgets)
    made = rehearse(simulation, act, leaving, (cluster_id, simulation.seq, node, ignore_budgets))
    return _preview(simulation.seq, leaving, made, f"Draining `{node}` would evict")


def delete_preview(simulation: Simulation, cluster_id: int, node: str) -> Preview:
    """What a deletion of the node would do to the newest state, which is lent for reading."""
    leaving = abandoned(simulation, node)
    made = rehearse(simulation, partial(remove, cluster_id, node), leaving, (cluster_id, simulation.seq, node, "gone"))
    return _preview(simulation.seq, leaving, made, f"Deleting `{node}` would take away")


def _preview(seq: int, leaving: list[Leaving], made: Rehearsal, beginning: str) -> Preview:
    back = [one for one in leaving if one.fate in ("replaced", "requeued")]
    lost, blocked, stay = (_of(leaving, fate) for fate in ("lost", "blocked", "stays"))
    landed = [_landing(one, made) for one in back]
    wait = [line for line in landed if line.op == "wait"]
    parts = [
        Part(("finds another node", "find another node"), [line for line in landed if line.op == "add"]),
        Part(("would stay Pending",) * 2, wait),
        Part(("returns to the queue", "return to the queue"), [line for line in landed if line.op == "back"]),
        Part(("is lost", "are lost"), [Line("del", one.pod.key, one.why, "cross") for one in lost]),
        Part(BLOCKED, [Line("skip", one.pod.key, one.why, "lock") for one in blocked]),
        Part(("stays", "stay"), [Line("skip", one.pod.key, one.why, "minus") for one in stay]),
    ]
    goes = len(back) + len(lost)
    said = [f"{beginning} {count(goes, 'pod') if goes else 'no pod'}"]
    if back and lost:
        said.append(f"{len(lost)} would be lost and {len(back)} would return to the queue")
    elif goes:
        they = "it" if goes == 1 else "they"
        said.append(f"{they} would {'return to the queue' if back else 'be lost'}")
    if wait:
        said.append(_none_for(len(wait), len(back)))
    if blocked or stay:
        said.append(f"{count(len(blocked) + len(stay), 'pod')} would stay")
    others = made.others
    return Preview(seq, "; ".join(said) + ".", [part for part in parts if part.lines], made, len(blocked), others)


def _none_for(waiting: int, back: int) -> str:
    if waiting < back:
        return f"{waiting} of the {back} would find no node"
    return "it would find no node" if back == 1 else "none of them would find a node"


def _of(leaving: list[Leaving], fate: str) -> list[Leaving]:
    return [one for one in leaving if one.fate == fate]


def _landing(one: Leaving, made: Rehearsal) -> Line:
    found = made.landings.get(one.pod.key)
    if found is None:
        note = "made anew by its controller" if one.fate == "replaced" else "made anew under its name"
        return Line("back", one.pod.key, note, "cycle")
    who = "" if found.key == one.pod.key else "its successor "
    if found.node:
        return Line("add", one.pod.key, f"{who}on ", "tick", found.node)
    return Line("wait", one.pod.key, f"{who}waits: {found.message.partition('. ')[0]}", "wait")
