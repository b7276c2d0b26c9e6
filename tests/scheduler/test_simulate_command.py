"""`manage.py simulate`: the loop of the recordings, arrivals, draws, evictions. No database is touched."""

import json
from collections import Counter

import pytest

from tests.engine.vectors import load
from tests.scheduler.commands import run, written
from tests.scheduler.test_explain_command import NODES, a_pod

SEQUENCES = load("sequence")
RETRIED = [vector for vector in SEQUENCES if (vector.data.get("options") or {}).get("retry")]
PLAIN = [vector for vector in SEQUENCES if vector not in RETRIED]
AS_RECORDED = ("--arrive", "together", "--tie-break", "first", "-o", "json")
WITHOUT_POST_FILTER = {"postFilter": {"disabled": [{"name": "*"}]}}
SLIM = ("scores", "prefilter", "prescore_skipped")


def simulated(capsys, tmp_path, objects, *arguments, config=None):
    ran = run(capsys, "simulate", *written(tmp_path, objects, config), *arguments, "-o", "json")
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


@pytest.mark.parametrize("vector", RETRIED, ids=lambda vector: vector.name)
def test_the_whole_loop_is_what_was_recorded(capsys, tmp_path, vector):
    outcome = simulated(capsys, tmp_path, vector.objects, *AS_RECORDED, config=vector.config)
    assert {key: outcome[key] for key in vector.expected} == vector.expected


def without_post_filter(config):
    """A configuration in which no pod evicts another, and every node is looked at: as those vectors were recorded."""
    config = json.loads(json.dumps(config or {"apiVersion": "kubescheduler.config.k8s.io/v1"}))
    config |= {"kind": "KubeSchedulerConfiguration", "percentageOfNodesToScore": 100}
    for profile in config.setdefault("profiles", [{}]):
        profile["plugins"] = profile.get("plugins", {}) | WITHOUT_POST_FILTER
        profile["percentageOfNodesToScore"] = 100
    return config


@pytest.mark.parametrize("vector", PLAIN, ids=lambda vector: vector.name)
def test_without_eviction_it_is_what_was_recorded_without_retries(capsys, tmp_path, vector):
    """In none of these vectors does anything happen that would bring a refused pod back."""
    config = without_post_filter(vector.config)
    outcome = simulated(capsys, tmp_path, vector.objects, *AS_RECORDED, config=config)
    if (vector.data.get("options") or {}).get("slim"):
        outcome["decisions"] = [{key: one[key] for key in one if key not in SLIM} for one in outcome["decisions"]]
    assert {key: outcome[key] for key in vector.expected} == vector.expected


def test_the_keys_are_those_of_both_sorts_of_recordings(capsys, tmp_path):
    outcome = simulated(capsys, tmp_path, [*NODES, a_pod("web")])
    assert set(outcome) == set(RETRIED[0].expected) | set(PLAIN[0].expected)
    assert len(outcome["decisions"]) == len(outcome["steps"]) == len(outcome["pop_order"]) == 1


def test_one_by_one_goes_by_file_order_and_together_by_priority(capsys, tmp_path):
    objects = [
        NODES[0],
        a_pod("low", cpu="3", priority=1),
        a_pod("high", cpu="3", priority=9, preemptionPolicy="Never"),
    ]
    one_by_one = simulated(capsys, tmp_path, objects)
    together = simulated(capsys, tmp_path, objects, "--arrive", "together")
    assert (one_by_one["pop_order"], one_by_one["bindings"]) == (["shop/low", "shop/high"], {"shop/low": "a"})
    assert (together["pop_order"], together["bindings"]) == (["shop/high", "shop/low"], {"shop/high": "a"})


def test_a_more_important_pod_evicts_and_comes_back(capsys, tmp_path):
    objects = [NODES[0], a_pod("low", cpu="3", priority=1), a_pod("high", cpu="3", priority=9)]
    outcome = simulated(capsys, tmp_path, objects)
    assert (outcome["evicted"], outcome["bindings"]) == (["shop/low"], {"shop/high": "a"})
    assert [(step["pod"], step["attempts"], step["bound_to"]) for step in outcome["steps"]] == [
        ("shop/low", 1, "a"), ("shop/high", 1, None), ("shop/high", 2, "a"),
    ]  # fmt: skip
    assert outcome["decisions"][1]["preemption"]["victims"] == ["shop/low"]


def test_draws_follow_the_seed_and_first_takes_the_smallest_name(capsys, tmp_path):
    nodes = [NODES[0] | {"metadata": {"name": f"n{number:02}"}} for number in range(20)]
    objects = [*reversed(nodes), *(a_pod(f"p{number}") for number in range(5))]
    runs = {
        arguments: tuple(simulated(capsys, tmp_path, objects, *arguments)["bindings"].values())
        for arguments in ((), ("--seed", "1"), ("--seed", "2"), ("--seed", "3"), ("--tie-break", "first"))
    }
    assert runs[()] == runs["--seed", "1"]
    assert len({runs["--seed", seed] for seed in "123"}) == 3
    assert runs["--tie-break", "first"] == ("n00", "n01", "n02", "n03", "n04")


def test_pods_that_are_never_tried(capsys, tmp_path):
    leaving = a_pod("leaving")
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    pods = [a_pod("gated", schedulingGates=[{"name": "quota"}]), a_pod("other", schedulerName="volcano"), leaving]
    outcome = simulated(capsys, tmp_path, [*NODES, *pods])
    assert (outcome["gated"], outcome["pop_order"]) == (["shop/gated"], [])
    table = run(capsys, "simulate", *written(tmp_path, [*NODES, *pods])).out
    assert "shop/gated    gated by SchedulingGates" in table
    assert "shop/other    not ours: no profile is named volcano" in table
    assert "shop/leaving  is being deleted: never tried" in table


def test_table(capsys, tmp_path):
    pods = [a_pod("low", cpu="3", priority=1), a_pod("high", cpu="3", priority=9), a_pod("big", cpu="5")]
    lines = run(capsys, "simulate", *written(tmp_path, [NODES[0], *pods])).out.splitlines()
    message = lines.pop(9)
    assert message.startswith("  shop/big  0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, ")
    assert lines == [
        "Attempts",
        "  pod        attempt  node  total    fits",
        "  shop/low         1  a            1 of 1  the only node that fits: scoring was skipped",
        "  shop/high        1  –            0 of 1  evicts shop/low from a",
        "  shop/high        2  a            1 of 1  the only node that fits: scoring was skipped",
        "  shop/big         1  –            0 of 1  1 Insufficient cpu",
        "",
        "Not placed",
        "  shop/low  evicted",
        "",
        "Nodes that took pods (requested of allocatable)",
        "  node  new pods      pods     cpu      memory",
        "  a            1  1 of 110  3 of 4  1Gi of 8Gi",
        "",
        "3 pods arrived, 1 placed, 2 not placed, 4 attempts, 1 pod evicted.",
    ]


def test_a_thousand_pods_fill_the_cluster_and_the_rest_waits(capsys, tmp_path):
    nodes = [NODES[0] | {"metadata": {"name": f"n{number:03}"}} for number in range(200)]
    pods = [a_pod(f"p{number:04}") for number in range(1000)]
    table = run(capsys, "simulate", *written(tmp_path, [*nodes, *pods])).out
    assert "1,000 pods arrived, 800 placed, 200 not placed" in table.splitlines()[-1]
    assert (
        Counter(line.split()[1:2] == ["1"] for line in table.splitlines() if line.startswith("  shop/"))[True] >= 1000
    )
    assert "  and 150 more" in table


SCENARIO = """\
- at: 1m
  object: {kind: Pod, metadata: {name: late}, spec: {containers: [{name: c, resources: {requests: {cpu: 64}}}]}}
- at: 2m
  object:
    kind: Node
    metadata: {name: giant}
    status: {allocatable: {cpu: 128, memory: 16Gi, pods: 10}}
"""


def test_a_scenario_goes_on_after_the_pods_of_the_files(capsys, tmp_path):
    file = tmp_path / "later.yaml"
    file.write_text(SCENARIO)
    outcome = simulated(capsys, tmp_path, [*NODES, a_pod("web")], "--scenario", str(file))
    assert outcome["bindings"]["default/late"] == "giant"
    assert outcome["pop_order"] == ["shop/web", "default/late", "default/late"]


def test_a_wrong_scenario_is_told_by_line(capsys, tmp_path):
    file = tmp_path / "later.yaml"
    file.write_text("- at: 1s\n  action: cordon\n  object: {kind: Node, metadata: {name: nowhere}}\n")
    ran = run(capsys, "simulate", *written(tmp_path, [*NODES, a_pod("web")]), "--scenario", str(file))
    assert ran.status == 1
    assert f"error: {file}:3: [0].object: there is no Node nowhere to cordon" in ran.err


def test_what_cannot_be_played_is_told_in_a_line(capsys, tmp_path):
    """The clock starts with the youngest object, and kube-scheduler's times end with the year 9999."""
    pod = a_pod("late")
    pod["metadata"]["creationTimestamp"] = "9999-12-31T23:59:59Z"
    ran = run(capsys, "simulate", *written(tmp_path, [*NODES, pod]))
    assert ran.status == 1
    assert "error: The clock ends with the year 9998: kube-scheduler's times" in ran.err
