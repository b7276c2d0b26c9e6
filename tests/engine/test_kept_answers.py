"""What is kept from one attempt to the next changes no result: whole lives of a cluster, with it and without it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from scheduler.engine.cluster.columns import Columns
from scheduler.engine.codec import codec
from scheduler.engine.commands import AddObject, AdvanceToNextTimer, Command, DeleteObject, Schedule, UpdateObject
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.errors import Refused
from scheduler.engine.events import Event, ObjectDeleted
from scheduler.engine.memo import rows as local_rows
from scheduler.engine.objects import Pod
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.scenario import START_US, a_pod, with_metadata

ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
NODES, PODS = [f"n{number}" for number in range(16)], [f"p{number}" for number in range(30)]
Manifest = dict[str, Any]


def a_node(number: int, cpu: str, spec: Manifest, zone: str, image: bool) -> Manifest:
    resources = {"cpu": cpu, "memory": "16Gi", "pods": "5"}
    images = [{"names": ["app:1"], "sizeBytes": 400 * 2**20}] if image else []
    labels = {ZONE: zone, HOST: NODES[number], "disk": "ssd" if number % 3 else "hdd"}
    return {
        "kind": "Node",
        "metadata": {"name": NODES[number], "labels": {key: value for key, value in labels.items() if value}},
        "spec": spec,
        "status": {"allocatable": resources, "images": images},
    }


def _term(key: str, app: str) -> Manifest:
    return {"topologyKey": key, "labelSelector": {"matchLabels": {"app": app}}}


def _weighted(key: str, app: str) -> list[Manifest]:
    return [{"weight": 7, "podAffinityTerm": _term(key, app)}]


def _rule(key: str, when: str, skew: int = 1) -> Manifest:
    return {"maxSkew": skew, "whenUnsatisfiable": when, **_term(key, "web")}


REQUIRED, PREFERRED = (
    "requiredDuringSchedulingIgnoredDuringExecution",
    "preferredDuringSchedulingIgnoredDuringExecution",
)
SSD = [{"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}]
SPECS: list[Manifest] = [
    {},
    {"nodeSelector": {"disk": "ssd"}},
    {"tolerations": [{"operator": "Exists"}]},
    {"containers": [{"name": "main", "image": "app:1", "ports": [{"containerPort": 80, "hostPort": 80}]}]},
    {"topologySpreadConstraints": [_rule(ZONE, "DoNotSchedule"), _rule(HOST, "ScheduleAnyway", 3)]},
    {"topologySpreadConstraints": [_rule(ZONE, "ScheduleAnyway", 2)]},
    {"affinity": {"podAntiAffinity": {REQUIRED: [_term(HOST, "web")]}}},
    {"affinity": {"podAffinity": {REQUIRED: [_term(ZONE, "web")], PREFERRED: _weighted(HOST, "db")}}},
    {"affinity": {"podAntiAffinity": {PREFERRED: _weighted(ZONE, "web")}}},
    {"affinity": {"nodeAffinity": {PREFERRED: [{"weight": 3, "preference": SSD[0]}]}}},
    {"affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": SSD}}}},
]
NODE_SPECS: list[Manifest] = [
    {},
    {},
    {"unschedulable": True},
    {"taints": [{"key": "k", "effect": "NoSchedule"}]},
    {"taints": [{"key": "k", "effect": "PreferNoSchedule"}]},
]


def nodes(number: st.SearchStrategy[int]) -> st.SearchStrategy[Manifest]:
    cpu, zone = st.sampled_from(["1", "2", "4"]), st.sampled_from(["", "x", "y", "z"])
    return st.builds(a_node, number, cpu, st.sampled_from(NODE_SPECS), zone, st.booleans())


def pods() -> st.SearchStrategy[Manifest]:
    def pod(name: str, cpu: str, priority: int, spec: Manifest, app: str) -> Manifest:
        return with_metadata(a_pod(name, cpu=cpu, priority=priority, **spec), labels={"app": app})

    cpu, app = st.sampled_from(["100m", "500m", "1"]), st.sampled_from(["web", "db"])
    return st.builds(pod, st.sampled_from(PODS), cpu, st.sampled_from([0, 0, 5]), st.sampled_from(SPECS), app)


def commands() -> st.SearchStrategy[Command]:
    places = st.integers(0, len(NODES) - 1)
    return st.one_of(
        st.just(Schedule()),
        st.just(Schedule()),
        pods().map(lambda one: AddObject("Pod", one)),
        pods().map(lambda one: AddObject("Pod", one)),
        nodes(places).map(lambda one: UpdateObject("Node", one)),
        nodes(places).map(lambda one: AddObject("Node", one)),
        st.sampled_from(PODS).map(lambda name: DeleteObject("Pod", "default", name)),
        st.sampled_from(NODES).map(lambda name: DeleteObject("Node", "", name)),
    )


def scripts() -> st.SearchStrategy[list[Command]]:
    """A cluster, then what happens to it."""
    begin = st.tuples(*(nodes(st.just(number)) for number in range(14)))
    return st.builds(
        lambda first, then: [*(AddObject("Node", one) for one in first), *then],
        begin,
        st.lists(commands(), min_size=20, max_size=60),
    )


def a_budget(name: str, app: str, allowed: int) -> Manifest:
    selector = {"matchLabels": {"app": app}}
    return {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"selector": selector},
        "status": {"disruptionsAllowed": allowed},
    }


def crowded() -> st.SearchStrategy[list[Command]]:
    """Small nodes, full of pods of low priority, for which more important ones come again and again."""

    def pod(name: str, cpu: str, priority: int, port: bool, app: str) -> Manifest:
        container = {"name": "main", "resources": {"requests": {"cpu": cpu}}}
        ports = [{"containerPort": 80, "hostPort": 80}] if port else []
        spec = {"priority": priority, "containers": [{**container, "ports": ports}]}
        return with_metadata(a_pod(name, **spec), labels={"app": app})

    cpu, priority, app = st.sampled_from(["500m", "1"]), st.sampled_from([0, 0, 5, 10]), st.sampled_from(["web", "db"])
    pods = st.builds(pod, st.sampled_from(PODS), cpu, priority, st.booleans(), app)
    number, zone = st.integers(0, 5), st.sampled_from(["x", "y"])
    node = st.builds(a_node, number, st.sampled_from(["1", "2"]), st.just({}), zone, st.just(False))
    budget = st.builds(a_budget, st.sampled_from(["one", "other"]), app, st.sampled_from([0, 1]))
    then = st.one_of(
        st.just(Schedule()),
        st.just(Schedule()),
        st.just(AdvanceToNextTimer()),
        pods.map(lambda one: AddObject("Pod", one)),
        pods.map(lambda one: AddObject("Pod", one)),
        node.map(lambda one: UpdateObject("Node", one)),
        budget.map(lambda one: AddObject("PodDisruptionBudget", one)),
        budget.map(lambda one: UpdateObject("PodDisruptionBudget", one)),
        st.sampled_from(PODS).map(lambda name: DeleteObject("Pod", "default", name)),
    )
    begin = [AddObject("Node", a_node(number, "2", {}, "x", False)) for number in range(6)]
    fill = [AddObject("Pod", a_pod(f"f{number}", cpu="1", nodeName=NODES[number % 6])) for number in range(12)]
    return st.lists(then, min_size=40, max_size=80).map(lambda script: [*begin, *fill, *script])


def lived(script: list[Command]) -> list[Event]:
    simulation, log = Simulation.create("life", 3, START_US, {}, {"cycle_us": 2_000_000})
    for command in script:
        try:
            log += simulation.handle(command)
        except Refused:
            continue
    return log


@contextmanager
def nothing_kept() -> Iterator[None]:
    begin = Columns._start_logs
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Columns, "_start_logs", lambda self, keep: begin(self, False))
        yield


@settings(max_examples=60, deadline=None)
@given(scripts())
def test_a_life_is_the_same_without_anything_kept(script):
    with nothing_kept():
        plain = codec.encode_log(lived(script))
    assert codec.encode_log(lived(script)) == plain


@settings(max_examples=40, deadline=None)
@given(crowded())
def test_preemption_is_the_same_without_anything_kept(script):
    with nothing_kept():
        plain = lived(script)
    event(f"evicted: {any(isinstance(one.happening, ObjectDeleted) and one.happening.by for one in plain)}")
    assert codec.encode_log(lived(script)) == codec.encode_log(plain)


@settings(max_examples=20, deadline=None)
@given(scripts())
def test_a_life_is_the_same_whether_rows_are_asked_one_by_one_or_together(script):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_rows, "_FEW_ROWS", 0)
        together = codec.encode_log(lived(script))
    assert codec.encode_log(lived(script)) == together


@settings(max_examples=30, deadline=None)
@given(scripts())
def test_every_layer_of_every_attempt_is_the_same(script):
    """The short way of `run` against map, reduce and sum, step by step, on a copy of the cluster with nothing kept."""
    simulation, _ = Simulation.create("life", 3, START_US, {}, {"cycle_us": 2_000_000})
    for command in script:
        try:
            simulation.handle(command)
        except Refused:
            continue
        if (head := simulation.queue.head()) is not None:
            _compare(simulation, head.pod)


def _compare(simulation: Simulation, pod: Pod) -> None:
    """Lets go of the snapshot before the next command, or the cluster would begin anew with a copy."""
    snapshot, profile = simulation.cluster.snapshot(), simulation.profiles.first
    kept, plain = Cycle(snapshot, profile, pod), Cycle(snapshot.patched(), profile, pod)
    kept.run()
    _step_by_step(plain)
    _assert_same(kept, plain)


def _step_by_step(cycle: Cycle) -> None:
    cycle.pre_filter()
    cycle.filter()
    cycle.pre_score()
    cycle.finish(*cycle.map_and_reduce())


def _assert_same(kept: Cycle, plain: Cycle) -> None:
    assert kept.decision == plain.decision
    assert kept.found.feasible.tolist() == plain.found.feasible.tolist()
    if kept.scores is None or plain.scores is None:
        assert kept.scores is plain.scores
        return
    assert np.array_equal(kept.scores.totals, plain.scores.totals)
    assert list(kept.scores.raw) == list(plain.scores.raw)
    for name in plain.scores.raw:
        assert kept.scores.raw[name].tolist() == plain.scores.raw[name].tolist()
        assert kept.scores.normalized[name].tolist() == plain.scores.normalized[name].tolist()
