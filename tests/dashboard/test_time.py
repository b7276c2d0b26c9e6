"""The page of a cluster's time, and its commands: each for those who may, each told in a sentence."""

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from dashboard.time_form import KIND
from scheduler import services, store
from scheduler.engine.simulation.settings import CLASSIC, Settings
from scheduler.models import Cluster, Event, Node, Pod
from scheduler.services import cycle_step, node_delete, run_start
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db(transaction=True)
STEP = "- at: 10s\n  object: {kind: Pod, metadata: {name: late}, spec: {containers: [{name: c}]}}\n"


def post(client: Client, cluster: Cluster, form: str, **fields: str):
    return client.post(f"/c/{cluster.name}/time/", {"form": form, **fields})


def order(client: Client, cluster: Cluster, command: str, **more):
    return client.post(f"/c/{cluster.name}/commands/", {"command": command, **more}, content_type="application/json")


def settings_of(cluster: Cluster):
    with store.reading(cluster.pk) as simulation:
        return simulation.settings, simulation.configuration


def writer(*permissions: str) -> Client:
    user = User.objects.create_user("ada")
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def test_a_preset_changes_settings_and_backoff_together(admin_client):
    cluster = a_cluster()
    assert post(admin_client, cluster, "settings", preset="classic").status_code == 302
    assert settings_of(cluster) == (CLASSIC, {**KIND, "podMaxBackoffSeconds": 60})
    assert "as the preset classic" in admin_client.get(f"/c/{cluster.name}/time/").content.decode()
    post(admin_client, cluster, "settings", preset="v1.34")
    assert settings_of(cluster)[1] == KIND


def test_a_preset_leaves_controllers_as_they_are(admin_client):
    cluster = a_cluster(name="demo", settings=Settings(controllers=True, ready_us=5_000_000))
    post(admin_client, cluster, "settings", preset="classic")
    settings, _ = settings_of(cluster)
    assert (settings.controllers, settings.ready_us, settings.queueing_hints) == (True, 5_000_000, False)
    assert "as the preset classic" in admin_client.get("/c/demo/time/").content.decode()
    assert post(admin_client, cluster, "settings", controllers="on", ready_us="2s").status_code == 302
    assert (settings_of(cluster)[0].controllers, settings_of(cluster)[0].ready_us) == (True, 2_000_000)


def test_settings_are_written_in_units_of_people(admin_client):
    cluster = a_cluster()
    fields = {
        "cycle_us": "250ms",
        "backoff_flush_us": "0",
        "leftover_flush_us": "1m",
        "max_unschedulable_us": "10m",
        "podInitialBackoffSeconds": "2",
        "podMaxBackoffSeconds": "40",
        "queueing_hints": "on",
    }
    assert post(admin_client, cluster, "settings", **fields).status_code == 302
    settings, configuration = settings_of(cluster)
    assert (settings.cycle_us, settings.backoff_flush_us, settings.max_unschedulable_us) == (250_000, 0, 600_000_000)
    assert (settings.queueing_hints, settings.pop_from_backoff) == (True, False)
    assert configuration == {**KIND, "podInitialBackoffSeconds": 2, "podMaxBackoffSeconds": 40}


def test_a_wrong_setting_is_told_beside_its_field_and_nothing_is_saved(admin_client):
    cluster = a_cluster()
    answer = post(admin_client, cluster, "settings", cycle_us="fast", podInitialBackoffSeconds="0")
    assert answer.status_code == 400
    errors = {line.name for line in answer.context["texts"] if line.error}
    assert {"cycle_us", "podInitialBackoffSeconds"} <= errors
    assert not Event.objects.filter(cluster=cluster, kind="ProfileChanged").exists()


def test_a_scenario_is_planned_shown_and_cancelled(admin_client):
    cluster = a_cluster()
    assert post(admin_client, cluster, "scenario", text=STEP).status_code == 302
    assert admin_client.get(f"/c/{cluster.name}/time/").context["to_come"] == 1
    assert post(admin_client, cluster, "cancel").status_code == 302
    assert admin_client.get(f"/c/{cluster.name}/time/").context["to_come"] == 0


def test_a_wrong_scenario_is_told_by_line_and_kept_in_the_field(admin_client):
    cluster = a_cluster()
    answer = post(admin_client, cluster, "scenario", text="- at: never\n  object: {}\n")
    text = answer.content.decode()
    assert answer.status_code == 400
    assert "scenario:1: [0].at" in text
    assert "- at: never" in text


def test_the_page_says_what_undo_would_take_back_and_takes_it_back(admin_client):
    cluster = a_cluster(pods=1)
    cycle_step(cluster.pk)
    undo = admin_client.get(f"/c/{cluster.name}/time/").context["undo"]
    assert undo.text.startswith("cycle 1: default/web-0 placed on")
    assert post(admin_client, cluster, "undo", head=str(undo.head)).status_code == 302
    assert order(admin_client, cluster, "undo").status_code == 409


def test_several_deeds_are_taken_back_at_once_and_that_is_one_deed(admin_client):
    cluster = a_cluster(pods=3)
    begun = Cluster.objects.get(pk=cluster.pk).seq
    for _ in range(3):
        cycle_step(cluster.pk)
    told = admin_client.get(f"/c/{cluster.name}/time/").context
    second = told["further"][0]
    assert [one.text.partition(":")[0] for one in (told["undo"], *told["further"])][:3] == [
        "cycle 3",
        "cycle 2",
        "cycle 1",
    ]
    assert [one.to_seq for one in told["further"]][1] == begun
    fields = {"form": "undo", "head": str(second.head), "to": str(second.to_seq)}
    admin_client.post(f"/c/{cluster.name}/time/", fields)
    placed = Pod.objects.filter(cluster=cluster).exclude(node_name="")
    assert placed.filter(name__startswith="web").count() == 1
    redo = admin_client.get(f"/c/{cluster.name}/time/").context["redo"]
    assert redo.text.startswith("all up to cycle 3: default/web-")
    assert post(admin_client, cluster, "undo", redo="1", head=str(redo.head)).status_code == 302
    assert placed.filter(name__startswith="web").count() == 3


def test_redo_is_offered_only_while_it_brings_something_back(admin_client):
    cluster = a_cluster(pods=2)
    cycle_step(cluster.pk)
    address = f"/c/{cluster.name}/time/"
    assert b"Redo brings back" not in admin_client.get(address).content
    undone = order(admin_client, cluster, "undo").json()
    assert b"Redo brings back <b>cycle 1: default/web-0 placed on" in admin_client.get(address).content
    cycle_step(cluster.pk)
    assert post(admin_client, cluster, "undo", redo="1", head=str(undone["seq"])).status_code == 400
    told = order(admin_client, cluster, "redo")
    assert (told.status_code, told.json()["error"].partition(":")[0]) == (409, "There is nothing to redo")


def test_a_message_that_tells_of_an_undo_carries_its_redo(admin_client):
    cluster = a_cluster(nodes=2)
    first = Cluster.objects.get(pk=cluster.pk).seq + 1
    last = node_delete(cluster.pk, "node-1").last_seq
    undo = f"/c/{cluster.name}/undo/"
    told = admin_client.post(undo, {"range": f"{first}-{last}"}, follow=True).content.decode()
    [head] = re.findall(r'name="redo" value="(\d+)"', told)
    assert Node.objects.filter(cluster=cluster).count() == 2
    assert b"counts again" in admin_client.post(undo, {"redo": head}, follow=True).content
    assert Node.objects.filter(cluster=cluster).count() == 1
    assert b"nothing to redo" in admin_client.post(undo, {"redo": str(int(head) + 1)}, follow=True).content


def test_what_one_did_meanwhile_is_not_told_as_somebody_elses(admin_client):
    cluster = a_cluster(pods=3)
    cycle_step(cluster.pk)
    seen = admin_client.get(f"/c/{cluster.name}/time/").context["undo"].head
    order(admin_client, cluster, "step")
    own = post(admin_client, cluster, "undo", head=str(seen)).context["faults"]["undo"]
    assert own[0].startswith("You have done something else since")
    cycle_step(cluster.pk, "bob")
    others = post(admin_client, cluster, "undo", head=str(seen), to=str(seen - 1)).context["faults"]["undo"]
    assert others[0].startswith("Something else has happened meanwhile")


def test_a_branch_is_made_from_the_page_and_by_command(admin_client):
    cluster = a_cluster()
    assert post(admin_client, cluster, "branch", seq="1", name="early").headers["Location"] == "/c/early/"
    told = order(admin_client, cluster, "branch", seq=2, at=2).json()
    assert told["cluster"] == f"{cluster.name}-at-2"
    first_page = admin_client.get(told["address"]).content.decode()
    assert f"Branch of {cluster.name} at event 2" in first_page
    assert f'<a href="/c/{cluster.name}/">back to it</a>' in first_page
    assert "back to it" not in admin_client.get(told["address"]).content.decode()


def test_every_page_of_a_branch_says_where_it_comes_from_and_leads_to_the_same_page_there(admin_client):
    cluster = a_cluster(pods=1)
    services.cluster_branch(cluster.pk, 2, "early", "ada")
    Cluster.objects.filter(name="early").update(
        description=f"Branch of {cluster.name} at event 2, by ada: Uncordon n-1"
    )
    for place in ("", "pods/default/web-0/", "time/"):
        page = admin_client.get(f"/c/early/{place}").content.decode()
        assert f'<a class="topbar-origin hide-m" href="/c/{cluster.name}/{place}"' in page
        assert f'of </span>{cluster.name}<span class="topbar-origin-more"> at event 2, Uncordon n-1</span>' in page
    assert "topbar-origin" not in admin_client.get(f"/c/{cluster.name}/").content.decode()
    assert admin_client.get(f"/c/{cluster.name}/time/").context["branches"] == ["early"]
    services.cluster_delete(cluster.pk)
    assert "topbar-origin" not in admin_client.get("/c/early/").content.decode()


@pytest.mark.parametrize("command", ["event", "undo", "reset", "branch", "run"])
def test_a_visitor_may_do_nothing(client, command):
    cluster = a_cluster(pods=1)
    assert order(client, cluster, command).status_code == 403
    assert post(client, cluster, command).status_code in (302, 403)


def test_who_may_change_clusters_may_not_make_new_ones():
    cluster, client = a_cluster(), writer("change_cluster")
    assert order(client, cluster, "branch").status_code == 403
    assert post(client, cluster, "branch").status_code == 403
    assert order(client, cluster, "event").status_code == 200
    assert Cluster.objects.count() == 1


def test_a_step_of_one_event_says_when_nothing_comes(admin_client):
    cluster = a_cluster(pods=0)
    answer = order(admin_client, cluster, "event")
    assert (answer.status_code, answer.json()["error"][:24]) == (409, "Nothing will happen by i")


def test_a_condition_that_cannot_be_read_is_told(admin_client, monkeypatch):
    monkeypatch.setattr("scheduler.execution.alive", lambda role: True)
    cluster = a_cluster()
    answer = order(admin_client, cluster, "run", until="soon")
    assert (answer.status_code, "is no condition" in answer.json()["error"]) == (400, True)
    page = post(admin_client, cluster, "run", until="soon", cap="7").content.decode()  # what was typed stays
    assert 'value="soon"' in page
    assert 'value="7"' in page
    assert post(admin_client, cluster, "run", until="bound:web-0", cap="5").status_code == 302
    cluster.refresh_from_db()
    assert cluster.until == "bound:default/web-0,cycle=5"


@pytest.mark.parametrize("number", ["²", "٣", "-1", "1.5", "9" * 5000, "x"])
@pytest.mark.parametrize(("form", "field"), [("undo", "head"), ("branch", "seq")])
def test_what_is_no_number_of_an_event_is_told(admin_client, form, field, number):
    cluster = a_cluster()
    answer = post(admin_client, cluster, form, **{field: number})
    assert answer.status_code == 400
    assert "must be the number of an event" in answer.content.decode()


@pytest.mark.parametrize("seconds", ["00000000011111111111", "²", "0", "-1", "9" * 5000])
def test_a_backoff_is_a_number_of_seconds(admin_client, seconds):
    cluster = a_cluster()
    assert post(admin_client, cluster, "settings", podInitialBackoffSeconds=seconds).status_code == 400
    assert "podInitialBackoffSeconds" not in settings_of(cluster)[1]


def test_run_until_offers_the_speed_only_where_there_is_one(admin_client):
    cluster = a_cluster()
    Cluster.objects.update(speed=10)
    assert "not at the chosen speed" in admin_client.get(f"/c/{cluster.name}/time/").content.decode()
    Cluster.objects.update(speed=0)
    assert "not at the speed" not in admin_client.get(f"/c/{cluster.name}/time/").content.decode()


def test_in_the_past_the_page_tells_the_time_of_then_and_not_why_the_run_stopped_since(admin_client):
    cluster = a_cluster(pods=1)
    cluster.refresh_from_db()
    then, now_us = cluster.seq, cluster.now_us
    cycle_step(cluster.pk)
    Cluster.objects.update(wanted_reason="Nothing left to do: no pod waits.")
    cluster.refresh_from_db()
    page = admin_client.get(f"/c/{cluster.name}/time/", {"at": then}).content.decode()
    assert f'data-now="{now_us}"' in page
    assert cluster.now_us > now_us
    assert f"at event {then} of {cluster.seq}." in page
    assert "Nothing left to do" not in page
    assert "Nothing left to do" in admin_client.get(f"/c/{cluster.name}/time/").content.decode()


def test_steps_to_come_are_something_left_to_do(admin_client):
    cluster = a_cluster()
    post(admin_client, cluster, "scenario", text=STEP)
    Cluster.objects.update(wanted_reason="Nothing left to do: no pod waits.")
    assert "Nothing left to do" not in admin_client.get(f"/c/{cluster.name}/time/").content.decode()


def test_fields_that_are_off_give_their_reason(admin_client):
    cluster = a_cluster()
    address = f"/c/{cluster.name}/time/"
    past, guest = "In the past nothing can be written", "with the permission to change clusters"
    reasons = {
        ("This is the past: go back to now first.", past): admin_client.get(address, {"at": cluster.seq - 1}),
        ("Log in with the permission to change clusters.", guest): Client(SERVER_NAME="localhost").get(address),
        ("You may look but not change: the permission", "is missing"): writer().get(address),
    }
    for (reason, said), response in reasons.items():
        page = response.content.decode()
        assert re.search(rf'name="until"[^>]* disabled\s+title="{reason}', page)
        main = page.partition("<main")[2].partition("</main")[0]
        assert re.sub(r' title="[^"]*"', "", main).count(said) == 1  # once is enough
        assert not re.search(r" disabled(?!\s+title=)", main)
    assert (
        " disabled" not in admin_client.get(address).content.decode().partition("<main")[2].partition('id="h-undo"')[0]
    )


def test_what_a_run_stops_at_is_told_in_words(admin_client):
    cluster = a_cluster(pods=1)
    run_start(cluster.pk, 10, "time=+90s,cycle=+5")
    page = admin_client.get(f"/c/{cluster.name}/time/").content.decode()
    assert "Runs until it is <code>00:01:30</code>, or until cycle 5 is over (5 to go)" in page


def test_a_fault_of_a_scenario_is_told_by_its_line(admin_client):
    answer = post(admin_client, a_cluster(), "scenario", text=STEP.replace("10s", "soon"))
    assert answer.status_code == 400
    [told] = answer.context["faults"]["scenario"]
    assert told.startswith("scenario:1: [0].at: 'soon' is no moment")
