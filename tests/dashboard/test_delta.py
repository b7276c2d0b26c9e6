"""News are the difference of two pictures: applied to the first they give the second."""

import json

import pytest

from dashboard.build import board as building
from dashboard.build.board import board_state
from dashboard.build.delta import news_text
from dashboard.payloads.news import News
from scheduler import services
from tests.dashboard.shapes import faults
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db


def told(state, news):
    """What a browser makes of a message: the rules of payloads.StateNews."""
    new = json.loads(json.dumps(state))
    change = news["state"]
    new["cluster"] = change["cluster"]
    for lane in change.get("lanes", []):
        new["lanes"] = [lane if old["name"] == lane["name"] else old for old in new["lanes"]]
    new["marks"] = [*new["marks"], *change.get("marks", [])][-400:]
    new["cycle"] = change.get("cycle", new["cycle"])
    if "map" in change:
        new["map"] = redrawn(new["map"], change["map"])
    return new


def redrawn(old, change):
    tiles = {tile["name"]: tile for group in old["groups"] for tile in group["tiles"]}
    tiles |= {tile["name"]: tile for tile in change["tiles"]}
    for name, verdict, mark in change["verdicts"]:
        tile = {key: value for key, value in tiles[name].items() if key not in ("verdict", "lead", "tie")}
        tile |= {} if verdict is None else {"verdict": verdict}
        tiles[name] = tile | ({mark: True} if mark else {})
    members = {group["name"]: [tile["name"] for tile in group["tiles"]] for group in old["groups"]}
    groups = []
    for group in change["groups"]:
        own = group.get("tiles") or [tiles[name] for name in members[group["name"]]]
        groups.append({**group, "tiles": own})
    rest = {key: value for key, value in change.items() if key not in ("groups", "tiles", "verdicts")}
    return {**rest, "groups": groups}


def cordon(cluster):
    node = a_node("node-0", zone="zone-0")
    node["spec"] = {"unschedulable": True}
    services.objects_apply(cluster.pk, [node])


CHANGES = {
    "a step": lambda cluster: services.cycle_step(cluster.pk),
    "a refusal": lambda cluster: (
        services.objects_apply(cluster.pk, [a_pod("big", cpu="99", priority=10)]),
        services.cycle_step(cluster.pk),
    ),
    "a phase": lambda cluster: [services.cycle_step_phase(cluster.pk) for _ in range(4)],
    "a new node": lambda cluster: services.objects_apply(cluster.pk, [a_node("node-9", zone="zone-7")]),
    "a deleted node": lambda cluster: services.object_delete(cluster.pk, "Node", "", "node-1"),
    "a cordon": cordon,
    "time": lambda cluster: services.clock_advance(cluster.pk, cluster.now_us + 90_000_000),
}


@pytest.mark.parametrize("forgotten", [False, True], ids=["kept", "forgotten"])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_news_make_of_the_old_state_exactly_the_new_one(change, forgotten):
    cluster = a_cluster(nodes=4, pods=3, bound=4)
    services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    old = board_state(cluster)
    change(cluster)
    if forgotten:
        building._kept.clear()
    cluster.refresh_from_db()
    news = json.loads(news_text(cluster.pk, old["cluster"]["seq"], cluster.seq))
    assert faults(news, News) == []
    assert told(old, news) == json.loads(json.dumps(board_state(cluster)))


def test_a_step_sends_only_what_changed():
    cluster = a_cluster(nodes=40, pods=3, bound=0)
    services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    board_state(cluster)
    before = cluster.seq
    services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    state = json.loads(news_text(cluster.pk, before, cluster.seq))["state"]
    assert len(state["map"]["tiles"]) == 1
    assert [lane["name"] for lane in state["lanes"]] == ["active"]


def test_a_wish_without_an_event_is_news_too():
    cluster = a_cluster()
    services.run_start(cluster.pk, speed=4)
    news = json.loads(news_text(cluster.pk, cluster.seq, cluster.seq))
    assert set(news["state"]) == {"cluster"}
    assert (news["state"]["cluster"]["wanted"], news["state"]["cluster"]["speed"]) == ("running", 4.0)


def test_the_same_news_is_built_once(monkeypatch):
    from dashboard.build import delta

    cluster = a_cluster()
    first = cluster.seq
    services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    built = []
    monkeypatch.setattr(delta, "state_news", lambda *args: built.append(args) or {"cluster": {}})
    texts = {news_text(cluster.pk, first, cluster.seq) for _ in range(5)}
    assert len(built) == len(texts) == 1
