"""What would make a pod fit, over HTTP: a few trials a request, any moment, and a branch with one of them done."""

import json

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from dashboard.build import fixes as build
from dashboard.build.manifest_diff import manifest_diff
from dashboard.payloads.fixes import Fixes
from scheduler import services, store
from scheduler.engine.codec.codec import encode_checkpoint
from scheduler.engine.commands import Schedule
from scheduler.engine.fixes.search import Search
from scheduler.models import Cluster, Event
from tests.dashboard.shapes import faults
from tests.engine.test_fixes_storage import CASES as CLAIMS
from tests.engine.test_fixes_storage import demanding
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db
POD = ("default", "big")


@pytest.fixture
def cluster():
    """Two nodes of 4 cpu with a pod of 1 on each, and a pod that asks for 4."""
    placed = [a_pod(f"p{number}", cpu="1", nodeName=f"n{number}") for number in (1, 2)]
    one = a_cluster(nodes=0, pods=0, bound=0, more=[a_node("n1"), a_node("n2"), *placed, a_pod("big", cpu="4")])
    services.execute(one.pk, Schedule())
    one.refresh_from_db()
    return one


@pytest.fixture
def browser():
    user = User.objects.create_user("mira", password="only-for-tests-1")
    user.user_permissions.set(Permission.objects.filter(codename__in=["change_cluster", "add_cluster"]))
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    return client


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """One request tries all changes, however busy the machine is: the clock that ends it is a test of its own."""
    monkeypatch.setattr(build, "BUDGET_SECONDS", 600.0)


def tried(cluster, browser, **query):
    return browser.get(reverse("pod-fixes", args=(cluster.name, *POD)), query)


def opened(cluster, browser, **body):
    address = reverse("pod-fix", args=(cluster.name, *POD))
    return browser.post(address, json.dumps(body), content_type="application/json")


def test_each_fix_comes_with_its_result_and_the_change(cluster, browser):
    with store.reading(cluster.pk) as simulation:
        before = encode_checkpoint(simulation)
    found = tried(cluster, browser).json()
    assert faults(found, Fixes) == []
    assert {one["kind"]: one["outcome"] for one in found["fixes"]}.items() >= {
        ("request", "fits"), ("add-node", "fits"), ("move", "fits"),
    }  # fmt: skip
    best = min(found["fixes"], key=lambda one: one["rank"])
    assert (best["title"], best["told"]) == ("Ask for **3** cpu instead of 4", "Lands on `n1`, one of 2 nodes that fit")
    assert [line for line in best["changes"][0]["diff"] if line[0] in "+-"] == [
        "-        cpu: '4'",
        "+        cpu: '3'",
    ]
    assert (found["seq"], found["next"], found["can_branch"]) == (cluster.seq, None, True)
    with store.reading(cluster.pk) as simulation:
        assert encode_checkpoint(simulation) == before


def test_a_request_ends_when_its_time_is_over_and_the_next_goes_on(cluster, browser, monkeypatch):
    whole = tried(cluster, browser).json()
    monkeypatch.setattr(build, "BUDGET_SECONDS", 0.0)
    parts, at = [], 0
    while at is not None:
        part = tried(cluster, browser, **{"from": at}).json()
        assert len(part["fixes"]) == 1
        parts, at = parts + part["fixes"], part["next"]
    assert parts == whole["fixes"]


def test_the_past_is_tried_as_it_was(cluster, browser):
    services.object_delete(cluster.pk, "Pod", "default", "p1")
    services.execute(cluster.pk, Schedule())
    now = tried(cluster, browser)
    assert (now.status_code, now.json()["error"]) == (409, "Pod default/big does not wait: it is on n1.")
    then = tried(cluster, browser, at=cluster.seq).json()
    assert then["seq"] == cluster.seq
    assert {one["kind"] for one in then["fixes"] if one["outcome"] == "fits"} >= {"request", "move"}


def test_a_branch_has_the_change_and_the_pod_goes_where_the_trial_went(cluster, browser):
    found = tried(cluster, browser).json()["fixes"]
    for kind in ("request", "add-node", "move"):
        fix = next(one for one in found if one["kind"] == kind)
        answer = opened(cluster, browser, fix=fix["id"], seq=cluster.seq).json()
        branch = Cluster.objects.get(name=answer["cluster"])
        assert answer["address"] == reverse("pod", args=(branch.name, *POD))
        assert Event.objects.filter(cluster=branch, actor="mira").exists()
        assert kind == "move" or fix["title"].replace("`", "").replace("**", "") in branch.description
        services.execute(branch.pk, Schedule())
        with store.reading(branch.pk) as simulation:
            assert simulation.pods["default/big"].node_name == fix["node"]
    with store.reading(cluster.pk) as simulation:
        assert simulation.seq == cluster.seq


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"fix": "0" * 12, "seq": 0}, 409, "This change does not fit the cluster any more: look at the pod again."),
        ({"fix": "x", "seq": 10_000}, 404, "This cluster has no event 10000: its log ends at "),
        ({"fix": 1, "seq": 1}, 400, "This names no fix: "),
    ],
)
def test_what_cannot_be_opened_says_why_and_leaves_no_branch(cluster, browser, body, status, error):
    body["seq"] = body["seq"] or cluster.seq
    answer = opened(cluster, browser, **body)
    assert answer.status_code == status
    assert answer.json()["error"].startswith(error)
    assert Cluster.objects.count() == 1


def test_only_who_may_add_and_change_clusters_may_branch(cluster):
    reader = Client(SERVER_NAME="localhost")
    assert tried(cluster, reader).json()["can_branch"] is False
    assert opened(cluster, reader, fix="x", seq=1).status_code == 403
    strict = Client(SERVER_NAME="localhost", enforce_csrf_checks=True)
    strict.force_login(User.objects.create_superuser("root"))
    assert opened(cluster, strict, fix="x", seq=1).status_code == 403
    assert Cluster.objects.count() == 1


def test_what_is_wrong_with_a_branch_takes_it_back(cluster, browser, monkeypatch):
    fix = tried(cluster, browser).json()["fixes"][0]

    def refused(*_):
        raise services.Busy("Others are at work.")

    monkeypatch.setattr("scheduler.services.fixes._carried_out", refused)
    answer = opened(cluster, browser, fix=fix["id"], seq=cluster.seq)
    assert (answer.status_code, answer.json()["error"]) == (409, "Others are at work.")
    assert Cluster.objects.count() == 1


@pytest.mark.parametrize(
    ("kinds", "more", "configuration"),
    [
        (["claim", "no-claim"], CLAIMS["no claim, no class"][0], {}),
        (["restore-volume", "claim-anew"], CLAIMS["a lost claim"][0], {}),
        (["label", "no-affinity"], [a_pod("x")], demanding("batch")),
    ],
)
def test_claims_volumes_and_profiles_are_changed_on_a_branch_as_they_were_in_the_trial(kinds, more, configuration):
    nodes = [a_node("n1"), a_node("n2")]
    one = a_cluster(nodes=0, pods=0, bound=0, more=[*nodes, *more], configuration=configuration)
    services.execute(one.pk, Schedule())
    one.refresh_from_db()
    with store.reading(one.pk) as simulation:
        helpful = {tried.fix.kind: tried for tried in Search(simulation, "default/x").tried() if tried.result.fits}
    for kind in kinds:
        branch = services.fix_branch(one.pk, one.seq, "default/x", helpful[kind].fix.id)
        services.execute(branch.pk, Schedule())
        with store.reading(branch.pk) as simulation:
            assert simulation.pods["default/x"].node_name == helpful[kind].result.node


def test_a_profile_is_told_as_it_is_written_and_new_objects_without_a_status(browser):
    more = [a_node("n1"), a_pod("x")]
    one = a_cluster(nodes=0, pods=0, bound=0, more=more, configuration=demanding("batch"))
    services.execute(one.pk, Schedule())
    found = browser.get(reverse("pod-fixes", args=(one.name, "default", "x"))).json()["fixes"]
    [change] = next(fix["changes"] for fix in found if fix["kind"] == "no-affinity")
    assert (change["kind"], change["name"]) == ("KubeSchedulerConfiguration", "default-scheduler")
    assert next(line.strip("- ") for line in change["diff"] if line[0] == "-") == "addedAffinity:"
    claimless = a_cluster(nodes=0, pods=0, bound=0, more=[a_node("n1"), *CLAIMS["no claim, no class"][0]])
    services.execute(claimless.pk, Schedule())
    found = browser.get(reverse("pod-fixes", args=(claimless.name, "default", "x"))).json()["fixes"]
    changes = next(fix["changes"] for fix in found if fix["kind"] == "claim")
    assert [(one["action"], one["kind"]) for one in changes] == [
        ("add", "PersistentVolumeClaim"),
        ("add", "PersistentVolume"),
    ]
    assert not any("status" in line for one in changes for line in one["diff"])


def test_a_change_is_told_below_the_keys_that_lead_to_it():
    before = {"metadata": {"name": "a", "labels": {"x": "1"}}, "spec": {"taints": [{"key": "k"}], "podCIDR": "b"}}
    after = {"metadata": {"name": "b", "labels": {"x": "2"}}, "spec": {"taints": [], "podCIDR": "b"}, "new": True}
    assert manifest_diff(before, after) == [
        *(" metadata:", "-  name: a", "+  name: b", "   labels:", "-    x: '1'", "+    x: '2'"),
        *(" spec:", "-  taints:", "-  - key: k", "+  taints: []", "@", "+new: true"),
    ]
    emptied = manifest_diff({"spec": {"x": {"y": 1}, "z": [{"a": 1, "b": 2}]}}, {"spec": {"x": {}, "z": [{"a": 1}]}})
    assert emptied == [" spec:", "-  x:", "-    y: 1", "   z:", "   - a: 1", "-    b: 2"]
