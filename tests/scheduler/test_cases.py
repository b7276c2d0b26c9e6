"""Public questions with settled answers: each pod gets its node, its message and every weighted score."""

from functools import cache
from operator import attrgetter
from pathlib import Path

import pytest

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.commands import AddObject
from scheduler.engine.queue.entry import UNSCHEDULABLE
from tests.scheduler.cases import Case, Replay, load

CASES = [case for case in (*load("cases"), *load("data/golden")) if not case.plans]
WITH_STEPS = "42-queue-wakes-on-useful-node-only"
PLAIN = [case for case in CASES if case.path.stem != WITH_STEPS]
SCORED = [case for case in PLAIN if case.spec.get("weightedScores")]
name_of = attrgetter("path.stem")


@cache
def replayed(path: Path, together: bool) -> Replay:
    return Replay(path, together=together)


def replay(case: Case) -> Replay:
    steps = case.spec.get("steps") or []
    assert steps in ([], [{"createAllThenStart": True}]), "steps that this test does not know"
    return replayed(case.path, bool(steps))


@pytest.mark.parametrize("case", PLAIN, ids=name_of)
def test_every_pod_ends_where_the_real_scheduler_put_it(case):
    replay_of_case = replay(case)
    for key, expected in case.spec["expect"].items():
        seen = replay_of_case.seen.get(key)
        if expected["outcome"] == "Scheduled":
            assert seen.node in expected["nodeIn"], key
        elif expected.get("attempts") == 0:
            assert seen is None, key
        else:
            assert (seen.node, seen.message) == ("", expected.get("message", seen.message)), key
            assert replay_of_case.run.simulation.queued(key).place == UNSCHEDULABLE, key


@pytest.mark.parametrize("case", SCORED, ids=name_of)
def test_every_weighted_score_is_the_real_one(case):
    for key, expected in case.spec["weightedScores"].items():
        assert replay(case).seen[key].scores == expected, key


def test_the_winner_has_the_recorded_total():
    case = next(case for case in CASES if case.path.stem == "openb-slice-90-nodes")
    recorded = {key: one for key, one in case.spec["expect"].items() if "totalScore" in one}
    seen = {key: replay(case).seen[key] for key in recorded}
    assert len(recorded) == 6
    assert {key: (one.scores[one.node]["total"], len(one.scores)) for key, one in seen.items()} == {
        key: (one["totalScore"], one["nodesScored"]) for key, one in recorded.items()
    }


def test_only_a_node_that_is_large_enough_wakes_the_pod():
    case = next(case for case in CASES if case.path.stem == WITH_STEPS)
    waits, small, asserted, large, ends = case.spec["steps"]
    key = "default/wants-two"
    assert (waits, asserted) == (
        {"wait": f"{key} Pending"},
        {"assert": f"{key} still in Unschedulable, attempts unchanged"},
    )
    going = Replay(case.path)
    assert (going.seen[key].node, going.seen[key].attempt) == ("", 1)
    for step, node in ((small, ""), (large, "n3")):
        going.run.simulation.handle(AddObject("Node", admit("Node", step["addNode"], Context())))
        going.go_on()
        assert going.seen[key].node == node
    assert (ends, going.seen[key].attempt) == ({"wait": f"{key} Scheduled"}, 2)
    assert case.spec["expect"] == {key: {"outcome": "Scheduled", "nodeIn": ["n3"]}}


def test_the_verdict_that_a_real_cluster_recorded():
    case = next(case for case in CASES if case.path.stem == "gke-5-nodes-real-pending")
    message = replay(case).seen["default/pending-pod"].message
    assert message.startswith(case.spec["recordedMessage"])


def test_without_its_system_pods_the_dump_lies(tmp_path):
    case = next(case for case in CASES if case.path.stem == "gke-5-nodes-real-pending")
    text = case.path.read_text().split("\n---\n")
    kept = [one for one in text if "\nkind: Pod" not in one or "namespace: kube-system" not in one]
    assert len(kept) < len(text)
    (tmp_path / "dump.yaml").write_text("\n---\n".join(kept))
    assert Replay(tmp_path / "dump.yaml").seen["default/pending-pod"].node
