"""A pass of the controller as lines of a plan: creates and updates by batch, deletes, and what is not touched."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dashboard.build.united import alike, partitioned
from dashboard.build.united.rehearsal import LostPod, NewPod, Rehearsal
from scheduler.engine.uniteddeployment.actions import Create, Update
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.words import count

REASONS = {
    "revision": "its revision is another",
    "replicas": "its replicas are another number",
    "partition": "its partition is another",
    "patch": "its patch is another",
    "still updating": "it is still updating",
}
ADOPTED = "adopted: it matches, and nobody controls it"
ADOPTED_OTHER = f"{ADOPTED}; being of another kind, it is deleted"
RELEASED = "released with its pods: it does not match any more"
PODS_SHOWN, SUBSETS_SHOWN = 12, 8


@dataclass(frozen=True)
class Line:
    """`op`: add, del, upd, skip or fail. `icon` is a sign at its end."""

    op: str
    name: str
    note: str = ""
    figure: str = ""
    icon: str = ""
    is_pod: bool = False


@dataclass(frozen=True)
class Of:
    """What a line tells of one subset, with its pods. `change`: of its replicas."""

    op: str
    subset: str
    note: str
    change: int = 0
    made: Sequence[NewPod] = ()
    lost: Sequence[LostPod] = ()


@dataclass(frozen=True)
class Group:
    title: str
    lines: Sequence[Line]


def groups(done: Pass, rehearsed: Rehearsal) -> list[Group]:
    return [
        group
        for group in (
            _claims(done),
            *_creates(done, rehearsed),
            *_deletes(done, rehearsed),
            *_updates(done, rehearsed),
            _held_back(done),
            _rest(done),
        )
        if group.lines
    ]


def acts(done: Pass) -> bool:
    """Whether something comes of it: what partitions hold back is written as it is, time and again."""
    updates = len(done.updates) > len(partitioned.held_back(done))
    return bool(done.adopted or done.released or done.creates or updates or done.deletes)


def summary(done: Pass, rehearsed: Rehearsal) -> str:
    """`1 adoption, 2 creates, 1 update; 3 pods would be made, 1 would wait`."""
    held = partitioned.held_back(done)
    acts = [
        count(len(acted), name)
        for acted, name in (
            (done.adopted, "adoption"),
            (done.released, "release"),
            (done.creates, "create"),
            (done.deletes, "delete"),
            ([one for one in done.updates if one.subset not in held], "update"),
        )
        if acted
    ]
    made, gone, waiting = len(rehearsed.made), len(rehearsed.gone), sum(not one.node for one in rehearsed.made)
    pods = [f"{count(made, 'new pod')}"] if made else []
    pods += [f"{count(gone, 'pod')} would go"] if gone else []
    pods += [f"{waiting} would wait"] if waiting else []
    kept = partitioned.told(sum(map(len, held.values()))) if held else ""
    if done.error and not acts:
        return "it fails before it does anything"
    failed = sum(one.failed for acted in (done.creates, done.deletes, done.updates) for one in acted)
    fails = f"{failed} {'fails' if failed == 1 else 'fail'}" if failed else ""
    done_first = ", ".join([*acts, fails] if fails else acts) or (kept and "nothing to do")
    return "; ".join(filter(None, (done_first, ", ".join(pods), kept))) or "nothing to do"


def _claims(done: Pass) -> Group:
    """What is adopted of another kind than the template's is deleted in the same pass."""
    others = {(one.kind, one.workload) for one in done.deletes if one.reason == "other kind"}
    lines = [
        Line("add", one.name, ADOPTED_OTHER if (one.kind, one.name) in others else ADOPTED) for one in done.adopted
    ]
    lines += [Line("del", one.name, RELEASED) for one in done.released]
    return Group("owner references", lines)


def _creates(done: Pass, rehearsed: Rehearsal) -> Iterator[Group]:
    batches = sorted({one.batch for one in done.creates})
    planned = done.allocation.replicas if done.allocation else {}
    is_cut = len(planned.keys() - done.existing.keys()) > len(done.creates)
    for batch in batches:
        mine = [one for one in done.creates if one.batch == batch]
        lines = _told([_create(one, rehearsed, is_cut=is_cut) for one in mine])
        yield Group(f"create, batch {batch} of {len(batches)}", lines)


def _create(one: Create, rehearsed: Rehearsal, *, is_cut: bool) -> Of:
    note = f"fails{', so later batches are not begun' if is_cut else ''}" if one.failed else ""
    note = note or f"replicas {one.replicas}, partition {one.partition}"
    return Of("fail" if one.failed else "add", one.subset, note, one.replicas, rehearsed.of(one.subset))


def _told(found: Sequence[Of]) -> list[Line]:
    """Subsets of which the same is told have one line, and below it the pods of all of them.

    Few subsets are the same only where their pods are: of many that would be too long.
    """
    is_few = len(found) <= SUBSETS_SHOWN
    groups = alike.gathered(
        ((one.op, one.note, one.change, (*_pods(one.made), *_lost(one.lost)) if is_few else ()), one) for one in found
    )
    lines: list[Line] = []
    for group in groups:
        first, names = group[0], alike.named([one.subset for one in group])
        lines.append(Line(first.op, names, first.note, _more(sum(one.change for one in group))))
        lines += _pods([pod for one in group for pod in one.made])
        lines += _lost([pod for one in group for pod in one.lost])
    return lines


def _deletes(done: Pass, rehearsed: Rehearsal) -> Iterator[Group]:
    lines, told = [], set()
    for one in done.deletes:
        note = f"{one.reason}{', fails' if one.failed else ''}"
        lines.append(Line("fail" if one.failed else "del", one.workload, note))
        if one.subset not in told and not any(two.subset == one.subset for two in done.updates):
            told.add(one.subset)
            lines += _lost(rehearsed.lost_of(one.subset))
    yield Group("delete, after the creates, one by one", lines)


def _updates(done: Pass, rehearsed: Rehearsal) -> Iterator[Group]:
    """All batches, so that their numbers read: of those that partitions hold back a line says so."""
    settled = partitioned.held_back(done)
    if len(settled) == len(done.updates):
        return
    last = max(one.batch for one in done.updates)
    for batch in range(1, last + 1):
        mine = [one for one in done.updates if one.batch == batch]
        kept = [one.subset for one in mine if one.subset in settled]
        lines = _told([_update(one, done, rehearsed) for one in mine if one.subset not in settled])
        if kept:
            lines.append(Line("skip", alike.named(kept), "written as it is: held back, see below"))
        yield Group(f"update, batch {batch} of {last}", lines)


def _update(one: Update, done: Pass, rehearsed: Rehearsal) -> Of:
    held = done.existing[one.subset]
    parts = [REASONS[one.reason]]
    parts += [f"replicas {held.spec_replicas} → {one.replicas}"] if held.spec_replicas != one.replicas else []
    parts += [f"partition {held.partition} → {one.partition}"] if held.partition != one.partition else []
    note = f"{'fails: ' if one.failed else ''}{', '.join(parts)}"
    change = one.replicas - held.spec_replicas
    made, lost = rehearsed.of(one.subset), rehearsed.lost_of(one.subset)
    return Of("fail" if one.failed else "upd", one.subset, note, change, made, lost)


def _held_back(done: Pass) -> Group:
    """Written like every update, but as they are: nothing comes of it until the partition is lowered."""
    updates = {one.subset: one for one in done.updates}
    lines = []
    for name, old in partitioned.held_back(done).items():
        lines.append(Line("skip", name, partitioned.why(old, updates[name].partition)))
        lines += [
            Line("skip", pod.name, f"on {pod.node_name}" if pod.node_name else "waits", is_pod=True)
            for pod in old[:PODS_SHOWN]
        ]
        if (more := len(old) - PODS_SHOWN) > 0:
            lines.append(Line("skip", count(more, "more pod"), is_pod=True))
    return Group("held back by partitions; lower them to go on", lines)


def _rest(done: Pass) -> Group:
    touched = {one.subset for acted in (done.creates, done.deletes, done.updates) for one in acted}
    planned = done.allocation.replicas if done.allocation else {}
    found = []
    for name, replicas in planned.items():
        if name not in touched:
            reached = name in done.existing
            note = f"replicas {replicas}, nothing differs" if reached else "not reached: an earlier batch fails"
            found.append(Of("skip", name, note))
    return Group("not touched", _told(found))


def _pods(pods: Sequence[NewPod]) -> Iterator[Line]:
    """By node where they find one, then by reason for which they wait. They have no names yet."""
    placed = Counter(one.node for one in pods if one.node)
    for node, number in list(placed.items())[:PODS_SHOWN]:
        yield Line("add", _new(number), f"{'lands' if number == 1 else 'land'} on {node}", icon="tick", is_pod=True)
    if more := sum(list(placed.values())[PODS_SHOWN:]):
        yield Line("add", count(more, "more new pod"), f"find{'s' if more == 1 else ''} a node", is_pod=True)
    waiting = Counter(one.message.partition(". ")[0] for one in pods if not one.node)
    for message, number in waiting.items():
        note = f"{'stays' if number == 1 else 'stay'} Pending: {message}"
        yield Line("add", _new(number), note, icon="wait", is_pod=True)


def _new(number: int) -> str:
    return "a new pod" if number == 1 else count(number, "new pod")


def _lost(pods: Sequence[LostPod]) -> Iterator[Line]:
    for one in pods[:PODS_SHOWN]:
        yield Line("del", one.name, f"on {one.node}, would go" if one.node else "waits, would go", is_pod=True)
    if more := pods[PODS_SHOWN:]:
        yield Line("del", count(len(more), "more pod"), "would go", is_pod=True)


def _more(change: int) -> str:
    return f"{change:+d} {'pod' if abs(change) == 1 else 'pods'}" if change else ""
