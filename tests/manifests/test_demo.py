"""The demo cluster keeps its promises: it is the same each time, what runs fits, and every waiting pod teaches."""

import json
from collections import Counter

import msgspec
import pytest

from scheduler.engine.admission.admission import Context, admit, validate
from scheduler.engine.commands import AddObject, FinishCycle, PopPod
from scheduler.engine.simulation.simulation import Simulation
from scheduler.manifests.check import complaints
from scheduler.manifests.demo import LESSON, demo_manifests, rollout_manifests
from scheduler.manifests.order import newest_us, order_of
from scheduler.manifests.warnings import notices


def a_simulation():
    manifests = sorted(demo_manifests(), key=order_of)
    context = Context.of(manifests)
    simulation, _ = Simulation.create("demo", 1, newest_us(manifests))
    for manifest in manifests:
        simulation.clock.now_us += 1
        simulation.handle(AddObject(manifest["kind"], admit(manifest["kind"], manifest, context)))
    return simulation


@pytest.fixture(scope="module")
def outcomes():
    """Every pod of activeQ scheduled once: its decision and its cycle, by the pod's name, in the order of the queue."""
    simulation, seen = a_simulation(), {}
    while simulation.handle(PopPod()):
        cycle = simulation.cycle_for_open()
        decision = cycle.run()
        seen[simulation.open_cycle.pod.name] = decision, cycle
        simulation.handle(FinishCycle(msgspec.to_builtins(decision)))
        simulation.validate()
    return seen


def test_it_is_the_same_each_time_and_newly_built():
    first, second = demo_manifests(), demo_manifests()
    assert json.dumps(first) == json.dumps(second)
    first[0]["metadata"]["name"] = "changed"
    assert json.dumps(demo_manifests()) == json.dumps(second)


def test_it_is_valid_and_gives_one_warning():
    manifests = demo_manifests()
    assert [fault for one in manifests for fault in validate(one["kind"], one)] == []
    assert [notice.objects for notice in notices(manifests)] == [("batch/simulation-7",)]


def test_it_has_the_promised_size():
    manifests = demo_manifests()
    pods = [one for one in manifests if one["kind"] == "Pod"]
    nodes = [one for one in manifests if one["kind"] == "Node"]
    assert len(nodes) == 60
    assert len({node["metadata"]["labels"]["topology.kubernetes.io/zone"] for node in nodes}) == 3
    assert sum(node["spec"].get("unschedulable", False) for node in nodes) == 1
    assert 380 <= sum("nodeName" in pod["spec"] for pod in pods) <= 420
    assert {pod["metadata"]["namespace"] for pod in pods} >= {"kube-system", "shop", "data", "ml", "ops", "batch"}


def test_what_runs_fits():
    columns = a_simulation().cluster.snapshot().columns
    for resource in ("cpu", "memory", "pods", "nvidia.com/gpu"):
        requested, allocatable = columns["requested", resource], columns["allocatable", resource]
        assert requested.any()
        assert (requested <= allocatable).all(), resource


def test_every_waiting_pod_says_what_it_teaches():
    waiting = [one for one in demo_manifests() if one["kind"] == "Pod" and "nodeName" not in one["spec"]]
    assert len(waiting) >= 12
    for pod in waiting:
        lesson = pod["metadata"]["annotations"][LESSON]
        assert lesson.endswith(".")
        assert len(lesson) <= 120, lesson


@pytest.mark.parametrize(
    ("pod", "reasons"),
    [
        ("warehouse-load", {"Insufficient cpu": 51}),
        ("embed-catalog", {"node(s) had untolerated taint {nvidia.com/gpu: present}": 6}),
        ("pretrain", {"Insufficient nvidia.com/gpu": 57}),
        ("storefront-canary", {"node(s) didn't match Pod's node affinity/selector": 51}),
        ("ingress-canary", {"node(s) didn't have free ports for the requested pod ports": 2}),
        ("disk-benchmark", {"node(s) were unschedulable": 1}),
        ("year-report", {"Insufficient cpu": 51, "Insufficient memory": 51}),
    ],
)
def test_pod_that_stays_is_refused_for_the_reason_it_teaches(outcomes, pod, reasons):
    decision, cycle = outcomes[pod]
    assert decision.outcome == "unschedulable"
    told = Counter()
    for refusal in cycle.trace.refusals:
        told[refusal.reason] += refusal.count
    assert reasons.items() <= told.items()


def test_first_is_the_pod_of_the_highest_priority(outcomes):
    assert next(iter(outcomes)) == "payments-hotfix"


def test_tie_is_of_the_three_fresh_nodes(outcomes):
    assert set(outcomes["spot-canary"][0].tied) == {"spot-a-04", "spot-b-08", "spot-c-12"}


def test_image_decides_against_emptier_nodes(outcomes):
    _, cycle = outcomes["notebook-ada"]
    scores = cycle.scores
    without = scores.totals - scores.weighted("ImageLocality")
    assert scores.weighted("ImageLocality")[scores.winner] == 91
    assert without[scores.winner] < without.max()


def test_preference_decides_where_it_is_met(outcomes):
    decision, cycle = outcomes["search-reindex"]
    assert decision.node.startswith("memory-b-")
    assert cycle.scores.weighted("NodeAffinity")[cycle.scores.winner] == 200


def test_gpu_pod_goes_to_the_gpu_pool_alone(outcomes):
    decision, _ = outcomes["infer-preview"]
    assert decision.feasible == 6
    assert decision.node.startswith("gpu-")


def test_one_feasible_node_is_not_scored(outcomes):
    decision, _ = outcomes["log-probe"]
    assert (decision.node, decision.feasible, decision.total) == ("general-b-14", 1, 0)


def test_best_effort_pod_goes_anywhere(outcomes):
    assert outcomes["shell"][0].feasible == 51


def test_init_container_counts(outcomes):
    decision, _ = outcomes["schema-migration"]
    assert decision.outcome == "bound"
    assert decision.feasible < outcomes["shell"][0].feasible


def test_gated_pod_and_pod_of_another_scheduler_are_never_tried(outcomes):
    assert not {"preview-418", "simulation-7"} & outcomes.keys()
    assert len(outcomes) == 17


def test_the_rollout_cluster_is_one_that_an_api_server_would_hold():
    for manifest in rollout_manifests():
        assert complaints(manifest["kind"], manifest) == []
