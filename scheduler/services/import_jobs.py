"""Imports in the background: whoever claims a job does it, tells how far it is, and stops where it is asked to.

A job is claimed by one UPDATE, so that a task delivered twice, or a worker and this process, never do it twice.
"""

import logging
import shutil
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import connections, transaction
from django.utils import timezone

from scheduler.engine.errors import PodiumError
from scheduler.execution.jobs import Unsendable
from scheduler.execution.presence import executor_now
from scheduler.manifests.excerpts import excerpts
from scheduler.manifests.samples import BY_SLUG
from scheduler.manifests.sources import Source
from scheduler.models import Job
from scheduler.services.imports import Imported, cluster_import, demo_create

log = logging.getLogger(__name__)

KIND = "import"
TASK = "podium.import"
TOLD_EVERY_SECONDS = 0.4
UNCLAIMED_SECONDS = 4.0
SILENT_SECONDS = 120.0
KEPT_HOURS = 24
MENDED_BYTES = 512 << 10
WAITING, RUNNING, DONE, FAILED, CANCELLED = (
    Job.State.WAITING, Job.State.RUNNING, Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED,
)  # fmt: skip


class StoppedError(Exception):
    """Somebody cancelled the job."""


def uploads() -> Path:
    directory = settings.DATA_DIR / "uploads"
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Path(directory)


# --- asking for one ---------------------------------------------------------------------------------------------------


def import_start(user: Any, name: str, **arguments: Any) -> Job:
    """Arguments: `file` and `file_name`, or `sample`; `skip_invalid`; `replace`. The job starts after commit."""
    job = Job.objects.create(kind=KIND, user=user, cluster_name=name, arguments=arguments, stage="Waiting for a worker")
    transaction.on_commit(lambda: send(job.pk))
    return job


def send(job_id: int) -> None:
    """To a worker; without one, to a thread of this process."""
    if executor_now() == "in_process":
        in_background(job_id)
        return
    try:
        current_app.send_task(TASK, args=[job_id], retry=False, ignore_result=True)
    except Unsendable:
        in_background(job_id)


def in_background(job_id: int) -> None:
    threading.Thread(target=_run_in_thread, args=[job_id], daemon=True, name=f"import-{job_id}").start()


def _run_in_thread(job_id: int) -> None:
    try:
        job_run(job_id)
    finally:
        connections.close_all()


def job_cancel(job: Job) -> None:
    """One that nobody has begun ends at once; the others end at their next word of progress."""
    Job.objects.filter(pk=job.pk).update(cancel_requested=True)
    if Job.objects.filter(pk=job.pk, state=WAITING).update(state=CANCELLED, updated=timezone.now()):
        forget_file(job)


def job_look_after(job: Job) -> None:
    """Called by those who wait for a job: takes up one that no worker took, and ends one whose worker is gone."""
    now = timezone.now()
    if job.state == WAITING and now - job.created > timedelta(seconds=UNCLAIMED_SECONDS):
        in_background(job.pk)
    if job.state == RUNNING and now - job.updated > timedelta(seconds=SILENT_SECONDS):
        silent = Job.objects.filter(pk=job.pk, state=RUNNING, updated=job.updated)
        silent.update(state=FAILED, result={"error": "The worker stopped answering. Nothing was stored; try again."})


# --- doing one --------------------------------------------------------------------------------------------------------


def job_run(job_id: int) -> None:
    """Does the job, unless somebody else does or did."""
    claimed = Job.objects.filter(pk=job_id, kind=KIND, state=WAITING)
    if not claimed.update(state=RUNNING, updated=timezone.now()):
        return
    job = Job.objects.select_related("user").get(pk=job_id)
    try:
        state, result = DONE, _carry_out(job)
    except StoppedError:
        state, result = CANCELLED, {}
    except PodiumError as error:
        state, result = FAILED, {"error": str(error)}
    except Exception:
        log.exception("import job %s", job_id)
        state, result = FAILED, {"error": "Podium failed while importing; nothing was stored. Its log says why."}
    Job.objects.filter(pk=job_id).update(state=state, result=result, updated=timezone.now())
    if state == CANCELLED or result.get("cluster"):
        forget_file(job)


def _carry_out(job: Job) -> dict[str, Any]:
    actor = job.user.get_username() if job.user else ""
    tell, wanted = _Teller(job.pk), job.arguments
    sample = BY_SLUG.get(wanted.get("sample", ""))
    if sample is not None and sample.source is None:
        cluster = demo_create(job.cluster_name, replace=wanted["replace"], actor=actor, progress=tell)
        return {"cluster": cluster.name}
    source = sample.source if sample else None
    sources = [source or Source(wanted["file_name"], Path(wanted["file"]))]
    imported = cluster_import(
        job.cluster_name,
        sources,
        skip_invalid=wanted["skip_invalid"],
        replace=wanted["replace"],
        actor=actor,
        progress=tell,
    )
    return _told(imported, sources)


def _told(imported: Imported, sources: list[Source]) -> dict[str, Any]:
    report = imported.report.as_json()
    shown = excerpts(sources, imported.report.faults)
    for fault, told in zip(imported.report.faults, report["faults"], strict=True):
        told["excerpt"] = shown.get(fault, [])
    return {"cluster": imported.cluster.name if imported.cluster else None, "report": report}


class _Teller:
    """Progress into the job's row, not more often than somebody can read it; raises StoppedError if that is wanted."""

    def __init__(self, job_id: int) -> None:
        self.job_id = job_id
        self.last, self.stage = 0.0, ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage == self.stage and now - self.last < TOLD_EVERY_SECONDS:
            return
        self.last, self.stage = now, stage
        row = Job.objects.filter(pk=self.job_id)
        if row.values_list("cancel_requested", flat=True).get():
            raise StoppedError
        row.update(stage=stage[:100], done=done, total=total, updated=timezone.now())


# --- files ------------------------------------------------------------------------------------------------------------


def has_file(job: Job) -> bool:
    """Whether the job can be done again."""
    return bool(job.arguments.get("sample")) or Path(job.arguments.get("file", "/nonexistent")).is_file()


def short_text(job: Job) -> str:
    """What was sent, if it is text that a person could mend by hand; "" otherwise."""
    path = Path(job.arguments.get("file", "/nonexistent"))
    if not path.is_file() or path.stat().st_size > MENDED_BYTES:
        return ""
    try:
        return path.read_text()
    except UnicodeDecodeError:
        return ""


def forget_file(job: Job) -> None:
    if file := job.arguments.get("file"):
        shutil.rmtree(Path(file).parent, ignore_errors=True)


def forget_old_files() -> None:
    """Uploads that nobody came back to."""
    oldest = time.time() - KEPT_HOURS * 3600
    for directory in uploads().iterdir():
        if directory.stat().st_mtime < oldest:
            shutil.rmtree(directory, ignore_errors=True)
