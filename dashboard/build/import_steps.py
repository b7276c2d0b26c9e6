"""The steps of an import as its page lists them, from the stage that the job last told."""

from typing import Any

from scheduler.engine.words import count
from scheduler.models import Job

STEPS = (
    ("Reading", "Read the file"),
    ("Checking", "Check fields, quantities, names and references"),
    ("Adding", "Build the cluster"),
    ("Writing", "Store it"),
)

AT = {Job.State.RUNNING: "run", Job.State.WAITING: "wait", Job.State.CANCELLED: "skip"}  # the step that was told last


def steps_of(job: Job) -> list[dict[str, Any]]:
    """One dict a step: label, state (wait run done fail skip), note, percent (None where the whole is unknown)."""
    at = next((index for index, (word, _) in enumerate(STEPS) if job.stage.startswith(word)), -1)
    if at > 0 and _is_unread(job):
        at = 0
    complete = job.state == Job.State.DONE and bool(job.result.get("cluster"))
    to_come = "wait" if job.state in (Job.State.WAITING, Job.State.RUNNING) else "skip"
    steps = []
    for index, (word, label) in enumerate(STEPS):
        state = "done" if complete or index < at else to_come
        if index == at and not complete:
            state = AT.get(Job.State(job.state), "fail")
        steps.append({"label": label, "state": state, **_amount(job, word, state)})
    return steps


def _is_unread(job: Job) -> bool:
    """Whether nothing at all could be made out in the file."""
    report = job.result.get("report", {})
    return bool(report.get("fault_count")) and not report["total"]["found"]


def _amount(job: Job, word: str, state: str) -> dict[str, Any]:
    wrong = job.result.get("report", {}).get("fault_count", 0)
    if job.state == Job.State.CANCELLED and state == "skip" and job.stage.startswith(word):
        return {"note": "stopped here", "percent": None}
    if state != "run":
        return {"note": f"{wrong:,} wrong" if state == "fail" and wrong else "", "percent": None}
    if not job.total:
        return {"note": count(job.done, "object") if job.done else "", "percent": None}
    return {"note": f"{job.done:,} of {job.total:,}", "percent": 100 * job.done // job.total}


def waits_for(job: Job) -> str:
    """What a job that has not begun waits for, "" if it has."""
    return job.stage if job.stage.startswith("Waiting") else ""
