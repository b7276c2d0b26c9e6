"""Taking an undo back, as long as nothing else has happened: the log's end says what there is to redo."""

from dataclasses import dataclass
from itertools import takewhile

from scheduler.engine.errors import Refused
from scheduler.models import Cluster, Event
from scheduler.services.clusters import cluster_reset, grown
from scheduler.services.commit import Committed
from scheduler.services.undo import last_action, must_rest

LOOKED_BACK = 200  # undos and redos in a row
NOTHING_TO_REDO = "There is nothing to redo: nothing was undone, or something else has happened since."


@dataclass(frozen=True, slots=True)
class Redoable:
    """`text`: what comes back. `to_seq`: the event whose state it is. `head`: the log's end it was found at."""

    text: str
    to_seq: int
    head: int


def redoable(cluster_id: int) -> Redoable | None:
    """What the last undo took back, None where something has happened since."""
    head = Cluster.objects.values_list("seq", flat=True).get(pk=cluster_id)
    undone = _undone(cluster_id, head)
    if not undone:
        return None
    seq, to_seq = undone[-1]
    last = last_action(cluster_id, seq)
    several = last is not None and _state(cluster_id, last.to_seq) != _state(cluster_id, to_seq)
    return Redoable(f"{'all up to ' if several else ''}{last.text if last else f'event {seq}'}", seq, head)


def redo(cluster_id: int, actor: str = "", head: int | None = None) -> tuple[Redoable, Committed]:
    """Bring back what was undone last. `head`: the end of the log that the person saw; `Refused` if it has grown."""
    must_rest(cluster_id)
    found = redoable(cluster_id)
    if head is not None and found is not None and head != found.head:
        raise Refused(f"{grown(cluster_id, head, actor)} Look again at what would be.")
    if found is None:
        raise Refused(NOTHING_TO_REDO)
    return found, cluster_reset(cluster_id, found.to_seq, actor, head=found.head)


def _undone(cluster_id: int, head: int) -> list[tuple[int, int]]:
    """The undos at the log's end that no redo has answered: from which event to which, the newest last."""
    rows = Event.objects.filter(cluster_id=cluster_id, seq__lte=head).order_by("-seq").only("seq", "kind", "payload")
    undone: list[tuple[int, int]] = []
    for row in reversed(list(takewhile(lambda row: row.kind == "Reset", rows[:LOOKED_BACK].iterator(20)))):
        to_seq = row.payload["to_seq"]
        if undone and _state(cluster_id, undone[-1][0]) == _state(cluster_id, to_seq):
            undone.pop()
        else:
            undone.append((row.seq - 1, to_seq))
    return undone


def _state(cluster_id: int, seq: int) -> int:
    """The event whose state the one of `seq` is: an undo leaves that of where it went back to."""
    resets = Event.objects.filter(cluster_id=cluster_id, kind="Reset")
    while reset := resets.filter(seq=seq).first():
        seq = reset.payload["to_seq"]
    return seq
