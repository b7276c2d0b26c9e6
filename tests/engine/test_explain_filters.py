"""Explained verdicts, recomputed from inputs alone, must be what the real scheduler said of every node."""

from typing import Any

import pytest

from scheduler.engine.conformance import gate, vector_cycle
from scheduler.engine.explain.filters import explain_filters
from scheduler.engine.explain.steps import evaluate
from scheduler.engine.explain.trace import NOT_EVALUATED
from scheduler.engine.framework import Code, Step
from tests.engine.builders import a_cycle, a_node, a_pod
from tests.engine.test_cycle_vectors import VECTORS
from tests.engine.vectors import Vector

NODES_PER_VECTOR = 24


def sampled(vector: Vector, names: list[str]) -> list[int]:
    """Rows to look at: all of a small cluster; of a large one, every way in which a node was refused, and then some."""
    if len(names) <= NODES_PER_VECTOR:
        return list(range(len(names)))
    rejected = vector.expected.get("rejected", {})
    kinds = {str(rejected.get(name)): row for row, name in enumerate(names)}
    return sorted({*kinds.values(), *range(0, len(names), len(names) // NODES_PER_VECTOR)})


def told(one: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    return one["plugin"], tuple(one["reasons"])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: one.name)
def test_every_filter_evaluates_to_the_recorded_verdict(vector: Vector):
    cycle, _ = vector_cycle(vector.data)
    if gate(cycle.profile, cycle.pod) is not None or not len(cycle.snapshot) or "error" in vector.expected:
        return
    cycle.run()
    for row in sampled(vector, cycle.snapshot.names):
        name, cells = cycle.snapshot.names[row], explain_filters(cycle, row)
        assert all(cell.steps or cell.status.code is Code.SKIP for cell in cells), "a filter does not explain itself"
        found = [(cell.status.plugin, reasons) for cell in cells if cell.steps and (reasons := evaluate(cell.steps))]
        recorded = vector.expected.get("rejected", {}).get(name)
        if recorded and recorded["code"] == NOT_EVALUATED:
            continue
        assert found[:1] == ([told(recorded)] if recorded else []), name
        if recorded and "all_failures" in recorded and not any(cell.nominated for cell in cells):
            by_filters = [one for one in found if one[0]]
            assert by_filters == [told(one) for one in recorded["all_failures"]], name


@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: one.name)
def test_names_of_steps_are_unique(vector: Vector):
    cycle, _ = vector_cycle(vector.data)
    cycle.run()
    if cycle.error:
        return
    for row in sampled(vector, cycle.snapshot.names)[:8]:
        for cell in explain_filters(cycle, row):
            names = [step.name for step in cell.steps]
            assert len(set(names)) == len(names), cell.plugin


def by_filter(pod, node):
    cycle = a_cycle(pod, node)
    cycle.run()
    return {cell.plugin: cell for cell in explain_filters(cycle, 0)}


def test_a_filter_is_explained_by_its_comparisons_and_their_reasons():
    cells = by_filter(a_pod(requests={"cpu": "5"}), a_node())
    assert cells["NodeResourcesFit"].status.reasons == ("Insufficient cpu",)
    assert cells["NodeResourcesFit"].steps == [
        Step("pods", "fits", (1, 110, 0), True),
        Step("cpu", "fits", (5000, 4000, 0), False),
        Step("verdict", "every_reason", ("pods", "Too many pods", "cpu", "Insufficient cpu"), ("Insufficient cpu",)),
    ]
    assert cells["NodePorts"].status.code is Code.SKIP


def test_what_is_not_modelled_is_explained_as_that():
    (cell,) = by_filter(a_pod(resourceClaims=[{"name": "gpu"}]), a_node()).values()
    assert cell.plugin == "DynamicResources"
    assert cell.steps[0] == Step("resource claims", "none", (1,), False, "of the pod")
    assert evaluate(cell.steps) == ("resource claims are not modelled by this simulator",)


def test_a_claim_that_must_be_bound_first_is_explained():
    claim = {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "default"},
        "spec": {"accessModes": ["ReadWriteOnce"]},
    }
    volumes = [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]
    cycle = a_cycle(a_pod(volumes=volumes), a_node(), claim)
    cycle.run()
    (cell,) = explain_filters(cycle, 0)
    assert {step.name: step.result for step in cell.steps[:3]} == {
        "claim 1 bound": False,
        "claim 1 unclaimed": True,
        "claim 1 waits": False,
    }
    assert evaluate(cell.steps) == ("pod has unbound immediate PersistentVolumeClaims",)


def test_operands_that_look_like_names_of_steps_change_nothing():
    labels = {"a": "x", "b": "nodeSelector.1"}
    cells = by_filter(a_pod(nodeSelector=labels), a_node(labels=labels))
    assert evaluate(cells["NodeAffinity"].steps) == ()
