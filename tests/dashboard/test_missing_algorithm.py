"""An algorithm's file is removed while a profile enables it: every page opens, and the profile page helps."""

import re

import numpy as np
import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from scheduler import services, store
from scheduler.engine import plugins
from scheduler.engine.config import DEFAULT_DOCUMENT
from scheduler.engine.errors import Refused
from scheduler.engine.framework import Plugin
from tests.scheduler.builders import a_cluster, a_pod

pytestmark = pytest.mark.django_db

ENABLED = {"multiPoint": {"enabled": [{"name": "Quiet"}]}}
CONFIGURATION = DEFAULT_DOCUMENT | {"profiles": [{"plugins": ENABLED}]}


class Quiet(Plugin):
    name = "Quiet"

    def score(self, cycle, nodes):
        return np.full(len(nodes), 7, np.int64)


@pytest.fixture
def cluster(monkeypatch):
    """Two cycles with the algorithm, a third one opened; then its file goes, and the process begins anew."""
    with monkeypatch.context() as patched:
        known = {**plugins.registry(), "Quiet": Quiet}
        patched.setattr(plugins, "registry", lambda: known)
        more = [a_pod("big", cpu="99"), a_pod("last")]
        cluster = a_cluster(nodes=3, pods=1, bound=2, name="demo", more=more, configuration=CONFIGURATION)
        services.cycle_step(cluster.pk)
        services.cycle_step(cluster.pk)
        services.cycle_step_phase(cluster.pk)
    store.forget()
    cluster.refresh_from_db()
    return cluster


@pytest.fixture
def writer():
    browser = Client(SERVER_NAME="localhost")
    user = User.objects.create_user("mira", password="secret-enough")
    user.user_permissions.set(Permission.objects.filter(codename="change_cluster"))
    browser.force_login(user)
    return browser


@pytest.mark.parametrize(
    "address",
    [
        "",
        "state.json",
        "?at=3",
        "cycles/",
        *(
            f"cycles/{number}{rest}"
            for number in (1, 2, 3)
            for rest in ("/", ".json", ".csv", "/nodes.json", "/topology.json")
        ),
        "cycles/1/explain.json?algorithm=Quiet&node=node-0",
        "pods/",
        "pods/default/web-0/",
        "pods/default/big/",
        "pods/default/last/",
        "nodes/",
        "nodes/node-0/",
        "profiles/",
    ],
)
def test_every_page_opens(writer, cluster, address):
    assert writer.get(f"/c/demo/{address}").status_code in (200, 404 if "explain" in address else 200)


def test_a_finished_cycle_keeps_its_end_and_says_that_it_cannot_be_computed_again(writer, cluster):
    shown = writer.get("/c/demo/cycles/1.json").json()
    assert re.match(
        r"`default/web-0` went to `node-\d` with \d+\. How it came to that cannot be computed any more\. "
        "The profile default-scheduler enables Quiet, but no file",
        shown["sentence"],
    )
    assert shown["lost"].startswith("The profile default-scheduler enables Quiet, but no file")
    assert shown["scoring_skipped"] == "the numbers of this cycle cannot be computed any more"
    assert shown["message"].startswith("Successfully assigned default/web-0 to node-")
    assert {phase["note"] for phase in shown["phases"]} == {""}
    assert {phase["state"] for phase in shown["phases"]} <= {"done", "skip"}


def test_a_refused_one_does_so_too(writer, cluster):
    shown = writer.get("/c/demo/cycles/2.json").json()
    assert "`default/big` found no node. How it came to that cannot be computed" in shown["sentence"]
    assert "Insufficient cpu" in shown["message"]
    assert shown["lost"]


def test_the_profile_page_names_it_and_offers_to_switch_it_off(writer, cluster):
    page = writer.get("/c/demo/profiles/").content.decode()
    assert "<strong>Quiet</strong> is enabled in <code>default-scheduler</code>, but no file in" in page
    assert "Switch off Quiet" in page


def test_who_may_not_write_is_not_offered_it(cluster):
    page = Client(SERVER_NAME="localhost").get("/c/demo/profiles/").content.decode()
    assert "<strong>Quiet</strong>" in page
    assert "Switch off Quiet" not in page


def test_a_step_finishes_the_open_cycle_with_an_error_and_then_is_refused(writer, cluster):
    stepped = services.cycle_step(cluster.pk)
    assert stepped.decision.outcome == "error"
    assert "Quiet, but no file" in stepped.decision.message
    services.objects_apply(cluster.pk, [a_pod("new")])
    answer = writer.post("/c/demo/commands/", data='{"command": "step"}', content_type="application/json")
    assert answer.status_code == 409
    assert "enables Quiet, but no file" in answer.json()["error"]
    with pytest.raises(Refused):
        services.cycle_step_phase(cluster.pk)


def test_switched_off_it_is_taken_out_everywhere_and_pods_are_scheduled(writer, cluster):
    services.cycle_step(cluster.pk)
    services.objects_apply(cluster.pk, [a_pod("new")])
    assert writer.post("/c/demo/profiles/", {"drop": "missing"}).status_code == 302
    assert services.cycle_step(cluster.pk).decision.outcome == "bound"
    page = writer.get("/c/demo/profiles/").content.decode()
    assert "Quiet" not in page
    assert writer.get("/c/demo/cycles/1/").status_code == 200


def test_nothing_else_is_saved_before_that(writer, cluster):
    answer = writer.post("/c/demo/profiles/", {"0-score-NodeAffinity-weight": "9"})
    assert answer.status_code == 400
    assert "Switch off what is missing first" in answer.content.decode()
