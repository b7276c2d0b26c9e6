"""The page of a pod that is being deleted or that is new, and messages that every version prints alike."""

import pytest

from dashboard.build.deletion import deletion_facts
from dashboard.build.nodes.leaving import delete_preview
from scheduler import services, store
from scheduler.models import Cluster, Event
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db

SECOND_US = 1_000_000


def leaving(name="leaving", **spec):
    pod = a_pod(name, **spec)
    pod["metadata"] |= {"deletionTimestamp": "2026-01-01T00:00:30Z", "deletionGracePeriodSeconds": 30}
    return pod


def page(browser, name="leaving"):
    return browser.get(f"/c/why/pods/default/{name}/").content.decode()


def test_that_it_is_being_deleted_comes_before_how_it_came_to_its_node(browser):
    a_cluster(nodes=1, pods=0, bound=0, name="why", more=[leaving(nodeName="node-0")])
    told = browser.get("/c/why/pods/default/leaving.json").json()["sentence"]
    assert told == "`default/leaving` is being deleted, and holds its room on **`node-0`** until it is gone."
    assert "kube-scheduler counts its requests" in page(browser)
    assert "<would-go" not in page(browser)


def test_on_a_node_that_is_gone_it_holds_nothing(browser):
    a_cluster(nodes=1, pods=0, bound=0, name="why", more=[leaving(nodeName="nowhere")])
    told = browser.get("/c/why/pods/default/leaving.json").json()["sentence"]
    assert told == "`default/leaving` is being deleted. The cluster has no node `nowhere`, where it was."


def test_since_when_and_how_long_its_grace_lasts():
    manifest, over_us = leaving(), 1_767_225_630 * SECOND_US
    (only,) = deletion_facts(manifest, over_us - 40 * SECOND_US)
    assert only.startswith("its grace ends in")
    assert "40s</time>" in only
    first, second = deletion_facts(manifest, over_us - 10 * SECOND_US)
    assert ("20s</time>" in first, "10s</time>" in second) == (True, True)
    assert deletion_facts(manifest, over_us)[1] == "its grace is over"
    assert deletion_facts({"metadata": {"deletionTimestamp": "soon"}}, over_us) == []


def test_a_pod_that_was_passed_over_shows_no_verdicts_of_nodes(browser):
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="why", more=[leaving()])
    services.cycle_step(cluster.pk)
    shown = page(browser)
    assert 'id="tab-nodes"' not in shown
    assert 'id="tab-topology"' not in shown
    assert 'id="tab-history"' in shown
    assert "What the scheduler prints, whatever its version." in shown
    assert "data-forms" not in shown
    assert "It counts a node at the first plugin" not in shown


def test_a_message_that_counts_no_node_says_nothing_of_counts(browser):
    claim = {"volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "missing"}}]}
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="why", more=[a_pod("x", **claim), a_pod("big", cpu="99")])
    services.cycle_step(cluster.pk)
    services.cycle_step(cluster.pk)
    assert "It counts a node at the first plugin" not in page(browser, "x")
    assert "It counts a node at the first plugin" in page(browser, "big")


def test_a_cause_that_begins_with_of_is_set_off_by_a_comma(browser):
    full = a_node("full", cpu="99", pods="0")
    cluster = a_cluster(nodes=2, pods=0, bound=0, name="why", more=[full, a_pod("big", cpu="99")])
    services.cycle_step(cluster.pk)
    services.clock_advance(cluster.pk, Cluster.objects.get(pk=cluster.pk).now_us + 400 * SECOND_US)
    services.cycle_step(cluster.pk)
    told = browser.get("/c/why/pods/default/big.json").json()["sentence"]
    assert "because of" not in told
    assert told.startswith(("`default/big` waits because, of the 3 nodes", "`default/big` is tried again"))


def test_right_after_its_creation_a_pod_is_not_told_to_be_of_another_scheduler(browser):
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="why", more=[a_pod("new")])
    made = Event.objects.filter(cluster=cluster, object_key="Pod/default/new").earliest("seq")
    shown = browser.get("/c/why/pods/default/new/", {"at": made.seq}).content.decode()
    assert "is new: the next event puts it into a queue." in shown
    assert "add a profile of that name" not in shown


def test_what_is_lost_with_a_node_is_told_before_what_comes_back(browser):
    kept = a_pod("kept", nodeName="node-0")
    kept["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "u", "controller": True}
    ]
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="why", more=[kept, a_pod("alone", nodeName="node-0")])
    with store.reading(cluster.pk) as simulation:
        told = delete_preview(simulation, cluster.pk, "node-0").sentence
    assert "; 1 would be lost and 1 would return to the queue; it would find no node." in told
