"""`manage.py explain`: equal to every recording of the real scheduler, and readable. No database is touched."""

import json

import pytest

from tests.engine.vectors import Vector, load
from tests.scheduler.commands import run, written

REFUSED_BY_THE_API_SERVER = {
    "cfg-0041", "cfg-0083", "edge-no-terms-at-all", "rich-0068", "t-vz-unparsable", "t-vz-unparsable-zone-good-region",
}  # fmt: skip
VECTORS = [vector for kind in ("cycle", "preemption", "volume") for vector in load(kind)]
POSSIBLE = [vector for vector in VECTORS if vector.name not in REFUSED_BY_THE_API_SERVER]
NODES = [
    {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
        "spec": {"taints": [{"key": "old", "effect": "PreferNoSchedule"}] if name == "b" else []},
        "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}},
    }
    for name in "abc"
]


def a_pod(name, cpu="1", **spec):
    container = {"name": "app", "image": "app:1", "resources": {"requests": {"cpu": cpu, "memory": "1Gi"}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"containers": [container], **spec},
    }


@pytest.mark.parametrize("vector", POSSIBLE, ids=lambda vector: vector.name)
def test_json_of_a_pod_is_what_the_real_scheduler_recorded(capsys, tmp_path, vector: Vector):
    files = written(tmp_path, vector.objects, vector.config)
    ran = run(capsys, "explain", *files, "--pod", vector.data["pod"], "-o", "json")
    informative = {"api_validation_errors"}
    assert json.loads(ran.out) == {key: value for key, value in vector.expected.items() if key not in informative}
    assert ran.status == 0


@pytest.mark.parametrize("name", sorted(REFUSED_BY_THE_API_SERVER))
def test_what_an_api_server_would_refuse_is_refused(capsys, tmp_path, name):
    vector = next(vector for vector in VECTORS if vector.name == name)
    ran = run(capsys, "explain", *written(tmp_path, vector.objects, vector.config), "--pod", vector.data["pod"])
    assert ran.status == 1
    assert all(line.startswith(f"error: {tmp_path}/objects.json:") for line in ran.err.splitlines())
    assert ran.out == ""


def test_without_a_pod_all_pending_ones_are_explained_in_file_order(capsys, tmp_path):
    pods = [a_pod("z"), a_pod("on-a-node", nodeName="a"), a_pod("gated", schedulingGates=[{"name": "x"}]), a_pod("b")]
    ran = run(capsys, "explain", *written(tmp_path, [*NODES, *pods]), "-o", "json")
    assert [one["pod"] for one in json.loads(ran.out)] == ["shop/z", "shop/gated", "shop/b"]


def test_table_of_a_placed_pod(capsys, tmp_path):
    ran = run(capsys, "explain", *written(tmp_path, [*NODES, a_pod("busy", nodeName="c"), a_pod("web")]))
    # LeastAllocated of a: cpu (4 - 1) / 4 = 75, memory (8 - 1) / 8 = 87, mean 81; of c: 50 and 75, mean 62
    assert (
        ran.out
        == """\
shop/web would go to a with 474, 25 ahead of c; mostly NodeResourcesFit decided.

Podium of 3 nodes that fit
      node  total  points behind, by algorithm
  1.  a       474  chosen
  2.  c       449  -25: NodeResourcesFit -19, NodeResourcesBalancedAllocation -6
  3.  b       174  -300: TaintToleration -300

Scores: raw → 0 to 100 → times weight
  algorithm                        weight              a              c             b
  TaintToleration                       3  0 → 100 → 300  0 → 100 → 300     1 → 0 → 0
  NodeResourcesFit                      1   81 → 81 → 81   62 → 62 → 62  81 → 81 → 81
  NodeResourcesBalancedAllocation       1   93 → 93 → 93   87 → 87 → 87  93 → 93 → 93
  ImageLocality                         1      0 → 0 → 0      0 → 0 → 0     0 → 0 → 0
  total                                              474            449           174
  Nothing to say about this pod: NodeAffinity, PodTopologySpread, InterPodAffinity.
"""
    )


def test_a_node_is_told_step_by_step(capsys, tmp_path):
    pods = [a_pod("busy", nodeName="c"), a_pod("web")]
    out = run(capsys, "explain", *written(tmp_path, [*NODES, *pods]), "--pod", "shop/web", "--node", "b").out
    steps = out[out.index("Filters on b, step by step") :]
    for line in (
        "  NodeResourcesFit: passes",
        "      cpu     1000m ≤ 4000m − 0m     yes",
        "  TaintToleration: 1 → 0 → 0",
        "      old:PreferNoSchedule  PreferNoSchedule, not tolerated  1",
        "      normalised            100 − 100                        0",
        "      weighted              0 × 3                            0    normalised × weight",
    ):
        assert line in steps.splitlines(), line


def test_a_refused_node_has_steps_and_no_scores(capsys, tmp_path):
    out = run(capsys, "explain", *written(tmp_path, [*NODES, a_pod("web", cpu="9")]), "--node", "a").out
    assert "  NodeResourcesFit: Insufficient cpu" in out
    assert "      cpu     9000m ≤ 4000m − 0m     no" in out
    assert "Scores of a" not in out


def test_a_node_that_is_not_there_is_told_so(capsys, tmp_path):
    nodes = [*NODES, NODES[0] | {"metadata": {"name": "node-1"}}]
    ran = run(capsys, "explain", *written(tmp_path, [*nodes, a_pod("web")]), "--node", "node1")
    message = "error: there is no node node1 in these files; did you mean node-1?"
    assert (ran.status, ran.err.splitlines()[-1]) == (1, message)


def test_json_has_no_steps(capsys, tmp_path):
    ran = run(capsys, "explain", *written(tmp_path, [*NODES, a_pod("web")]), "--node", "a", "-o", "json")
    assert (ran.status, ran.out) == (2, "")
    assert "--node goes with the table" in ran.err


def test_ties_are_told_as_ties(capsys, tmp_path):
    out = run(capsys, "explain", *written(tmp_path, [NODES[0], NODES[2], a_pod("web")])).out
    assert "  2 nodes tie for the first place; one is drawn: a, c." in out
    assert "  1.  a       474  chosen" in out or "  1.  c       474  chosen" in out
    assert "0: all scores are equal" in out


def test_table_of_a_refused_pod_counts_nodes_by_reason(capsys, tmp_path):
    pods = [a_pod("busy", nodeName="c"), a_pod("web", cpu="3500m", nodeSelector={"disk": "ssd"})]
    nodes = [*NODES[:1], NODES[1] | {"spec": {"unschedulable": True}}, NODES[2]]
    out = run(capsys, "explain", *written(tmp_path, [*nodes, *pods])).out
    assert out.startswith(
        "shop/web fits on none of 3 nodes. a comes closest: out by node affinity/selector; the other 2"
    )
    assert "kube-scheduler says: 0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match" in out
    assert "      2  NodeAffinity       node(s) didn't match Pod's node affinity/selector  a, c" in out
    assert "Podium" not in out


def test_scoring_of_a_single_node_was_skipped(capsys, tmp_path):
    out = run(capsys, "explain", *written(tmp_path, [NODES[0], a_pod("web")])).out
    assert "Scoring was skipped: only one node fits." in out
    assert "Scores" not in out


def test_who_would_be_evicted(capsys, tmp_path):
    pods = [a_pod("low", cpu="4", nodeName="a", priority=1), a_pod("high", cpu="4", priority=9)]
    out = run(capsys, "explain", *written(tmp_path, [NODES[0], *pods])).out
    assert "To make room on a it would evict shop/low." in out


def test_a_gated_pod_and_one_of_another_scheduler(capsys, tmp_path):
    pods = [a_pod("gated", schedulingGates=[{"name": "quota"}]), a_pod("other", schedulerName="volcano")]
    out = run(capsys, "explain", *written(tmp_path, [*NODES, *pods])).out
    assert "shop/gated is gated and not in the queue yet: waiting for scheduling gates: [quota]" in out
    assert "shop/other asks for the scheduler volcano, which is not among the profiles" in out


def test_a_pod_that_is_being_deleted(capsys, tmp_path):
    pod = a_pod("web")
    pod["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    out = run(capsys, "explain", *written(tmp_path, [*NODES, pod])).out
    assert out.startswith("shop/web is being deleted: kube-scheduler passes it over.")


def test_a_sample_looks_at_as_many_nodes_as_the_profile_says(capsys, tmp_path):
    many = [NODES[0] | {"metadata": {"name": f"n{number:03}"}} for number in range(300)]
    files = written(tmp_path, [*many, a_pod("web")])
    counts = [
        len(json.loads(run(capsys, "explain", *files, "--pod", "shop/web", "-o", "json", *more).out)["feasible"])
        for more in ((), ("--sample",))
    ]
    assert counts == [300, 300 * (50 - 300 // 125) // 100]
    assert "of 300 nodes, from the first on." in run(capsys, "explain", *files, "--sample").out


@pytest.mark.parametrize(
    ("pod", "message"),
    [
        ("shop/wep", "error: there is no unfinished pod shop/wep in these files; did you mean shop/web?"),
        ("web", "error: there is no unfinished pod default/web in these files; did you mean shop/web?"),
        ("shop/busy", "error: pod shop/busy is on node c already; only a pending pod can be explained"),
    ],
)
def test_a_pod_that_cannot_be_explained(capsys, tmp_path, pod, message):
    files = written(tmp_path, [*NODES, a_pod("busy", nodeName="c"), a_pod("web")])
    ran = run(capsys, "explain", *files, "--pod", pod)
    assert (ran.status, ran.err.splitlines()[-1]) == (1, message)
