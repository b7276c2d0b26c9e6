"""The import page and its jobs: who may, what is stored, what is told, and how a job ends."""

import errno
import gzip
import os
import socket
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from django.utils.html import escape, strip_tags

from dashboard.import_form import free_name
from scheduler import store
from scheduler.manifests.texts import Texts
from scheduler.models import Cluster, Job, Node, Pod
from scheduler.services import import_jobs, job_signs
from scheduler.services.import_jobs import TASK, job_run
from scheduler.services.staging import Staging
from tests.scheduler.builders import a_cluster

pytestmark = pytest.mark.django_db

GOOD = "apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\nstatus:\n  allocatable:\n    cpu: 4\n"
BAD = GOOD + "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers: []\n  <b>: 1\n"


@pytest.fixture(autouse=True)
def home(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture(autouse=True)
def sent(monkeypatch, django_capture_on_commit_callbacks):
    """Jobs that were sent; none begins by itself."""
    sent = []
    monkeypatch.setattr(import_jobs, "send", sent.append)
    return sent


@pytest.fixture
def user():
    user = User.objects.create_user("mira", password="long enough 1")
    user.user_permissions.add(Permission.objects.get(codename="add_cluster"))
    return user


@pytest.fixture
def browser(user):
    browser = Client(SERVER_NAME="localhost")
    browser.force_login(user)
    return browser


def a_file(text=GOOD, name="My cluster.v2.yaml"):
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())


def post(browser, **fields):
    """The job that the form led to, or None, and the response."""
    response = browser.post("/import/", fields)
    return Job.objects.order_by("-pk").first(), response


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
    assert "bad.yaml:14 " in text
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


# --- how a job goes ---------------------------------------------------------------------------------------------------


def test_job_is_sent_after_commit(browser, sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        job, _ = post(browser, file=a_file())
        assert sent == []
    assert sent == [job.pk]


def test_state_is_told_step_by_step(browser):
    job, _ = post(browser, file=a_file())
    state = browser.get(f"/import/{job.pk}/state.json").json()
    assert (state["state"], state["ended"]) == ("waiting", False)
    Job.objects.update(state="running", stage="Adding objects", done=50, total=200)
    steps = browser.get(f"/import/{job.pk}/state.json").json()["steps"]
    assert [step["state"] for step in steps] == ["done", "done", "run", "wait"]
    assert (steps[2]["note"], steps[2]["percent"]) == ("50 of 200", 25)


def test_job_is_done_once(browser):
    job, _ = post(browser, file=a_file())
    job_run(job.pk)
    job_run(job.pk)
    assert Cluster.objects.count() == 1
    job.refresh_from_db()
    assert job.state == "done"


def test_cancelled_before_it_began(browser, home):
    job, _ = post(browser, file=a_file())
    browser.post(f"/import/{job.pk}/cancel/")
    job_run(job.pk)
    assert not Cluster.objects.exists()
    assert "The import was cancelled. Nothing was stored." in browser.get(f"/import/{job.pk}/").content.decode()
    assert not any((home / "uploads").iterdir())


def test_cancelled_while_it_runs(browser, home, monkeypatch):
    job, _ = post(browser, file=a_file())
    original = import_jobs._carry_out

    def cancelled_meanwhile(running, tell):
        browser.post(f"/import/{job.pk}/cancel/")
        return original(running, tell)

    monkeypatch.setattr(import_jobs, "_carry_out", cancelled_meanwhile)
    job_run(job.pk)
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert not Cluster.objects.exists()
    assert not any((home / "uploads").iterdir())


def test_job_that_no_worker_takes_is_taken_up_here(browser, monkeypatch):
    job, _ = post(browser, file=a_file())
    taken = []
    monkeypatch.setattr(import_jobs, "in_background", taken.append)
    browser.get(f"/import/{job.pk}/state.json")
    assert taken == []
    Job.objects.update(updated=timezone.now() - timedelta(seconds=10))
    browser.get(f"/import/{job.pk}/state.json")
    assert taken == [job.pk]


def lost(job, **fields):
    """A job whose process is gone: nobody holds its lock."""
    Job.objects.filter(pk=job.pk).update(**{"state": "running", "attempt": 1, "holder": socket.gethostname()} | fields)
    with job_signs.held(job_signs.lock_of(job.pk)):
        pass


def test_signs_of_another_database_in_the_same_directory_mean_nothing(browser, home):
    for number in range(1, 4):
        job_signs.directory_of(Job.objects.count() + number).mkdir(parents=True)
        job_signs.ask_to_stop(Job.objects.count() + number)
    job, _ = post(browser, file=a_file())
    job_run(job.pk)
    job.refresh_from_db()
    assert job.state == "done"


def test_job_of_a_lost_worker_begins_anew_at_once(browser, sent, django_capture_on_commit_callbacks):
    job, _ = post(browser, file=a_file())
    lost(job)
    with django_capture_on_commit_callbacks(execute=True):
        assert browser.get(f"/import/{job.pk}/state.json").json()["state"] == "running"
    assert sent[-1:] == [job.pk]
    job_run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempt, Cluster.objects.count()) == ("done", 2, 1)


def test_task_delivered_again_takes_over_from_a_lost_process_but_not_from_one_that_lives(browser):
    job, _ = post(browser, file=a_file())
    lost(job)
    with job_signs.held(job_signs.lock_of(job.pk)):
        job_run(job.pk)
        import_jobs.sweep()
    job.refresh_from_db()
    assert (job.state, job.attempt) == ("running", 1)
    job_run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempt) == ("done", 2)


def test_job_on_another_machine_is_lost_only_after_a_long_silence(browser):
    job, _ = post(browser, file=a_file())
    lost(job, holder="elsewhere")
    import_jobs.sweep()
    job.refresh_from_db()
    assert job.state == "running"
    lost(job, holder="elsewhere", updated=timezone.now() - timedelta(minutes=5))
    import_jobs.sweep()
    job.refresh_from_db()
    assert job.state == "waiting"


def test_job_that_kills_its_workers_ends(browser):
    job, _ = post(browser, file=a_file())
    lost(job, attempt=3)
    import_jobs.sweep()
    job.refresh_from_db()
    assert job.state == "failed"
    assert job.result["error"].startswith("The worker was lost 3 times")
    job_run(job.pk)
    assert not Cluster.objects.exists()


def test_who_was_taken_over_meanwhile_stores_nothing(browser, monkeypatch):
    job, _ = post(browser, file=a_file())
    original = import_jobs._end_with

    def taken_over(running, cluster):
        Job.objects.filter(pk=job.pk).update(attempt=2)
        original(running, cluster)

    monkeypatch.setattr(import_jobs, "_end_with", taken_over)
    job_run(job.pk)
    assert not Cluster.objects.exists()


def test_failure_after_the_cluster_is_there_does_not_deny_it(browser, monkeypatch):
    def broken(*args):
        raise RuntimeError

    job, _ = post(browser, file=a_file(), name="there")
    monkeypatch.setattr(import_jobs, "_told", broken)
    job_run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result, Cluster.objects.count()) == ("done", {"cluster": "there"}, 1)


def test_imports_take_turns(browser, home, monkeypatch):
    def wait(seconds):
        seen.append(browser.get(f"/import/{job.pk}/state.json").json()["steps"])
        import_jobs.job_cancel(job)

    job, _ = post(browser, file=a_file())
    seen = []
    with job_signs.held(home / "jobs" / "turn"):
        monkeypatch.setattr(import_jobs.time, "sleep", wait)
        job_run(job.pk)
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert [step["state"] for step in seen[0]] == ["wait"] * 4


@pytest.mark.parametrize("place", [(Texts, "put"), (Staging, "add"), (Staging, "write"), (store, "checkpoint_save")])
def test_full_disk_is_told_and_leaves_nothing(browser, monkeypatch, place):
    def full(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(*place, full)
    job, _ = post(browser, file=a_file())
    job_run(job.pk)
    text = browser.get(f"/import/{job.pk}/").content.decode()
    assert "No space left on device in writing what was read. Nothing was stored." in text
    assert not Cluster.objects.exists()


def test_worker_knows_the_task():
    from config.celery import app

    app.loader.import_default_modules()
    assert TASK in app.tasks


def test_uploads_that_nobody_came_back_to_are_deleted(browser, home):
    post(browser, file=a_file(BAD))
    (forgotten,) = (home / "uploads").iterdir()
    long_ago = time.time() - 30 * 3600
    os.utime(forgotten, (long_ago, long_ago))
    post(browser, file=a_file(), name="next")
    assert not forgotten.exists()
    assert len(list((home / "uploads").iterdir())) == 1


@pytest.mark.django_db(transaction=True)
def test_without_workers_a_thread_does_it(browser, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(import_jobs, "executor_now", lambda: "in_process")
    job, _ = post(browser, file=a_file(), name="threaded")
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not browser.get(f"/import/{job.pk}/state.json").json()["ended"]:
        time.sleep(0.05)
    assert Path(job.arguments["file"]).exists() is False
    assert Cluster.objects.get().name == "threaded"
