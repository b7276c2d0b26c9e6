"""One clock on a page: in its head, in ages, in what is left of a backoff, also while a run waits."""

import re

import pytest

from scheduler.execution import pacemaker
from scheduler.models import Cluster
from scheduler.services import cycle_step
from tests.scheduler.builders import a_cluster, a_pod

pytestmark = pytest.mark.django_db(transaction=True)
SECOND_US = 1_000_000
PAGES = ("", "queue/", "pods/", "pods/default/huge-0/", "nodes/", "nodes/node-0/", "cycles/", "moves/", "time/",
         "nodes/node-0/drain/", "nodes/node-0/delete/", "profiles/", "edit/")  # fmt: skip


@pytest.fixture
def cluster(monkeypatch) -> Cluster:
    """A pod was refused at its first attempt; a run at a speed has let 130 s pass since, without an event."""
    cluster = a_cluster(nodes=1, pods=0, more=[a_pod("huge-0", cpu="64")])
    cycle_step(cluster.pk)
    cluster.refresh_from_db()
    Cluster.objects.filter(pk=cluster.pk).update(wanted=Cluster.Wanted.RUNNING, speed=10)
    beat = pacemaker.Beat(at=0.0, virtual_us=cluster.now_us + 130 * SECOND_US, rate=0.0)
    monkeypatch.setattr(pacemaker, "beat", lambda cluster_id: beat)
    return cluster


def the_clock(page: str) -> int:
    """Virtual µs at which the head's clock begins to go on."""
    state = re.search(r'"now_us":\s*(\d+)', page)
    return int(state[1] if state else re.search(r'data-now="(\d+)"', page)[1])


@pytest.mark.parametrize("address", PAGES)
def test_every_page_shows_the_present_of_a_run_that_waits(admin_client, cluster, address):
    page = admin_client.get(f"/c/{cluster.name}/{address}").content.decode()
    assert the_clock(page) == cluster.now_us + 130 * SECOND_US
    assert "00:02:10" in page


def test_the_list_of_clusters_shows_it_too(admin_client, cluster):
    assert "00:02:10" in admin_client.get("/").content.decode()


def test_ages_and_what_is_left_are_of_the_same_clock(admin_client, cluster):
    page = admin_client.get(f"/c/{cluster.name}/pods/default/huge-0/").content.decode()
    (since,) = re.findall(r'in Unschedulable, queued <time data-since="\d+">(\w+)</time>', page)
    (left,) = re.findall(r'flush in <time data-until="\d+">(\w+)</time>', page)
    assert (since, left) == ("2m10s", "3m19s")  # five minutes, and the next tick of 30 s


def test_the_past_stands_still(admin_client, cluster):
    page = admin_client.get(f"/c/{cluster.name}/pods/default/huge-0/", {"at": cluster.seq}).content.decode()
    assert the_clock(page) == cluster.now_us
    assert re.search(r"in Unschedulable, queued <time [^>]*>0s<", page)


def test_a_paused_cluster_shows_its_last_event(admin_client, cluster):
    Cluster.objects.update(wanted=Cluster.Wanted.PAUSED)
    page = admin_client.get(f"/c/{cluster.name}/pods/").content.decode()
    assert the_clock(page) == cluster.now_us
