"""The Chrome trace of a run: slices that close, counts that are those of the queue, nothing that was undone."""

import io
import json
from collections import Counter

import pytest

from scheduler import services, store
from scheduler.engine.queue.entry import NAMES
from scheduler.exports.chrome_trace import write_chrome_trace
from scheduler.exports.event_log import write_event_log
from scheduler.models import Event
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cluster():
    """`big` is refused, woken by a node and bound; `huge` is refused and waits; the last cycle was undone."""
    more = [a_pod("big", cpu="8", priority=9), a_pod("huge", cpu="64", priority=8)]
    cluster = a_cluster(nodes=2, pods=2, bound=0, name="demo", more=more)
    for _ in range(2):
        services.cycle_step(cluster.pk)
    services.objects_apply(cluster.pk, [a_node("large", cpu="16")], actor="mira")
    for _ in range(2):
        services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    before = cluster.seq
    services.cycle_step(cluster.pk)
    services.cluster_reset(cluster.pk, before)
    cluster.refresh_from_db()
    return cluster


def traced(cluster, up_to=None):
    out = io.StringIO()
    write_chrome_trace(cluster, cluster.seq if up_to is None else up_to, out)
    return json.loads(out.getvalue())["traceEvents"]


def test_cycles_are_slices_with_what_came_of_them(cluster):
    cycles = [one for one in traced(cluster) if one["ph"] == "X"]
    outcomes = [(one["name"].partition("/")[2], one["args"]["outcome"]) for one in cycles]
    assert outcomes[:2] == [("big", "unschedulable"), ("huge", "unschedulable")]
    assert len(cycles) == 4  # the fifth was undone
    assert all(one["ts"] >= 0 and one["dur"] > 0 for one in cycles)
    assert "Insufficient cpu" in cycles[0]["args"]["message"]


def test_the_counts_at_the_end_are_the_queue_s(cluster):
    counts = [one for one in traced(cluster) if one["ph"] == "C"][-1]["args"]
    with store.reading(cluster.pk, cluster.seq) as simulation:
        queued = (simulation.queued(key) for key in simulation.pods)
        there = Counter(NAMES[one.place] for one in queued if one is not None)
    assert {lane: count for lane, count in counts.items() if count} == there


def test_every_slice_of_a_pod_ends_and_lies_in_the_pod_s_own(cluster):
    open_slices: dict[str, list[str]] = {}
    for one in traced(cluster):
        if one["ph"] not in "be":
            continue
        there = open_slices.setdefault(one["id"], [])
        if one["ph"] == "b":
            assert bool(there) == (one["name"] != one["id"])
            there.append(one["name"])
        else:
            assert there.pop() == one["name"]
    assert open_slices
    assert not any(open_slices.values())


def test_time_never_runs_backwards_on_a_track(cluster):
    last: Counter[tuple[int, int, str]] = Counter()
    for one in traced(cluster):
        if "ts" in one:
            track = (one["pid"], one["tid"], one["ph"])
            assert one["ts"] >= last[track]
            last[track] = one["ts"]


def test_a_change_is_an_instant_and_what_the_cluster_was_made_with_is_none(cluster):
    assert [one["name"] for one in traced(cluster) if one["ph"] == "i"] == ["Node large added"]


def test_a_moment_of_the_past_is_its_own_end(cluster):
    first = Event.objects.filter(cluster=cluster, kind="CycleFinished").order_by("seq").values_list("seq", flat=True)[0]
    assert len([one for one in traced(cluster, first) if one["ph"] == "X"]) == 1


def test_the_event_log_has_every_event_as_a_line(cluster):
    out = io.StringIO()
    write_event_log(cluster, cluster.seq, out)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, cluster.seq + 1))
    assert lines[-1]["kind"] == "Reset"
    assert {line["actor"] for line in lines if "actor" in line} == {"mira"}
