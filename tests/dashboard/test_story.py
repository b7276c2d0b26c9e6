"""Why a pod was, or was not, retried: every event that could concern it, with each plugin's answer."""

import pytest
from django.test import Client

from dashboard.build.story import story
from dashboard.payloads.story import PodStory
from scheduler import services
from scheduler.engine.simulation.settings import CLASSIC
from scheduler.models import Event
from tests.dashboard.shapes import faults
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db
KEY = "default/big"


def refused(**options):
    """`big` was refused by every node, once."""
    cluster = a_cluster(nodes=2, pods=0, bound=1, name="demo", more=[a_pod("big", cpu="8", priority=9)], **options)
    services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    return cluster


def apply(cluster, *manifests):
    services.objects_apply(cluster.pk, list(manifests), actor="mira")
    cluster.refresh_from_db()


def newest(cluster, **options):
    told = story(cluster, KEY, cluster.seq, **options)
    assert faults(told, PodStory) == []
    return told["events"][0]


def test_a_node_that_is_too_small_leaves_the_pod_where_it_is():
    cluster = refused()
    apply(cluster, a_node("worker-3", cpu="4"))
    event = newest(cluster)
    assert (event["what"], event["place"], event["moved"], event["outcome"]) == (
        "Node worker-3 added",
        "unschedulable",
        "",
        "stayed",
    )
    assert [(one["plugin"], one["verdict"]) for one in event["answers"]] == [("NodeResourcesFit", "skip")]
    assert event["answers"][0]["because"] == (
        "even empty, node worker-3 is too small: it has 4 cpu, the pod asks for 8 cpu"
    )
    assert event["conclusion"].startswith(
        "It was not retried: `NodeResourcesFit`, which refused it, sees no help, so it stayed in Unschedulable."
    )


def test_a_node_with_room_brings_it_to_backoff_and_the_story_says_until_when():
    cluster = refused()
    apply(cluster, a_node("worker-4", cpu="16"))
    event = newest(cluster)
    assert (event["moved"], event["outcome"]) == ("backoff", "moved")
    assert event["conclusion"] == (
        "`NodeResourcesFit` sees help, so it was to be retried: it went to BackoffQ, where its backoff ran until "
        "00:00:02.000. Pop may take it earlier, while ActiveQ is empty."
    )
    move = Event.objects.get(cluster=cluster, object_key=f"Pod/{KEY}", cause="NodeAdd")
    assert move.target == event["moved"]


def test_at_a_change_of_taints_whoever_hears_of_new_nodes_is_retried_unasked():
    shut = {**a_node("node-9"), "spec": {"unschedulable": True}}
    cluster = a_cluster(nodes=1, pods=0, bound=0, more=[shut, a_pod("big", cpu="8")])
    services.cycle_step(cluster.pk)
    apply(cluster, {**shut, "spec": {"taints": [{"key": "k", "effect": "NoSchedule"}]}})
    event = newest(cluster)
    (told,) = [one for one in event["answers"] if one["plugin"] == "NodeResourcesFit"]  # of two such events, once
    assert (told["event"], told["verdict"]) == ("NodeUpdateNodeTaint", "queue")
    assert told["because"].startswith("it is not asked: what hears of new nodes is retried")
    assert event["conclusion"].startswith(
        "`NodeResourcesFit` refused it and hears of new nodes, which is enough at a change of taints, so it was"
    )


def test_in_backoff_nobody_is_asked():
    cluster = refused()
    apply(cluster, a_node("worker-4", cpu="16"))
    apply(cluster, a_node("worker-5", cpu="16"))
    event = newest(cluster)
    assert (event["what"], event["outcome"], event["answers"]) == ("Node worker-5 added", "not_asked", [])
    assert event["conclusion"].startswith("It was in BackoffQ: events move nobody out of there.")


def test_in_active_q_it_only_waits_for_its_turn():
    cluster = a_cluster(nodes=1, pods=0, bound=0, more=[a_pod("first", priority=10), a_pod("big", priority=9)])
    apply(cluster, a_node("worker-3"))
    assert newest(cluster)["conclusion"] == (
        "It was in ActiveQ already, 1 pod ahead of it: events do not change the order there."
    )


def test_a_deleted_pod_and_a_bound_pod_are_events_too():
    cluster = refused()
    services.object_delete(cluster.pk, "Pod", "default", "run-0", actor="mira")
    apply(cluster, a_pod("tiny", cpu="100m", priority=99))
    cluster.refresh_from_db()
    services.cycle_step(cluster.pk)
    services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    told = {event["what"]: event for event in story(cluster, KEY, cluster.seq)["events"]}
    assert told["Pod default/run-0 deleted"]["moved"] == "backoff"
    bound = next(what for what in told if what.startswith("Pod default/tiny placed on node-"))
    assert told[bound]["outcome"] == "not_asked"


def test_a_gate_that_does_not_listen_keeps_the_pod():
    gates = [{"name": "example.org/hold"}]
    cluster = a_cluster(nodes=1, pods=0, bound=0, more=[a_pod("big", schedulingGates=gates)])
    apply(cluster, a_node("worker-3"))
    event = newest(cluster)
    assert event["answers"][0]["verdict"] == "deaf"
    assert event["conclusion"] == ("It was not retried: it stayed held by example.org/hold, whatever others say.")


def test_removing_the_gate_is_what_wakes_it():
    cluster = a_cluster(nodes=1, pods=0, bound=0, more=[a_pod("big", schedulingGates=[{"name": "g"}])])
    apply(cluster, a_pod("big"))
    event = newest(cluster)
    assert event["moved"] == "active"
    assert [one["because"] for one in event["answers"]][:1] == ["all scheduling gates of the pod are gone"]


def test_the_classic_scheduler_retries_at_any_event():
    cluster = refused(settings=CLASSIC)
    apply(cluster, a_node("tiny", cpu="1"))
    event = newest(cluster)
    assert event["moved"] == "backoff"
    assert "queueing hints are off" in event["answers"][0]["because"]


def test_any_event_of_the_log_can_be_asked_about():
    cluster = refused()
    told = story(cluster, KEY, cluster.seq, chosen=2)
    assert told["events"][-1]["seq"] == 2
    assert told["events"][-1]["conclusion"] == "The pod did not exist then."


def test_in_the_past_later_events_are_not_told():
    cluster = refused()
    before = cluster.seq
    apply(cluster, a_node("worker-3", cpu="4"))
    assert story(cluster, KEY, before)["events"] == []


def test_the_address_and_the_page():
    cluster = refused()
    apply(cluster, a_node("worker-3", cpu="4"))
    browser = Client(SERVER_NAME="localhost")
    told = browser.get(f"/c/demo/pods/{KEY}/story.json?event=2").json()
    assert faults(told, PodStory) == []
    assert 2 in {event["seq"] for event in told["events"]}
    assert f'data-url="/c/demo/pods/{KEY}/story.json"' in browser.get(f"/c/demo/pods/{KEY}/").content.decode()
    assert browser.get(f"/c/demo/pods/{KEY}/story.json?event=x").status_code == 404


def test_the_first_event_has_no_state_before_it(admin_client):
    cluster = a_cluster()
    told = admin_client.get(f"/c/{cluster.name}/pods/{KEY}/story.json", {"event": 1})
    assert (told.status_code, told.json()["events"]) == (200, [])


def test_the_flush_is_told_before_it_comes_and_once_it_came():
    cluster = refused()
    told = story(cluster, KEY, cluster.seq)
    assert (told["events"], told["flush_us"]) == ([], cluster.start_us + 330_000_000)
    services.clock_advance(cluster.pk, cluster.start_us + 340_000_000)
    cluster.refresh_from_db()
    event = newest(cluster)
    assert (event["what"], event["cause"], event["place"], event["moved"], event["outcome"], event["answers"]) == (
        "The periodic flush",
        "UnschedulableTimeout",
        "unschedulable",
        "active",
        "moved",
        [],
    )
    assert event["conclusion"] == (
        "It had waited in Unschedulable for more than 5m: the flush, every 30s, takes such pods and asks no plugin. "
        "It was retried: it went to ActiveQ."
    )
    assert event["means"] == "the flush, after a long wait"
    assert story(cluster, KEY, cluster.seq)["flush_us"] is None


def test_the_end_of_a_backoff_is_told():
    cluster = refused()
    apply(cluster, a_node("worker-4", cpu="16"), a_pod("late", cpu="100m"))
    services.clock_advance(cluster.pk, cluster.start_us + 3_000_000)
    cluster.refresh_from_db()
    event = newest(cluster)
    assert (event["what"], event["moved"]) == ("Its backoff ended", "active")
    assert event["conclusion"] == "Its backoff was over at 00:00:02.000. It was retried: it went to ActiveQ."


def test_a_retry_before_the_backoff_ended_is_told_as_that():
    cluster = refused()
    apply(cluster, a_node("worker-4", cpu="16"))
    services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    event = newest(cluster)
    assert (event["what"], event["moved"], event["means"]) == (
        "Taken early from BackoffQ",
        "in_flight",
        "early, as ActiveQ was empty",
    )
    assert event["conclusion"].startswith("ActiveQ was empty, so it was taken from BackoffQ before its backoff ended")


def test_a_retry_that_somebody_asked_for_is_told_as_that():
    cluster = refused()
    services.pods_activate(cluster.pk, [KEY], "mira")
    cluster.refresh_from_db()
    event = newest(cluster)
    assert (event["what"], event["cause"], event["moved"]) == ("A retry was asked for", "ForceActivate", "active")
