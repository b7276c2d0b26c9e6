"""The command line of time: run, step, scenario, branch, undo."""

import pytest
from django.core.management import CommandError, call_command

from scheduler.models import Cluster
from tests.scheduler.builders import a_cluster, a_pod

pytestmark = pytest.mark.django_db(transaction=True)
STEP = "- at: 10s\n  object: {kind: Pod, metadata: {name: late}, spec: {containers: [{name: c}]}}\n"


def told(capsys, *arguments: str) -> str:
    call_command(*arguments)
    return capsys.readouterr().out


def test_a_run_without_a_runner_is_driven_here_until_its_condition(capsys):
    cluster = a_cluster(pods=4)
    assert told(capsys, "run", cluster.name, "--until", "bound:web-1").startswith(
        "Stopped: default/web-1 was placed.\n"
    )
    assert told(capsys, "run", cluster.name, "--max-cycles", "1").startswith("Stopped: cycle 3 is over.")
    assert told(capsys, "run", cluster.name).startswith("Nothing left to do: no pod waits.")
    cluster.refresh_from_db()
    assert (cluster.wanted, cluster.lease_holder) == (Cluster.Wanted.PAUSED, "")


@pytest.mark.parametrize(
    ("by", "first"),
    [("cycle", "cycle 1: default/web-0: placed on"), ("phase", "cycle 1: default/web-0: Pop"), ("event", "event ")],
)
def test_a_step_says_what_it_did(capsys, by, first):
    cluster = a_cluster(pods=1)
    assert told(capsys, "step", cluster.name, "--by", by).startswith(first)


def test_steps_end_with_the_last_pod(capsys):
    cluster = a_cluster(pods=1, more=[a_pod("huge", cpu="64")])
    lines = told(capsys, "step", cluster.name, "-n", "9").splitlines()
    assert lines[-1] == "Nothing is left to step now."
    assert len(lines) == 3


def test_a_scenario_is_planned_played_and_cancelled(capsys, tmp_path):
    cluster, file = a_cluster(pods=0), tmp_path / "rush.yaml"
    file.write_text(STEP)
    assert told(capsys, "scenario", cluster.name, "-f", str(file)).startswith("Planned 1 step of rush with event")
    assert told(capsys, "run", cluster.name, "--until", "bound:late").startswith("Stopped: default/late was placed.")
    with pytest.raises(CommandError, match="No scenario"):
        call_command("scenario", cluster.name, "--cancel")


def test_a_wrong_scenario_is_told_by_file_and_line(capsys, tmp_path):
    cluster, file = a_cluster(), tmp_path / "rush.yaml"
    file.write_text("- at: never\n  object: {kind: Pod, metadata: {name: a}}\n")
    with pytest.raises(SystemExit):
        call_command("scenario", cluster.name, "-f", str(file))
    assert f"error: {file}:1: [0].at: 'never' is no moment" in capsys.readouterr().err


def test_a_branch_and_an_undo(capsys):
    cluster = a_cluster(pods=1)
    head = cluster.seq
    told(capsys, "step", cluster.name)
    assert told(capsys, "branch", cluster.name, "--at", str(head)).startswith(
        f"Created cluster {cluster.name}-at-{head}"
    )
    assert told(capsys, "undo", cluster.name, "--dry-run").startswith("Would undo cycle 1: default/web-0 placed on")
    assert f"as it was at event {head}." in told(capsys, "undo", cluster.name)
    with pytest.raises(CommandError, match="nothing to undo"):
        call_command("undo", cluster.name)


def test_no_step_at_all_is_no_command():
    with pytest.raises(CommandError, match="-n 0: step once at least"):
        call_command("step", "any", "-n", "0")


@pytest.mark.parametrize("command", ["run", "step", "branch", "undo"])
def test_a_cluster_that_is_not_there_is_told_with_those_that_are(command):
    cluster = a_cluster()
    with pytest.raises(CommandError, match=f"There is no cluster nowhere. Clusters: {cluster.name}."):
        call_command(command, "nowhere")
