"""The import page: who may, what is stored, and what is told."""

import gzip

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils.html import escape, strip_tags

from dashboard.import_form import free_name
from scheduler.models import Cluster, Job, Node, Pod
from scheduler.services import import_jobs
from scheduler.services.import_jobs import job_run
from tests.dashboard.import_page import BAD, GOOD, a_file, browser, home, post, sent, user
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db

__all__ = ["browser", "home", "sent", "user"]


# --- who may ----------------------------------------------------------------------------------------------------------


def test_who_has_not_logged_in_is_asked_to():
    response = Client(SERVER_NAME="localhost").get("/import/")
    assert (response.status_code, response["location"]) == (302, "/login/?next=/import/")


@pytest.mark.parametrize("address", ["/import/", "/import/1/", "/import/1/state.json"])
def test_who_may_not_add_clusters_is_refused(address):
    browser = Client(SERVER_NAME="localhost")
    browser.force_login(User.objects.create_user("guest"))
    assert browser.get(address).status_code == 403
    assert browser.post("/import/", {"sample": "demo"}).status_code == 403
    assert not Job.objects.exists()


def test_form_needs_its_token(user):
    browser = Client(SERVER_NAME="localhost", enforce_csrf_checks=True)
    browser.force_login(user)
    assert browser.post("/import/", {"sample": "demo"}).status_code == 403


def test_jobs_of_others_are_not_there(browser):
    job = Job.objects.create(kind="import", user=User.objects.create_user("other"))
    assert browser.get(f"/import/{job.pk}/").status_code == 404
    assert browser.post(f"/import/{job.pk}/cancel/").status_code == 404


# --- what comes in ----------------------------------------------------------------------------------------------------


def test_page_shows_the_command_and_the_samples(browser):
    text = browser.get("/import/").content.decode()
    command = "kubectl get no,po,ns,pv,pvc,sc,pc,pdb,svc,rc,rs,sts,deploy,ds,jobs,csinodes,csidrivers -A -o json"
    assert command in strip_tags(text)
    assert text.count('name="sample"') == 4


def test_file_becomes_a_cluster(browser, home):
    job, response = post(browser, file=a_file(gzip.compress(GOOD.encode())), name="fresh")
    assert response["location"] == f"/import/{job.pk}/"
    assert not Cluster.objects.exists()
    job_run(job.pk)
    assert Node.objects.get().cluster.name == "fresh"
    text = browser.get(f"/import/{job.pk}/").content.decode()
    assert "1 object imported" in text
    assert 'href="/c/fresh/"' in text
    assert not any((home / "uploads").iterdir())


def test_event_names_who_imported(browser):
    job, _ = post(browser, file=a_file())
    job_run(job.pk)
    assert set(Cluster.objects.get().events.values_list("actor", flat=True)) == {"mira"}


def test_pasted_text_becomes_a_cluster(browser):
    job, _ = post(browser, text=GOOD)
    job_run(job.pk)
    assert Cluster.objects.get().name == "cluster"


@pytest.mark.parametrize(("sample", "nodes"), [("demo", 60), ("gke-5-nodes", 5)])
def test_sample_becomes_a_cluster(browser, sample, nodes):
    job, _ = post(browser, sample=sample)
    job_run(job.pk)
    assert Node.objects.filter(cluster__name=sample).count() == nodes
    assert f'href="/c/{sample}/"' in browser.get(f"/import/{job.pk}/").content.decode()


def test_script_is_answered_in_json(browser):
    response = browser.post("/import/", {"file": a_file()}, headers={"accept": "application/json"})
    assert response.json() == {"ok": True, "url": f"/import/{Job.objects.get().pk}/"}
    refused = browser.post("/import/", {}, headers={"accept": "application/json"})
    assert refused.status_code == 400
    assert refused.json()["errors"]["file"][0]["message"] == "Choose a file, paste text, or pick a sample."


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({}, "Choose a file, paste text, or pick a sample."),
        ({"text": "  \n"}, "Choose a file, paste text, or pick a sample."),
        ({"text": GOOD, "name": "A b"}, "Use lower-case letters, digits and &#x27;-&#x27;"),
        ({"text": GOOD, "name": "taken"}, "There is a cluster taken already. Choose another name, or replace it."),
        ({"sample": "nonsense"}, "Select a valid choice. nonsense is not one of the available choices."),
    ],
)
def test_what_cannot_be_taken_is_told_beside_the_field(browser, fields, error):
    a_cluster(name="taken")
    job, response = post(browser, **fields)
    assert (job, response.status_code) == (None, 400)
    assert error in response.content.decode()


def test_file_beyond_the_limit_is_refused(browser, settings):
    settings.PODIUM_MAX_UPLOAD_MIB = 0
    _, response = post(browser, file=a_file())
    assert response.status_code == 400
    assert "This file is too large: at most 0 MiB." in response.content.decode()


@pytest.mark.parametrize(
    ("file_name", "name"),
    [
        ("My cluster.v2.yaml.gz", "my-cluster"),
        ("../../etc/passwd", "passwd"),
        ("日本.json", "cluster"),
        ("-.-", "cluster"),
        ("x" * 90, "x" * 55),
        ("taken.yaml", "taken-2"),
    ],
)
def test_name_comes_from_the_file(file_name, name):
    a_cluster(name="taken")
    assert free_name(file_name) == name


def test_replacing_is_deleting_and_needs_that_permission(browser):
    a_cluster(name="mine")
    job, response = post(browser, file=a_file(), name="mine", replace="on")
    assert (job, response.status_code) == (None, 400)
    assert "needs the permission to delete clusters" in response.content.decode()
    job, _ = post(browser, file=a_file(), name="new", replace="on")
    a_cluster(name="new")
    job_run(job.pk)
    job.refresh_from_db()
    assert job.state == "failed"


def test_replacing_takes_the_place(browser, user):
    user.user_permissions.add(Permission.objects.get(codename="delete_cluster"))
    before = a_cluster(name="mine").pk
    job, _ = post(browser, file=a_file(), name="mine", replace="on")
    job_run(job.pk)
    assert Cluster.objects.get(name="mine").pk != before


# --- what is wrong ----------------------------------------------------------------------------------------------------


def test_faults_are_shown_with_their_lines_and_nothing_is_stored(browser):
    job, _ = post(browser, file=a_file(BAD, "bad.yaml"))
    job_run(job.pk)
    text = browser.get(f"/import/{job.pk}/").content.decode()
    assert "Nothing was stored: 1 thing in the file is wrong." in text
    assert "bad.yaml:14:3 " in text
    assert "  <mark>containers: []</mark>" in text
    assert "<b>: 1" not in text
    assert "Import the 1 valid object<" in text
    assert not Cluster.objects.exists()


def test_the_valid_rest_is_imported_by_choice(browser, home):
    job, _ = post(browser, file=a_file(BAD))
    job_run(job.pk)
    response = browser.post(f"/import/{job.pk}/rest/")
    second = Job.objects.latest("pk")
    assert response["location"] == f"/import/{second.pk}/"
    job_run(second.pk)
    assert (Node.objects.count(), Pod.objects.count()) == (1, 0)
    assert "1 wrong object left out" in browser.get(f"/import/{second.pk}/").content.decode()
    assert not any((home / "uploads").iterdir())


def test_short_text_may_be_mended_in_place(browser):
    job, _ = post(browser, file=a_file(BAD), name="mended")
    job_run(job.pk)
    text = browser.get(f"/import/{job.pk}/").content.decode()
    assert "Import the mended text" in text
    assert escape(BAD) in text
    again, _ = post(browser, text=BAD.replace("containers: []", "containers: [{name: main}]"), name="mended")
    job_run(again.pk)
    assert (Node.objects.count(), Pod.objects.count()) == (1, 1)


@pytest.mark.parametrize("content", [gzip.compress(BAD.encode()), BAD + "#" * (600 << 10)], ids=["gzip", "long"])
def test_other_files_are_not_offered_for_mending(browser, content):
    job, _ = post(browser, file=a_file(content))
    job_run(job.pk)
    text = browser.get(f"/import/{job.pk}/").content.decode()
    assert "1 thing in the file is wrong" in text
    assert "Import the mended text" not in text


def test_rest_of_a_good_file_is_not_imported_twice(browser, sent):
    job, _ = post(browser, file=a_file())
    job_run(job.pk)
    browser.post(f"/import/{job.pk}/rest/")
    assert Job.objects.count() == 1


def test_failure_of_podium_is_told_without_its_insides(browser, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(import_jobs, "cluster_import", broken)
    job, _ = post(browser, file=a_file())
    job_run(job.pk)
    text = browser.get(f"/import/{job.pk}/").content.decode()
    assert "The import failed. Nothing was stored." in text
    assert "secret detail" not in text


def test_name_taken_meanwhile_is_told(browser):
    job, _ = post(browser, file=a_file(), name="mine")
    a_cluster(name="mine")
    job_run(job.pk)
    assert "There is a cluster mine already." in browser.get(f"/import/{job.pk}/").content.decode()
