"""The picture of the board: lanes, cycle, map and marks, now and at an earlier event."""

import pytest

from dashboard.build.board import board_state
from dashboard.build.lanes import lane
from dashboard.payloads.board import BoardState
from dashboard.payloads.queue import Lane
from scheduler import services, store
from scheduler.engine.cycle.phases import PHASES
from scheduler.execution import pacemaker
from tests.dashboard.shapes import faults
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db


def board(cluster, at=None):
    cluster.refresh_from_db()
    return board_state(cluster, at)


def lane_of(state, name):
    return next(one for one in state["lanes"] if one["name"] == name)


def tiles_of(state):
    return {tile["name"]: tile for group in state["map"]["groups"] for tile in group["tiles"]}


def test_a_fresh_cluster_has_every_part_and_no_cycle():
    state = board(a_cluster(nodes=3, pods=4, bound=2))
    assert faults(state, BoardState) == []
    assert state["cycle"] is None
    assert lane_of(state, "active")["count"] == 4
    assert [card["rank"] for card in lane_of(state, "active")["cards"]] == [1, 2, 3, 4]
    assert state["map"]["pods_bound"] == 2
    assert [group["name"] for group in state["map"]["groups"]] == ["zone-0", "zone-1"]


def test_an_empty_cluster_can_be_shown():
    state = board(a_cluster(nodes=0, pods=0, bound=0))
    assert faults(state, BoardState) == []
    assert state["map"]["groups"] == []
    assert state["map"]["largest_free"] == {"cpu": "0", "memory": "0", "node": ""}


def test_a_placed_pod_is_told_with_its_scores():
    cluster = a_cluster(nodes=3, pods=1, bound=0)
    services.cycle_step(cluster.pk)
    state = board(cluster)
    cycle = state["cycle"]
    assert faults(state, BoardState) == []
    assert cycle["outcome"] == "bound"
    assert cycle["message"] == f"Successfully assigned default/web-0 to {cycle['winner']}"
    assert len(cycle["rows"]["names"]) == cycle["feasible"] == 3
    parts = [sum(column[0] or 0 for column in cycle["rows"]["weighted"] if column)]
    assert parts == [cycle["rows"]["totals"][0]]
    assert tiles_of(state)[cycle["winner"]]["lead"] is True
    assert tiles_of(state)[cycle["winner"]]["pod_count"] == 1


def test_a_single_feasible_node_is_not_scored_and_that_is_said():
    cluster = a_cluster(nodes=1, pods=1, bound=0)
    services.cycle_step(cluster.pk)
    cycle = board(cluster)["cycle"]
    assert cycle["scoring_skipped"] == "only one node passed the filters, so nothing was scored"
    assert cycle["sentence"] == "`default/web-0` went to `node-0`, the only node that passed the filters."
    assert {one["state"] for one in cycle["algorithms"]} == {"not_scored"}
    assert {one["name"]: one["state"] for one in cycle["phases"]}["Map"] == "skip"
    assert cycle["rows"]["totals"] is None


def test_a_refused_pod_names_what_refuses_and_how_often():
    cluster = a_cluster(nodes=3, pods=0, bound=0, more=[a_pod("big", cpu="99")])
    services.cycle_step(cluster.pk)
    state = board(cluster)
    cycle = state["cycle"]
    assert faults(state, BoardState) == []
    assert cycle["sentence"] == "`default/big` fits on none of 3 nodes: each has 4 cpu free, the pod asks for 99."
    assert [(one["plugin"], one["count"]) for one in cycle["refusals"]] == [("NodeResourcesFit", 3)]
    assert {tile["verdict"] for tile in tiles_of(state).values()} == {"cpu"}
    assert cycle["message"].startswith("0/3 nodes are available: 3 Insufficient cpu.")
    card = lane_of(state, "unschedulable")["cards"][0]
    assert card["plugins"] == ["NodeResourcesFit"]
    assert 300_000_000 < card["flush_us"] - card["since_us"] <= 330_000_000  # the job looks every 30 seconds
    assert card["flush_us"] == state["cluster"]["next_timer_us"]


def test_the_funnel_counts_every_node_once():
    cordoned = a_node("node-c")
    cordoned["spec"] = {"unschedulable": True}
    cluster = a_cluster(nodes=2, pods=0, bound=0, more=[cordoned, a_pod("big", cpu="99")])
    services.cycle_step(cluster.pk)
    funnel = board(cluster)["cycle"]["funnel"]
    lost = {step["plugin"]: step["lost"] for step in funnel if step["lost"]}
    assert lost == {"NodeUnschedulable": 1, "NodeResourcesFit": 2}
    assert funnel[-1]["left"] == 0


def test_a_pod_that_no_scheduler_will_place_shows_in_no_lane():
    cluster = a_cluster(nodes=1, pods=0, bound=0, more=[a_pod("x", schedulerName="other")])
    assert sum(one["count"] for one in board(cluster)["lanes"]) == 0
    assert board(cluster)["cluster"]["pods_foreign"] == 1
    assert board(cluster)["cluster"]["foreign"] == [{"scheduler": "other", "count": 1, "pods": ["default/x"]}]
    assert board(a_cluster(nodes=1, pods=2, bound=1))["cluster"]["pods_foreign"] == 0


def test_a_gated_pod_names_its_gate():
    gated = a_pod("later", schedulingGates=[{"name": "example.com/review"}])
    card = lane_of(board(a_cluster(nodes=1, pods=0, bound=0, more=[gated])), "gated")["cards"][0]
    assert card["gate"] == "example.com/review"


@pytest.mark.parametrize("phase", [None, *PHASES[2:-1]])
def test_an_open_cycle_shows_nothing_beyond_its_phase(phase):
    cluster = a_cluster(nodes=4, pods=1, bound=0)
    stepped = services.cycle_step_phase(cluster.pk)
    while phase and stepped.phase != phase:
        stepped = services.cycle_step_phase(cluster.pk)
    state = board(cluster)
    cycle = state["cycle"]
    reached = max(PHASES.index(cycle["phase"]), 1)
    assert faults(state, BoardState) == []
    assert cycle["outcome"] == "open"
    assert cycle["phase"] == (phase or "Pop")
    assert cycle["message"] == ""

    def shows(name):
        return PHASES.index(name) <= reached

    assert bool(cycle["rows"]["names"]) is shows("Filter")
    assert any(cycle["rows"]["raw"]) is shows("Map")
    assert any(cycle["rows"]["normalized"]) is shows("Reduce")
    assert (cycle["rows"]["totals"] is not None) is shows("Sum")
    assert bool(cycle["winner"]) is shows("Select")
    assert any("verdict" in tile for tile in tiles_of(state).values()) is shows("Filter")
    assert all((one["state"] == "idle") is (PHASES.index(one["name"]) > reached) for one in cycle["phases"])


def test_the_open_cycle_ends_as_the_step_at_once_does():
    one, other = (a_cluster(nodes=5, pods=1, bound=3) for _ in range(2))
    services.cycle_step(one.pk)
    while services.cycle_step_phase(other.pk).decision is None:
        pass
    first, second = (board(cluster)["cycle"] for cluster in (one, other))
    assert first["rows"] == second["rows"]
    assert first["winner"] == second["winner"]


def test_the_past_is_drawn_as_it_was():
    cluster = a_cluster(nodes=3, pods=2, bound=0)
    before = board(cluster)
    services.cycle_step(cluster.pk)
    after = board(cluster)
    past = board(cluster, at=before["cluster"]["seq"])
    for part in ("lanes", "cycle", "map"):
        assert past[part] == before[part]
    assert past["cluster"]["seq"] < past["cluster"]["head_seq"] == after["cluster"]["seq"]
    assert past["cluster"]["can_write"] is False


def test_a_node_without_a_cycle_since_it_came_is_counted():
    cluster = a_cluster(nodes=2, pods=1, bound=0)
    services.cycle_step(cluster.pk)
    services.objects_apply(cluster.pk, [a_node("fresh", cpu="8"), a_pod("there", cpu="2", nodeName="fresh")])
    tile = tiles_of(board(cluster))["fresh"]
    assert (tile["cpu"], tile["pod_count"]) == (0.25, 1)


def test_drawing_changes_nothing_of_the_state():
    cluster = a_cluster(nodes=2, pods=2, bound=0)
    services.objects_apply(cluster.pk, [a_node("fresh")])
    with store.reading(cluster.pk) as simulation:
        before = simulation.cluster.snapshot_number
    board(cluster)
    with store.reading(cluster.pk) as simulation:
        assert simulation.cluster.snapshot_number == before


def test_the_rest_of_a_lane_is_fetched_with_its_ranks():
    cluster = a_cluster(nodes=1, pods=30, bound=0)
    with store.reading(cluster.pk) as simulation:
        whole, rest = lane(simulation, cluster.pk, "active"), lane(simulation, cluster.pk, "active", offset=25)
    assert faults(rest, Lane) == []
    assert rest["cards"] == whole["cards"][25:]
    assert [card["rank"] for card in rest["cards"]] == list(range(26, 31))


def test_the_clock_of_a_run_that_waits_is_told_as_it_is_now(monkeypatch):
    cluster = a_cluster(nodes=1, pods=0, bound=0)
    services.objects_apply(cluster.pk, [a_pod("big", cpu="64")])
    services.cycle_step(cluster.pk)
    stopped = board(cluster)["cluster"]
    with store.reading(cluster.pk) as simulation:
        assert stopped["next_timer_us"] == simulation.next_timer_us
    beat = pacemaker.Beat(at=0.0, virtual_us=stopped["now_us"] + 7_000_000, rate=0.0)
    monkeypatch.setattr(pacemaker, "beat", lambda pk: beat)
    assert board(cluster)["cluster"]["now_us"] == stopped["now_us"]
    services.run_start(cluster.pk, 10)
    assert board(cluster)["cluster"]["now_us"] == stopped["now_us"] + 7_000_000
    assert board(cluster, at=cluster.seq - 1)["cluster"]["now_us"] <= stopped["now_us"]


def test_a_slow_run_tells_how_fast_its_clock_goes_while_it_waits():
    cluster = a_cluster(nodes=1, pods=0, bound=0)
    services.objects_apply(cluster.pk, [a_pod("big", cpu="64")])
    services.run_start(cluster.pk, 0.01)
    assert board(cluster)["cluster"]["rate"] == 0.01  # a pod is to be tried
    services.cycle_step(cluster.pk)
    waiting = board(cluster)["cluster"]
    assert waiting["rate"] == (waiting["next_timer_us"] - waiting["now_us"]) / 3_000_000 > 100
    services.run_start(cluster.pk, 0.01, "time=+30s")
    assert board(cluster)["cluster"]["rate"] == 10
    services.run_start(cluster.pk, 10)
    assert board(cluster)["cluster"]["rate"] == 10


def test_without_a_timer_there_is_nothing_to_wait_for():
    assert board(a_cluster(nodes=1, pods=0, bound=1))["cluster"]["next_timer_us"] is None


def test_a_run_says_what_it_stops_at_and_how_far_that_is():
    cluster = a_cluster(nodes=2, pods=3)
    services.run_start(cluster.pk, 0, "cycle=+10,active=0,bound:web-0,time=+90s,idle")
    ninety_us = cluster.now_us + 90_000_000
    state = board(cluster)
    assert faults(state, BoardState) == []
    assert [(one["aim"], one["missing"]) for one in state["cluster"]["until"][:3]] == [
        ("cycle 10 is over", "10 to go"),
        ("ActiveQ holds 0 pods", "3 now"),
        ("default/web-0 is placed", ""),
    ]
    assert state["cluster"]["until"][3]["at_us"] == ninety_us
    assert state["cluster"]["until"][4] == {
        "aim": "nothing is left to do",
        "missing": "3 pods in the queues",
        "at_us": None,
    }
    services.cycle_step(cluster.pk)
    assert [one["missing"] for one in board(cluster)["cluster"]["until"][:2]] == ["9 to go", "2 now"]
    assert board(cluster, at=cluster.seq - 1)["cluster"]["until"] == []
    services.run_pause(cluster.pk, "Stopped: cycle 10 is over.")
    assert board(cluster)["cluster"]["until"] == []


def test_the_board_does_not_greet_with_a_pod_that_is_gone():
    cluster = a_cluster(nodes=2, pods=1, bound=0, more=[a_pod("huge", cpu="64")])
    for _ in range(2):
        services.cycle_step(cluster.pk)
    refused = board(cluster)["cycle"]
    assert refused["pod"] == "default/huge"
    services.object_delete(cluster.pk, "Pod", "default", "huge")
    assert board(cluster)["cycle"]["pod"] == "default/web-0"
    assert board(cluster, at=cluster.seq - 1)["cycle"]["number"] == refused["number"]
    services.object_delete(cluster.pk, "Pod", "default", "web-0")
    assert board(cluster)["cycle"]["number"] == refused["number"]  # better than none
