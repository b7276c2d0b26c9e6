"""Jobs of the import page: how they go, are cancelled, are lost and begun anew, and end."""

import errno
import os
import socket
import time
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone

from scheduler import store
from scheduler.manifests.texts import Texts
from scheduler.models import Cluster, Job
from scheduler.services import import_jobs, job_signs, tasks
from scheduler.services.import_jobs import TASK, job_run
from scheduler.services.staging import Staging
from tests.dashboard.import_page import BAD, GOOD, a_file, browser, home, post, sent, user

pytestmark = pytest.mark.django_db

__all__ = ["browser", "home", "sent", "user"]


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
    assert job.result["error"].endswith("and upload the file again.")
    job_run(job.pk)
    assert not Cluster.objects.exists()


def test_who_was_taken_over_meanwhile_stores_nothing(browser, monkeypatch):
    job, _ = post(browser, file=a_file())
    original = import_jobs._end_with

    def taken_over(running, result):
        Job.objects.filter(pk=job.pk).update(attempt=2)
        original(running, result)

    monkeypatch.setattr(import_jobs, "_end_with", taken_over)
    job_run(job.pk)
    assert not Cluster.objects.exists()


def test_failure_after_the_cluster_is_there_does_not_deny_it(browser, monkeypatch):
    def broken(*args):
        raise RuntimeError

    job, _ = post(browser, file=a_file(), name="there")
    monkeypatch.setattr(store, "identity_of", broken)
    job_run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["cluster"], Cluster.objects.count()) == ("done", "there", 1)


def test_who_sees_that_it_is_done_sees_the_whole_report(browser, monkeypatch):
    """The page looks once, and then no more."""
    job, _ = post(browser, file=a_file(), name="there")
    original = store.identity_of

    def look(cluster_id):
        seen.append(browser.get(f"/import/{job.pk}/").content.decode())
        return original(cluster_id)

    seen = []
    monkeypatch.setattr(store, "identity_of", look)
    job_run(job.pk)
    assert "is there: 1 object imported" in seen[0]


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
    assert "The import failed. Nothing was stored." in text
    assert ">No space left on device in writing what was read.<" in text
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
    while time.monotonic() < deadline and Path(job.arguments["file"]).exists():  # it goes when the job has ended
        time.sleep(0.05)
    assert Path(job.arguments["file"]).exists() is False
    assert Cluster.objects.get().name == "threaded"


def test_a_worker_does_a_small_import_itself_and_leaves_others_to_a_process_of_their_own(browser, home, monkeypatch):
    begun = []
    process = SimpleNamespace(wait=lambda: 0)
    monkeypatch.setattr(tasks.subprocess, "Popen", lambda command, **_: begun.append(command[-1]) or process)
    small, _ = post(browser, file=a_file())
    tasks.import_cluster(small.pk)
    small.refresh_from_db()
    assert (small.state, begun) == ("done", [])
    waits, _ = post(browser, name="second", file=a_file())
    with job_signs.held(home / "jobs" / "turn"):
        tasks.import_cluster(waits.pk)
    monkeypatch.setattr(import_jobs, "SMALL_BYTES", 10)
    tasks.import_cluster(waits.pk)
    assert begun == [str(waits.pk)] * 2


def test_the_notice_of_an_import_counts_its_warnings(browser):
    job, _ = post(browser, file=a_file(GOOD.replace("status:", "spec:\n  typo: 1\nstatus:")))
    job_run(job.pk)
    page = browser.get(f"/import/{job.pk}/").content.decode()
    warnings = page.count('<span class="warn">')
    assert warnings > 1
    assert f'object imported, with <a class="warn" href="#problems-told">{warnings} warnings</a>.' in page
    assert 'id="problems-told"' in page
    assert "API server drops it" in page
