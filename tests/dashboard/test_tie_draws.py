"""Other seeds draw among the same ties, as a cluster with that seed does."""

import pytest
from django.test import Client

from dashboard.payloads.cycle import OtherDraw
from scheduler import services
from tests.dashboard.shapes import faults
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db


def placed(seed):
    """Three nodes alike, one pod, one cycle."""
    cluster = a_cluster(nodes=3, pods=1, bound=0, name=f"seed-{seed}", seed=seed)
    services.cycle_step(cluster.pk)
    browser = Client(SERVER_NAME="localhost")
    cycle = browser.get(f"/c/{cluster.name}/cycles/1.json").json()
    return cycle, browser.get(f"/c/{cluster.name}/cycles/1/draws.json").json()["draws"]


def test_what_another_seed_would_have_drawn_is_what_it_draws():
    cycle, draws = placed(7)
    assert [fault for one in draws for fault in faults(one, OtherDraw)] == []
    assert [one["seed"] for one in draws] == list(range(8, 18))
    assert {one["node"] for one in draws} == set(cycle["tie"]["nodes"])
    for one in draws[:3]:
        other, _ = placed(one["seed"])
        assert (other["winner"], other["tie"]["drawn"]) == (one["node"], one["lot"])
