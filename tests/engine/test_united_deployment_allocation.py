"""What holds of every allocation, whatever the numbers; the recordings hold single ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.engine.uniteddeployment.allocation import AllocationError
from scheduler.engine.uniteddeployment.allocators import allocate
from scheduler.engine.uniteddeployment.derivation import fresh, why
from scheduler.engine.uniteddeployment.partitions import next_partitions
from scheduler.engine.uniteddeployment.reasons import reasons
from scheduler.engine.uniteddeployment.slow_start import batches
from scheduler.engine.uniteddeployment.spec import decode
from scheduler.engine.uniteddeployment.state import ExistingSubset, Schedulability

NAMES = ("a", "b", "c", "d")
NUMBER = st.none() | st.integers(0, 12) | st.integers(0, 100).map(lambda percent: f"{percent}%")


@st.composite
def deployments(draw, *, bounded):
    fields = ("minReplicas", "maxReplicas") if bounded else ("replicas",)
    subsets = [{"name": name} | {field: draw(NUMBER) for field in fields} for name in NAMES[: draw(st.integers(1, 4))]]
    partitions = draw(st.dictionaries(st.sampled_from(NAMES), st.integers(0, 9)))
    return {
        "metadata": {"name": "demo"},
        "spec": {
            "replicas": draw(st.integers(0, 30)),
            "topology": {"subsets": subsets},
            "updateStrategy": {"type": "Manual", "manualUpdate": {"partitions": partitions}},
        },
    }


def allocated(manifest, current):
    ud = decode(manifest)
    existing = {name: ExistingSubset(name, spec_replicas=number) for name, number in current.items()}
    try:
        return ud, allocate(ud, existing, {})
    except AllocationError:
        return ud, None


CURRENT = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 9))


@given(deployments(bounded=False), CURRENT)
def test_the_specific_allocator_gives_out_everything_and_nothing_more(manifest, current):
    ud, allocation = allocated(manifest, current)
    if allocation is None:
        return
    assert sum(allocation.replicas.values()) == ud.spec.replicas
    assert min(allocation.replicas.values()) >= 0
    free = [allocation.replicas[one.name] for one in ud.subsets if one.replicas is None]
    assert not free or max(free) - min(free) <= 1


@given(deployments(bounded=True), CURRENT)
def test_bounds_hold_and_are_filled_from_the_front(manifest, current):
    ud, allocation = allocated(manifest, current)
    if allocation is None:
        return
    given_out = sum(allocation.replicas.values())
    assert given_out <= ud.spec.replicas
    if any(one.max_replicas is None for one in ud.subsets):
        assert given_out == ud.spec.replicas


@given(deployments(bounded=False) | deployments(bounded=True), CURRENT)
def test_the_steps_add_up_to_the_result(manifest, current):
    ud, allocation = allocated(manifest, current)
    if allocation is None:
        return
    sums = dict.fromkeys(allocation.replicas, 0)
    left = ud.spec.replicas
    for step in allocation.steps:
        sums[step.subset] += step.given
        left -= step.given
        assert step.left == left
    assert sums == allocation.replicas


@given(deployments(bounded=False), CURRENT)
def test_a_partition_is_never_above_the_replicas(manifest, current):
    ud, allocation = allocated(manifest, current)
    if allocation is not None:
        partitions = next_partitions(ud, allocation.replicas)
        assert all(partitions[name] <= number for name, number in allocation.replicas.items())


@given(st.integers(0, 200))
def test_slow_start_doubles_and_leaves_nothing_out(count):
    sizes = [len(batch) for batch in batches(range(count))]
    assert sum(sizes) == count
    assert sizes[:-1] == [2**number for number in range(len(sizes) - 1)] if sizes else count == 0


@pytest.mark.parametrize(
    ("replicas", "ready", "reasons"),
    [
        pytest.param(
            5, (4, 3, 1),
            ["it has 4 ready pods and keeps them; its minimum is 2", "it has 3 ready pods, but only 1 was left",
             "it has 1 ready pod, but none was left"],
            id="less than what is ready",
        ),
        pytest.param(
            8, (1, 5, 1),
            ["its minimum is 2", "it has 5 ready pods and its maximum is 3; its minimum is 0",
             "it has 1 ready pod and keeps it; its minimum is 0"],
            id="more ready than the maximum",
        ),
    ],
)  # fmt: skip
def test_an_adaptive_split_says_what_became_of_the_pods_that_are_ready(replicas, ready, reasons):
    bounds = ({"minReplicas": 2, "maxReplicas": 4}, {"maxReplicas": 3}, {})
    subsets = [{"name": name} | own for name, own in zip(NAMES, bounds, strict=False)]
    topology = {"subsets": subsets, "scheduleStrategy": {"type": "Adaptive"}}
    ud = decode({"metadata": {"name": "demo"}, "spec": {"replicas": replicas, "topology": topology}})
    existing = {name: ExistingSubset(name, ready_replicas=pods) for name, pods in zip(NAMES, ready, strict=False)}
    allocation = allocate(ud, existing, {})
    assert [why(step, ud, existing) for step in allocation.steps if step.rule == "min"] == reasons


def test_a_settled_adaptive_split_says_how_it_would_come_about_without_its_pods():
    bounds = ({"minReplicas": 2, "maxReplicas": 4}, {"maxReplicas": 3}, {})
    subsets = [{"name": name} | own for name, own in zip(NAMES, bounds, strict=False)]
    topology = {"subsets": subsets, "scheduleStrategy": {"type": "Adaptive"}}
    ud = decode({"metadata": {"name": "demo"}, "spec": {"replicas": 8, "topology": topology}})
    kept = {"c": ExistingSubset("c", ready_replicas=3)}
    now = allocate(ud, kept, {})
    assert now.replicas == {"a": 4, "b": 1, "c": 3}
    assert fresh(ud, kept, now) == (
        "Without pods to keep it would give 4 to `a` (its minimum is 2, its maximum is 4), "
        "3 to `b` (its maximum is 3), 1 to `c` (it has no maximum)."
    )
    same = {"a": ExistingSubset("a", ready_replicas=4)}
    assert fresh(ud, same, allocate(ud, same, {})) == "Without pods to keep the split would be the same."
    assert fresh(ud, {}, now) == ""


ADAPTIVE = {"scheduleStrategy": {"type": "Adaptive"}}


@pytest.mark.parametrize(
    ("subsets", "topology", "ready", "full", "told"),
    [
        ([{"replicas": 4}, {}, {}], {}, (0, 0, 0), "", ["asks for 4", "an even share of 4 over 2 subsets"]),
        ([{"replicas": "50%"}, {}], {}, (0, 0), "", ["asks for 50% of 8", "takes what the others leave"]),
        (
            [{}, {}, {}],
            {},
            (0, 0, 0),
            "",
            [f"an even share of 8 over 3 subsets{tail}" for tail in ("", *[" (2), and one of the 2 left over"] * 2)],
        ),
        (
            [{"minReplicas": 2, "maxReplicas": 4}, {"maxReplicas": 9}, {}],
            {},
            (0, 0, 0),
            "",
            ["filled to its maximum, 4", "takes what is left, less than its maximum, 9", "nothing was left for it"],
        ),
        ([{"minReplicas": 5}, {"minReplicas": 5}], {}, (0, 0), "",
         ["its minimum, 5; nothing was left beyond it", "less than its minimum, 5: nothing more was left"]),
        ([{"maxReplicas": 4}, {"maxReplicas": 3}, {}], ADAPTIVE, (4, 3, 1), "",
         ["keeps its 4 ready pods, its maximum", "keeps its 3 ready pods, its maximum",
          "keeps its 1 ready pod, as many as a new split gives it"]),
        ([{"maxReplicas": 4}, {"maxReplicas": 3}, {}], ADAPTIVE, (0, 1, 0), "",
         ["filled to its maximum, 4", "filled to its maximum, 3", "takes all that is left: it has no maximum"]),
        ([{"maxReplicas": 4}, {"maxReplicas": 3}, {}], ADAPTIVE, (4, 1, 3), "b",
         ["keeps its 4 ready pods, its maximum", "unschedulable: no more than its 1 ready pod",
          "keeps its 3 ready pods; without them it would get 1"]),
        ([{"minReplicas": 2}, {}], ADAPTIVE, (0, 6), "a",
         ["unschedulable, yet its minimum is 2", "keeps its 6 ready pods; without them it would get 0"]),
    ],
)  # fmt: skip
def test_each_subset_says_in_a_few_words_why_it_has_its_number(subsets, topology, ready, full, told):
    named = [{"name": name} | own for name, own in zip(NAMES, subsets, strict=False)]
    ud = decode({"metadata": {"name": "u"}, "spec": {"replicas": 8, "topology": {"subsets": named} | topology}})
    existing = {name: ExistingSubset(name, ready_replicas=pods) for name, pods in zip(NAMES, ready, strict=False)}
    detected = {full: Schedulability(unschedulable=True)}
    found = reasons(ud, allocate(ud, existing, detected), existing, detected)
    assert list(found.values())[: len(told)] == told
