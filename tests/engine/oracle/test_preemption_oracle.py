"""Preemption against the plain version, on clusters full of collisions."""

from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from scheduler.engine.conformance import cluster_of, nominated_pods
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.framework import Code
from scheduler.engine.objects import Node, Pod, PodDisruptionBudget
from scheduler.engine.preemption.budgets import Budgets
from scheduler.engine.preemption.dry_run import outcomes_of
from scheduler.engine.preemption.eligibility import potential_rows
from tests.engine.oracle import default_preemption as plain
from tests.engine.oracle.drawing import clusters, pods
from tests.engine.oracle.test_oracle import FILTERS, PROFILE, TWINS, world_of
from tests.engine.oracle.world import Refusal, World

APPS = ({"app": "web"}, {"app": "db"}, {})
STARTS = (None, "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z", "2024-01-03T00:00:00Z")


def first_refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    return next((found for name in FILTERS if (found := TWINS[name].refusal(world, pod, node))), None)


@st.composite
def crowded(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A cluster whose pods have priorities, starts and budgets; the last one wants much and comes before most."""
    *others, incoming = draw(clusters())
    names = [one["metadata"]["name"] for one in others if one["kind"] == "Node"]
    others += [draw(pods(f"filler-{name}", name)) for name in names]
    for one in others:
        if one["kind"] == "Pod":
            one["spec"]["priority"] = draw(st.sampled_from([-1, 0, 0, 5, 5, 10]))
            one["status"]["startTime"] = draw(st.sampled_from(STARTS))
            one["spec"]["containers"][0]["ports"] = []
            one["spec"]["containers"][0]["resources"] = {"requests": {"cpu": draw(st.sampled_from(["1", "2", "3"]))}}
        if one["kind"] == "Node":
            one["status"]["allocatable"] |= {"cpu": "4", "pods": draw(st.sampled_from(["110", "110", "2"]))}
            one["spec"]["unschedulable"] = None
            one["spec"]["taints"] = one["spec"]["taints"][:1] if draw(st.booleans()) else []
    # Put back, a pod counts for an empty selector, at first it does not; the plain version always counts anew.
    for rule in incoming["spec"]["topologySpreadConstraints"]:
        rule["labelSelector"] = {"matchLabels": draw(st.sampled_from(APPS[:2]))}
    incoming["spec"] |= {"priority": 10, "nodeSelector": None}
    container = incoming["spec"]["containers"][0]
    container["resources"]["requests"] = {"cpu": draw(st.sampled_from(["1", "3", "4"]))}
    budgets = [
        {
            "kind": "PodDisruptionBudget",
            "metadata": {"name": f"b{number}", "namespace": draw(st.sampled_from(["default", "team"]))},
            "spec": {"selector": {"matchLabels": draw(st.sampled_from(APPS))}},
            "status": {"disruptionsAllowed": draw(st.integers(0, 2))},
        }
        for number in range(draw(st.integers(0, 2)))
    ]
    if draw(st.booleans()):
        waiting = {"nominatedNodeName": draw(st.sampled_from(names))}
        spec = {"priority": draw(st.sampled_from([5, 10])), "containers": [container]}
        budgets.append({"kind": "Pod", "metadata": {"name": "early"}, "spec": spec, "status": waiting})
    return [*others, *budgets, incoming]


def attempt_of(manifests: list[dict[str, Any]]) -> tuple[Cycle, plain.Attempt]:
    cluster = cluster_of(manifests)
    incoming = cluster.get("Pod", manifests[-1]["metadata"]["namespace"], "incoming")
    assert isinstance(incoming, Pod)
    nominated = nominated_pods(cluster)
    cycle = Cycle(cluster.snapshot(), PROFILE, incoming, nominated=nominated, percentage=100)
    cycle.run()
    objects = [one for kind in ("Namespace", "Node", "Pod") for one in cluster.objects[kind].values()]
    world = world_of([one for one in objects if not isinstance(one, Pod) or one.node_name], cycle.snapshot.names)
    # Order of the pods on a node: as the cluster keeps it.
    world.pods = {info.name: [pod.pod for pod in info.pods] for info in cycle.snapshot.infos}
    refused = {
        cycle.snapshot.names[row]: Refusal(one.reasons, one.code is not Code.UNSCHEDULABLE)
        for row, one in cycle.trace.first_failures.items()
    }
    budgets = list(cluster.objects.get("PodDisruptionBudget", {}).values())
    assert all(isinstance(one, PodDisruptionBudget) for one in budgets)
    return cycle, plain.Attempt(world, incoming, refused, nominated, budgets, first_refusal)


@settings(max_examples=80, deadline=None)
@given(crowded())
def test_preemption_does_what_the_plain_version_does(manifests):
    cycle, attempt = attempt_of(manifests)
    result = cycle.post_filter_result
    assume(result is not None and result.details is not None)
    candidates, rejected = plain.candidates(attempt)
    event(f"{min(len(candidates), 2)} candidates, {sum(one.violations > 0 for one in candidates.values()) > 0}")
    assert {
        name: ([pod.key for pod in one.pods], one.violations) for name, one in result.details.candidates.items()
    } == {name: ([pod.key for pod in one.pods], one.violations) for name, one in candidates.items()}
    assert {
        name: Refusal(one.reasons, one.code is not Code.UNSCHEDULABLE) for name, one in result.details.rejected.items()
    } == rejected
    assert list(result.details.tied) == plain.acceptable(candidates)
    assert result.details.nominated == next(iter(plain.acceptable(candidates)), "")


@settings(max_examples=40, deadline=None)
@given(crowded())
def test_nodes_tried_together_say_what_each_says_alone(manifests):
    cycle, _ = attempt_of(manifests)
    assume(cycle.post_filter_result is not None)
    rows, budgets = potential_rows(cycle), Budgets(cycle.snapshot)
    alone = {row: outcome for one in rows for row, outcome in outcomes_of(cycle, [one], budgets).items()}
    assert outcomes_of(cycle, rows, budgets) == alone


@pytest.mark.parametrize("number", range(3))
def test_trying_leaves_the_cluster_as_it_was(number):
    cycle, _ = attempt_of(crowded_example(number))
    before = {key: vector.copy() for key, vector in cycle.snapshot.columns.vectors.items()}
    there = [list(info.pods) for info in cycle.snapshot.infos]
    cycle.post_filter()
    assert [list(info.pods) for info in cycle.snapshot.infos] == there
    assert all((cycle.snapshot.columns.vectors[key] == vector).all() for key, vector in before.items())


def crowded_example(number: int) -> list[dict[str, Any]]:
    node = {"kind": "Node", "metadata": {"name": "n"}, "status": {"allocatable": {"cpu": "4", "pods": "9"}}}
    ports = [{"hostPort": 80, "containerPort": 80}] if number else []

    def pod(name: str, priority: int, **spec: Any) -> dict[str, Any]:
        container = {"name": "c", "ports": ports, "resources": {"requests": {"cpu": "3" if number < 2 else "1"}}}
        return {
            "kind": "Pod",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"containers": [container], "priority": priority, **spec},
        }

    return [node, pod("low", 0, nodeName="n"), pod("incoming", 10)]
