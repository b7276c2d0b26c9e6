"""The steps that the page of an import lists: where it stopped, and why."""

from dashboard.build.import_steps import steps_of
from scheduler.models import Job


def test_a_cancelled_import_stopped_somewhere_but_nothing_is_wrong():
    steps = steps_of(Job(state=Job.State.CANCELLED, stage="Checking objects", result={}))
    assert [step["state"] for step in steps] == ["done", "skip", "skip", "skip"]
    assert [step["note"] for step in steps] == ["", "stopped here", "", ""]


def test_a_file_of_which_nothing_is_made_out_was_not_read():
    report = {"fault_count": 1, "total": {"found": 0, "taken": 0}}
    steps = steps_of(Job(state=Job.State.DONE, stage="Checking objects", result={"cluster": None, "report": report}))
    assert [step["state"] for step in steps] == ["fail", "skip", "skip", "skip"]
    assert steps[0]["note"] == "1 wrong"
