"""The page of the queues: its graph counts what the log says, its lanes tell everything that decides their order."""

import re

import pytest
from django.test import Client

from dashboard.build.flow import flow, rules
from dashboard.build.refusers import last_refusers
from dashboard.payloads.queue import Flow, Lane, QueueRules
from dashboard.profiles import KIND
from scheduler import services, store
from scheduler.engine.config.decode import API_VERSION
from scheduler.engine.simulation.settings import PRESETS
from scheduler.models import Cluster, Event
from tests.dashboard.shapes import faults
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def cluster() -> Cluster:
    """`big` was refused, woken by a node that is too small for a second attempt at once, and waits again."""
    gates = [{"name": "example.org/hold"}]
    more = [a_pod("big", cpu="8", priority=9), a_pod("held", schedulingGates=gates)]
    cluster = a_cluster(nodes=2, pods=2, bound=1, name="demo", more=more)
    services.cycle_step(cluster.pk)
    services.objects_apply(cluster.pk, [a_node("large", cpu="16")], actor="mira")
    cluster.refresh_from_db()
    return cluster


def edges(cluster: Cluster, at: int | None = None) -> dict[tuple[str, str], int]:
    with store.reading(cluster.pk, at) as simulation:
        return {(edge["source"], edge["target"]): edge["count"] for edge in flow(simulation)["edges"]}


def card(browser: Client, lane: str, key: str) -> dict:
    told = browser.get(f"/c/demo/lanes/{lane}.json").json()
    assert faults(told, Lane) == []
    return next(one for one in told["cards"] if one["key"] == key)


def test_the_graph_has_the_shape_that_the_browser_reads(cluster):
    with store.reading(cluster.pk) as simulation:
        assert faults(flow(simulation), Flow) == []
        assert faults(rules(simulation), QueueRules) == []


def test_every_line_of_the_graph_counts_its_moves_of_the_log(cluster):
    told = edges(cluster)
    assert told == {
        ("new", "active"): 3,
        ("new", "gated"): 1,
        ("active", "in_flight"): 1,
        ("in_flight", "unschedulable"): 1,
        ("unschedulable", "backoff"): 1,
    }
    for (source, target), count in told.items():
        of_log = Event.objects.filter(cluster=cluster, source=source.replace("new", ""), target=target)
        assert of_log.count() == count


def test_in_the_past_the_graph_shows_what_was_then(cluster):
    first = Event.objects.get(cluster=cluster, kind="CycleStarted")
    assert edges(cluster, first.seq)[("active", "in_flight")] == 1
    assert ("active", "in_flight") not in edges(cluster, first.seq - 1)


def test_the_places_count_the_pods_that_are_there(browser, cluster):
    told = browser.get("/c/demo/flow.json").json()["flow"]
    counts = {place["name"]: place["count"] for place in told["places"]}
    expected = {"active": 2, "backoff": 1, "error_backoff": 0, "unschedulable": 0, "gated": 1, "in_flight": 0}
    assert counts == {**expected, "bound": 1}


def test_the_page_says_who_is_next(browser, cluster):
    page = browser.get("/c/demo/queue/").content.decode()
    assert re.search(
        r"<code>default/web-0</code> is next: <code>\S+</code> has the same priority 0 and was queued 1 µs", page
    )
    for _ in range(2):
        services.cycle_step(cluster.pk)
    page = browser.get("/c/demo/queue/").content.decode()
    assert "<code>default/big</code> is next, early from BackoffQ, because ActiveQ is empty." in page


def test_while_nothing_can_be_popped_the_page_says_which_timer_comes_first_and_whom_it_brings(browser):
    more = [a_pod("low", cpu="80"), a_pod("high", cpu="80", priority=9), a_pod("late", cpu="80", priority=99)]
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="demo", more=more[:2])
    for _ in more[:2]:
        services.cycle_step(cluster.pk)
    services.clock_advance(cluster.pk, cluster.now_us + 60_000_000)
    services.object_create(cluster.pk, more[2])
    services.cycle_step(cluster.pk)
    told = browser.get("/c/demo/flow.json").json()["next"]
    assert told == (
        "No pod can be popped now: unless an event wakes one earlier, the flush of Unschedulable comes first, "
        "at 00:05:30, and `default/high` goes first then, before 1 other."
    )
    services.clock_advance(cluster.pk)
    cluster.refresh_from_db()
    assert cluster.now_us - cluster.start_us == 330_000_000
    assert browser.get("/c/demo/flow.json").json()["next"].startswith("`default/high` is next: ")


def test_without_pods_the_page_says_where_they_come_from(browser, cluster):
    told = re.search(r'id="q-none"( hidden)?>', browser.get("/c/demo/queue/").content.decode())
    assert told[1] == " hidden"
    a_cluster(nodes=1, pods=0, bound=0, name="still")
    page = browser.get("/c/still/queue/").content.decode()
    assert re.search(r'id="q-none"( hidden)?>', page)[1] is None
    assert 'href="/import/"' in page.partition('id="q-none"')[2].partition("</section>")[0]


def test_in_the_past_the_page_says_who_was_next_then(browser, cluster):
    first = Event.objects.get(cluster=cluster, kind="CycleStarted")
    page = browser.get(f"/c/demo/queue/?at={first.seq - 1}").content.decode()
    assert "<code>default/big</code> is next: its priority" in page


def test_a_card_in_backoff_tells_what_its_next_backoff_depends_on(browser, cluster):
    big = card(browser, "backoff", "default/big")
    assert (big["attempts"], big["refusals"], big["plugins"]) == (1, 1, ["NodeResourcesFit"])
    assert big["why"] == "NodeAdd · NodeResourcesFit"
    moved = Event.objects.get(cluster=cluster, seq=big["moved_seq"])
    assert (moved.kind, moved.cause, moved.at_us) == ("PodMoved", "NodeAdd", big["moved_us"])
    assert "errors" not in big


def test_the_decisive_plugin_is_named_first_with_its_reason(browser):
    away = [a_node("away"), {**a_node("shut"), "spec": {"unschedulable": True}}]
    wanted = a_pod("big", cpu="64")
    a_cluster(nodes=3, pods=0, bound=0, name="mixed", more=[*away, wanted])
    made = Cluster.objects.get(name="mixed")
    services.cycle_step(made.pk)
    for address in ("/c/mixed/lanes/unschedulable.json", "/c/mixed/state.json"):
        told = browser.get(address).json()
        cards = told["cards"] if "cards" in told else next(one for one in told["lanes"] if one["cards"])["cards"]
        assert cards[0]["plugins"] == ["NodeResourcesFit", "NodeUnschedulable"]
        assert cards[0]["reason"] == "insufficient cpu, asks for 64 (4 of 5 nodes)"
    ended = Event.objects.get(cluster=made, kind="CycleFinished")
    refused = last_refusers(made.pk, ["default/big"], ended.seq)["default/big"]
    assert [(one.plugin, one.count) for one in refused.refusals] == [("NodeResourcesFit", 4), ("NodeUnschedulable", 1)]
    assert last_refusers(made.pk, ["default/big"], ended.seq - 1) == {}
    assert last_refusers(made.pk, ["default/big"], ended.seq)["default/big"] is refused
    assert refused.ordered(["NodeAffinity", "NodeName", "NodeUnschedulable", "NodeResourcesFit"]) == [
        "NodeResourcesFit",
        "NodeUnschedulable",
        "NodeAffinity",
        "NodeName",
    ]


def test_what_keeps_few_nodes_closed_to_all_pods_does_not_hide_what_the_pod_lacks(browser):
    shut = [{**a_node(f"shut{number}"), "spec": {"unschedulable": True}} for number in range(4)]
    picky = a_pod("picky")
    picky["spec"]["nodeSelector"] = {"pool": "gpu"}
    a_cluster(nodes=2, pods=0, bound=0, name="mixed", more=[*shut, a_pod("big", cpu="64"), picky])
    made = Cluster.objects.get(name="mixed")
    for _ in range(2):
        services.cycle_step(made.pk)
    cards = browser.get("/c/mixed/lanes/unschedulable.json").json()["cards"]
    assert {one["key"]: (one["plugins"][0], one["reason"]) for one in cards} == {
        "default/big": ("NodeResourcesFit", "insufficient cpu, asks for 64 (2 of 6 nodes)"),
        "default/picky": ("NodeAffinity", "asks for pool=gpu (2 of 6 nodes)"),
    }


def test_a_gated_card_names_the_gate_and_the_plugin_that_holds_it(browser, cluster):
    held = card(browser, "gated", "default/held")
    assert (held["gate"], held["gate_plugin"]) == ("example.org/hold", "SchedulingGates")


def test_a_card_in_flight_names_its_cycle_and_phase(browser, cluster):
    services.cycle_step_phase(cluster.pk)
    services.cycle_step_phase(cluster.pk)
    flying = browser.get("/c/demo/lanes/in_flight.json").json()["cards"]
    assert [(one["cycle"], one["attempts"]) for one in flying] == [(2, 1)]
    assert flying[0]["phase"] != "Pop"


def test_plugins_tell_which_events_they_hear_of(cluster):
    with store.reading(cluster.pk) as simulation:
        heard = rules(simulation)["listens"]
    assert heard["NodeAffinity"] == ["Node/Add", "Node/UpdateNodeLabel", "Node/UpdateNodeTaint"]
    assert heard["ImageLocality"] == []


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_named_as_such(name):
    settings, bounds = PRESETS[name]
    cluster = a_cluster(settings=settings, configuration={"apiVersion": API_VERSION, "kind": KIND, **bounds})
    with store.reading(cluster.pk) as simulation:
        told = rules(simulation)
    assert told["preset"] == name
    assert bool(told["listens"]) == settings.queueing_hints
