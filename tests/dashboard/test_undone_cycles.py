"""Cycles that an undo took back: listed as such, not counted, and no attempt of their pod."""

import pytest
from django.test import Client

from scheduler.models import Cluster
from scheduler.services import cycle_step, undo
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cluster() -> Cluster:
    """web-0 is placed, which is undone; then web-0 and web-1 are placed."""
    made = a_cluster(pods=2)
    cycle_step(made.pk)
    undo(made.pk)
    cycle_step(made.pk)
    cycle_step(made.pk)
    made.refresh_from_db()
    return made


def cycles(client: Client, cluster: Cluster, **query: str):
    return client.get(f"/c/{cluster.name}/cycles/", query).context


@pytest.mark.parametrize("query", [{}, {"outcome": "bound"}])
def test_the_list_of_cycles_marks_what_was_undone_and_counts_the_rest(admin_client, cluster, query):
    told = cycles(admin_client, cluster, **query)
    assert [(row["record"].number, row["undone"]) for row in told["rows"]] == [(3, False), (2, False), (1, True)]
    assert told["outcomes"] == {"bound": 2}


def test_the_card_of_a_cluster_counts_cycles_as_their_page_does(admin_client, cluster):
    [row] = admin_client.get("/").context["rows"]
    assert row["cycles"] == sum(cycles(admin_client, cluster)["outcomes"].values()) == 2
    assert '<td class="field-cycles">2</td>' in admin_client.get("/admin/scheduler/cluster/").content.decode()


def test_a_cycle_counts_in_the_past_before_it_was_undone(admin_client, cluster):
    [row] = cycles(admin_client, cluster, at=str(cluster.seq), pod="default/web-1")["rows"]
    placed = row["record"]
    undo(cluster.pk)
    assert cycles(admin_client, cluster)["rows"][0]["undone"]
    assert not cycles(admin_client, cluster, at=str(placed.finished_seq))["rows"][0]["undone"]


def test_the_list_says_so_and_leads_to_the_node(admin_client, cluster):
    page = admin_client.get(f"/c/{cluster.name}/cycles/").content.decode()
    assert page.count("<span>placed, undone</span>") == 1
    assert f'<a href="/c/{cluster.name}/nodes/node-' in page


def test_an_attempt_that_was_undone_is_none_of_its_pod(admin_client, cluster):
    undo(cluster.pk)
    told = admin_client.get(f"/c/{cluster.name}/pods/default/web-1/").context
    assert told["attempts"] == []
    assert told["row"].node_name == ""
    assert [row["record"].number for row in pod_attempts(admin_client, cluster)] == [2]


def pod_attempts(client: Client, cluster: Cluster):
    return client.get(f"/c/{cluster.name}/pods/default/web-0/").context["attempts"]
