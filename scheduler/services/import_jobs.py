"""Imports in the background: whoever claims a job does it, tells how far it is, and stops where it is asked to.

A job is claimed under its lock and by one UPDATE, and it ends in the transaction that stores its cluster: however often
it is sent, whatever dies on the way, it is done once.
"""

import logging
import shutil
import socket
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import connection, connections, transaction
from django.db.models import F
from django.utils import timezone

from scheduler.engine.errors import PodiumError
from scheduler.execution.jobs import Unsendable
from scheduler.execution.presence import executor_now
from scheduler.manifests.excerpts import excerpts
from scheduler.manifests.samples import BY_SLUG
from scheduler.manifests.sources import GZIP, Source
from scheduler.models import Job
from scheduler.services import job_signs
from scheduler.services.imports import DEMOS, Imported, cluster_import

log = logging.getLogger(__name__)

KIND = "import"
TASK = "podium.import"
TOLD_EVERY_SECONDS = 0.4
UNCLAIMED_SECONDS = 8.0
SILENT_SECONDS = 120.0
SWEPT_EVERY_SECONDS = 3.0
MOST_ATTEMPTS = 3
WAITING_STAGE = "Waiting for a worker"
LOST_NEXT = "Nothing was stored. Give the server more memory, or leave out objects, and upload the file again."
TURN_STAGE = "Waiting for another import to end"
KEPT_HOURS = 24
MENDED_BYTES = 512 << 10
SMALL_BYTES = 64 << 10  # done within tenths of a second
WAITING, RUNNING, DONE, FAILED, CANCELLED = (
    Job.State.WAITING, Job.State.RUNNING, Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED,
)  # fmt: skip


class StoppedError(Exception):
    """Somebody cancelled the job."""


class LostError(Exception):
    """Somebody else has taken the job over."""


def _turn() -> Path:
    return Path(settings.DATA_DIR / "jobs" / "turn")


def uploads() -> Path:
    directory = settings.DATA_DIR / "uploads"
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Path(directory)


# --- asking for one ---------------------------------------------------------------------------------------------------


def import_start(user: Any, name: str, **arguments: Any) -> Job:
    """Arguments: `file` and `file_name`, or `sample`; `skip_invalid`; `replace`. The job starts after commit."""
    job = Job.objects.create(kind=KIND, user=user, cluster_name=name, arguments=arguments, stage=WAITING_STAGE)
    job_signs.clear(job.pk)  # of a job of another database in the same directory
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
    job_signs.ask_to_stop(job.pk)
    Job.objects.filter(pk=job.pk).update(cancel_requested=True)
    if Job.objects.filter(pk=job.pk, state=WAITING).update(state=CANCELLED, updated=timezone.now()):
        forget_file(job)


def job_look_after(job: Job) -> None:
    """For those who wait for a job: takes up one that no worker took, and sends one again whose worker is gone."""
    if job.state == WAITING and timezone.now() - job.updated > timedelta(seconds=UNCLAIMED_SECONDS):
        in_background(job.pk)
    if job.state == RUNNING and is_lost(job):
        send_again(job)


def is_lost(job: Job) -> bool:
    """A lock on another machine cannot be seen from here: there, only silence tells."""
    here = job.holder == socket.gethostname()
    silent = timezone.now() - job.updated > timedelta(seconds=SILENT_SECONDS)
    return not job_signs.is_held(job.pk) and (here or silent)


def is_small(job_id: int) -> bool:
    """Whether it is done at once: a short text as it is, while no other import is being done."""
    arguments = Job.objects.filter(pk=job_id).values_list("arguments", flat=True).first() or {}
    path = Path(arguments.get("file", "/nonexistent"))
    if not path.is_file() or path.stat().st_size > SMALL_BYTES:
        return False
    with path.open("rb") as file, job_signs.held(_turn()) as free:
        return free and file.read(len(GZIP)) != GZIP


def send_again(job: Job) -> None:
    """Unless that has been done often: then what it does is what kills its workers."""
    lost = Job.objects.filter(pk=job.pk, state=RUNNING, attempt=job.attempt)
    if job.attempt >= MOST_ATTEMPTS:
        error = f"The worker was lost {MOST_ATTEMPTS} times, perhaps for want of memory. {LOST_NEXT}"
        lost.update(state=FAILED, result={"error": error}, updated=timezone.now())
    elif lost.update(state=WAITING, stage=WAITING_STAGE, done=0, total=0, updated=timezone.now()):
        log.warning("import job %s lost its worker and is begun anew", job.pk)
        transaction.on_commit(lambda: send(job.pk))


def sweep() -> None:
    """Jobs whose worker is gone begin anew, whether or not somebody looks at their pages."""
    for job in Job.objects.filter(kind=KIND, state=RUNNING):
        if is_lost(job):
            send_again(job)


def sweep_until(stop: threading.Event) -> None:
    """Sweep now and then, in a thread of its own; a database that is away is waited for."""
    while not stop.wait(SWEPT_EVERY_SECONDS):
        try:
            sweep()
        except Exception:
            log.exception("looking for lost jobs")
        finally:
            connections.close_all()


# --- doing one --------------------------------------------------------------------------------------------------------


def job_run(job_id: int) -> None:
    """Does the job, unless somebody else does or did."""
    with job_signs.held(job_signs.lock_of(job_id)) as free:
        job = _claimed(job_id) if free else None
        if job is not None:
            _run(job)
            job_signs.clear(job_id)


def _claimed(job_id: int) -> Job | None:
    """The job, if it is to be done. Its lock is ours: one that runs on this machine has lost its process."""
    now, here = timezone.now(), socket.gethostname()
    jobs = Job.objects.filter(pk=job_id, kind=KIND, attempt__lt=MOST_ATTEMPTS)
    claim = {"state": RUNNING, "attempt": F("attempt") + 1, "holder": here[:64], "updated": now}
    if jobs.filter(state=WAITING).update(**claim) or jobs.filter(state=RUNNING, holder=here[:64]).update(**claim):
        return Job.objects.select_related("user").get(pk=job_id)
    return None


def _run(job: Job) -> None:
    try:
        state, result = DONE, _in_turn(job)
    except LostError:
        log.warning("import job %s was taken over; nothing was stored by this process", job.pk)
        return
    except StoppedError:
        state, result = CANCELLED, {}
    except PodiumError as error:
        state, result = FAILED, {"error": str(error)}
    except Exception:
        log.exception("import job %s", job.pk)
        state, result = FAILED, {"error": "Podium failed while importing; nothing was stored. Its log says why."}
    ours = Job.objects.filter(pk=job.pk, attempt=job.attempt, state__in=(RUNNING, state))
    ours.update(state=state, result=result, updated=timezone.now())
    if state == CANCELLED or result.get("cluster"):
        forget_file(job)


def _in_turn(job: Job) -> dict[str, Any]:
    """One import at a time: two would double the memory and delay everybody else's steps."""
    tell = _Teller(job)
    while True:
        with job_signs.held(_turn()) as free:
            if free:
                return _carry_out(job, tell)
        tell(TURN_STAGE, 0, 0)
        time.sleep(TOLD_EVERY_SECONDS / 2)


def _carry_out(job: Job, tell: "_Teller") -> dict[str, Any]:
    actor, wanted = job.user.get_username() if job.user else "", job.arguments
    sample = BY_SLUG.get(wanted.get("sample", ""))
    if sample is not None and sample.source is None:
        cluster = DEMOS[sample.slug](
            job.cluster_name,
            replace=wanted["replace"],
            actor=actor,
            progress=tell,
            before_commit=lambda made: _end_with(job, {"cluster": made.name}),
        )
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
        before_commit=lambda stored: _end_with(job, _told(stored, sources)),
    )
    return _told(imported, sources)


def _end_with(job: Job, result: dict[str, Any]) -> None:
    """The job ends together with what it stores, so that nobody can do it a second time, or see half of its report."""
    if job_signs.is_asked_to_stop(job.pk):
        raise StoppedError
    ours = Job.objects.filter(pk=job.pk, state=RUNNING, attempt=job.attempt)
    if not ours.update(state=DONE, result=result, updated=timezone.now()):
        raise LostError


def _told(imported: Imported, sources: list[Source]) -> dict[str, Any]:
    report = imported.report.as_json()
    shown = excerpts(sources, imported.report.faults)
    for fault, told in zip(imported.report.faults, report["faults"], strict=True):
        told["excerpt"] = shown.get(fault, [])
    return {"cluster": imported.cluster.name if imported.cluster else None, "report": report}


class _Teller:
    """Progress for the page, not more often than somebody can read it; raises StoppedError if that is wanted.

    Inside the transaction that stores the cluster nobody would see a row that it changes: there, only files tell.
    """

    def __init__(self, job: Job) -> None:
        self.job_id, self.attempt = job.pk, job.attempt
        self.last, self.stage = 0.0, ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage == self.stage and now - self.last < TOLD_EVERY_SECONDS:
            return
        self.last, self.stage = now, stage
        job_signs.tell(self.job_id, stage, done, total)
        if job_signs.is_asked_to_stop(self.job_id):
            raise StoppedError
        if not connection.in_atomic_block:
            self._tell_row(stage, done, total)

    def _tell_row(self, stage: str, done: int, total: int) -> None:
        row = Job.objects.filter(pk=self.job_id, attempt=self.attempt)
        if row.values_list("cancel_requested", flat=True).first():
            raise StoppedError
        if not row.update(stage=stage[:100], done=done, total=total, updated=timezone.now()):
            raise LostError


def with_progress(job: Job) -> Job:
    """The job with the newest that was told of it, whether or not its row says so yet."""
    for field, value in job_signs.told(job.pk).items() if job.state == RUNNING else ():
        setattr(job, field, value)
    return job


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
