"""What happened to a UnitedDeployment: its moments, read from the log, each with the pods that came and went."""

import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

from dashboard.build.united.kin import chunks, made_of, pods_of
from dashboard.build.united.passes import counted
from dashboard.build.united.told import Manifest, Sign, Standing, Told, patched, standing, told
from dashboard.build.united.whereabouts import between, placed
from dashboard.build.united.wish import differences
from dashboard.text import clock
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.words import count
from scheduler.models import Cluster, Event

MOMENTS, EVENTS, PODS = 40, 600, 400
WRITTEN = ("ObjectAdded", "ObjectUpdated")
PODS_SHOWN = 6


@dataclass(frozen=True)
class PodOf:
    """A pod that came or went. `node`: where it is or was, "" if it waits or waited; `is_there`: it is not gone."""

    name: str
    subset: str
    node: str = ""
    is_there: bool = False


@dataclass
class Moment:
    """`seq`: the event to look at. `is_person`: somebody wrote the object; else its controller acted."""

    seq: int
    at_us: int
    words: list[Told]
    standing: Standing
    is_person: bool = False
    made: list[PodOf] = field(default_factory=list)
    gone: list[PodOf] = field(default_factory=list)

    @property
    def sign(self) -> Sign:
        return next((one.sign for one in self.words if one.sign != "controller"), "controller")


def moments(cluster: Cluster, head: int, simulation: Simulation, key: ObjectKey) -> list[Moment]:
    """The newest `MOMENTS`, oldest first, up to the event `head`."""
    rows = Event.objects.filter(counted(cluster.pk, head), cluster_id=cluster.pk, object_key="/".join(key)).order_by(
        "-seq"
    )
    newest = list(rows.exclude(kind="ReconcilePlanned")[:EVENTS])
    made = made_of(cluster.pk, head, key, newest[-1].seq) if newest else []
    found = list(_joined(_told(reversed(newest), made)))[-MOMENTS:]
    if found:
        _add_pods(found, _pods(cluster.pk, head, simulation, key, found[0].seq))
    return found


def _joined(found: Iterable[Moment]) -> Iterator[Moment]:
    """What is told again and again is one moment, the first, with how often."""
    for _, alike in groupby(found, key=lambda one: one.words):
        first, *more = alike
        if more:
            first.words = [*first.words[:-1], Told(f"{first.words[-1].text} (x{len(more) + 1})")]
        yield first


def _told(rows: Iterable[Event], made: Sequence[tuple[int, str, int]]) -> Iterator[Moment]:
    """Moments that have something to tell. What a pass says and what it writes is one moment: that of its look.

    `made`: workloads as they came. A pass does not count those that it makes itself: the status of the next one does.
    """
    manifest: Manifest = {}
    status: Manifest = {}
    last = Standing()
    look, words = None, list[Told]()
    for row in rows:
        if row.kind == "Reconciled":
            look, words = row, []
        elif row.kind == "EventRecorded":
            words.append(Told(row.payload["message"]))
            if row.payload["type"] == "Warning":
                last = _with_made(last, made, look, row)
                yield Moment((look or row).seq, row.at_us, [words.pop()], last)
        elif row.kind in WRITTEN:
            written = row.payload["manifest"]
            changes = differences(manifest, written) if manifest else [_made(written)]
            manifest, status = written, written.get("status") or status
            last = replace(standing(status), split=last.split or standing(status).split)
            if changes:
                yield Moment(row.seq, row.at_us, [Told(one) for one in changes], last, is_person=True)
        elif row.kind == "ObjectPatched":
            status = patched(status, row.payload["patch"])
            before, last = last, _with_made(standing(status), made, look, row)
            if found := [*told(before, last), *words]:
                yield Moment((look or row).seq, row.at_us, found, last)
            words = []


def _with_made(told_of: Standing, made: Sequence[tuple[int, str, int]], look: Event | None, row: Event) -> Standing:
    """With the workloads that the pass of this look has made."""
    if look is None:
        return told_of
    first, end = (bisect_left(made, seq, key=itemgetter(0)) for seq in (look.seq + 1, row.seq))
    own = {subset: replicas for _, subset, replicas in made[first:end]}
    return replace(told_of, split={**told_of.split, **own}) if own else told_of


def _made(manifest: Manifest) -> str:
    spec = manifest.get("spec") or {}
    subsets = (spec.get("topology") or {}).get("subsets") or ()
    replicas = spec.get("replicas")
    asked = "no number of replicas" if replicas is None else count(replicas, "replica")
    return f"created with {asked} over {count(len(subsets), 'subset')}"


def _pods(
    cluster_id: int, head: int, simulation: Simulation, key: ObjectKey, since: int
) -> list[tuple[int, bool, PodOf]]:
    """(seq, whether it came, the pod), oldest first."""
    subsets = pods_of(cluster_id, head, simulation, key)
    events: list[tuple[int, str, str]] = []
    for names in chunks(subsets):
        rows = Event.objects.filter(
            counted(cluster_id, head),
            cluster_id=cluster_id,
            kind__in=("ObjectAdded", "ObjectDeleted"),
            seq__gt=since,
            object_key__in=names,
        ).order_by("-seq")
        events += rows.values_list("seq", "kind", "object_key")[:PODS]
    events = sorted(events, reverse=True)[:PODS]
    nodes = _nodes(events, placed(cluster_id, head, (about for _, _, about in events)))
    found = []
    for seq, kind, about in events:
        name = about.rpartition("/")[2]
        pod = simulation.pods.get(f"{key[1]}/{name}")
        node = nodes[seq] or (pod.node_name if pod and kind == "ObjectAdded" else "")
        found.append((seq, kind == "ObjectAdded", PodOf(name, subsets[about], node, pod is not None)))
    return found[::-1]


def _nodes(events: Sequence[tuple[int, str, str]], places: dict[str, list[tuple[int, str]]]) -> dict[int, str]:
    """By event, newest first: where the pod of then was. A pod of a StatefulSet comes again under its name."""
    moments: dict[str, list[int]] = {}
    for seq, _, about in reversed(events):
        moments.setdefault(about, [0]).append(seq)
    for seqs in moments.values():
        seqs.append(sys.maxsize)
    found = {}
    for seq, kind, about in events:
        place = moments[about].index(seq)
        first = place if kind == "ObjectAdded" else place - 1
        found[seq] = between(places.get(about, ()), moments[about][first], moments[about][first + 1])
    return found


def _add_pods(found: Sequence[Moment], pods: Iterable[tuple[int, bool, PodOf]]) -> None:
    """Each to the last moment before it."""
    place = 0
    for seq, came, pod in pods:
        while place + 1 < len(found) and found[place + 1].seq <= seq:
            place += 1
        (found[place].made if came else found[place].gone).append(pod)


def since(found: Sequence[Moment], seq: int, start_us: int) -> dict[str, Any] | None:
    """The moment until `seq` since which the split is as it was there; None where that is older than `found`."""
    known = [one for one in found if one.seq <= seq]
    for before, after in reversed(list(pairwise(known))):
        if before.standing.split != after.standing.split:
            return {"seq": after.seq, "clock": clock(after.at_us, start_us)}
    return None


def lines(found: Sequence[Moment], start_us: int) -> list[dict[str, Any]]:
    """The table, newest first."""
    return [
        {
            "moment": one,
            "clock": clock(one.at_us, start_us),
            "made": one.made[:PODS_SHOWN],
            "gone": one.gone[:PODS_SHOWN],
            "more_made": one.made[PODS_SHOWN:],
            "more_gone": one.gone[PODS_SHOWN:],
        }
        for one in reversed(found)
    ]
