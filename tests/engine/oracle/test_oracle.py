"""The columns against the plain version: every verdict, reason, score and sum, on clusters full of collisions."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings

from scheduler.engine import plugins
from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.conformance import admitted
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.framework import Code
from scheduler.engine.objects import Node, Pod, decode
from scheduler.engine.profile import Profiles
from tests.engine.builders import a_node, a_pod
from tests.engine.oracle import drawing_storage
from tests.engine.oracle.drawing import clusters
from tests.engine.oracle.world import Refusal, World

PROFILE = Profiles.default().first
HERE = Path(__file__).parent
TWINS = {
    name: import_module(f"tests.engine.oracle.{plugin.__module__.rpartition('.')[2]}")
    for name, plugin in plugins.registry().items()
    if (HERE / f"{plugin.__module__.rpartition('.')[2]}.py").exists()
}
FILTERS = [name for name in PROFILE.enabled("filter") if hasattr(TWINS.get(name), "refusal")]
SCORERS = [name for name in PROFILE.enabled("score") if hasattr(TWINS.get(name), "score")]


def warm_cycle(manifests: list[dict[str, Any]]) -> tuple[Cycle, World]:
    """The attempt for the last pod, after the same attempt was made at every earlier stage of the cluster.

    So every kept verdict and score has been through the changes of all rows.
    """
    objects = [decode(kind, one) for kind, one in admitted(manifests)]
    cluster, incoming = ClusterState(), objects[-1]
    assert isinstance(incoming, Pod)
    for one in objects[:-1]:
        cluster.add(type(one).__name__, one)
        if isinstance(one, Pod):
            Cycle(cluster.snapshot(), PROFILE, incoming, percentage=100).run()
    cluster.add("Pod", incoming)
    cycle = Cycle(cluster.snapshot(), PROFILE, incoming, percentage=100)
    return cycle, world_of(objects[:-1], cycle.snapshot.names)


def world_of(objects: list[Any], order: list[str]) -> World:
    nodes = {one.name: one for one in objects if isinstance(one, Node)}
    world = World([nodes[name] for name in order])
    for one in objects:
        if isinstance(one, Pod):
            world.pods.setdefault(one.node_name, []).append(one)
        elif type(one).__name__ == "Namespace":
            world.namespaces[one.name] = one.labels
        else:
            key = f"{one.namespace}/{one.name}" if one.namespace else one.name
            world.others.setdefault(type(one).__name__, {})[key] = one
    return world


def refusals(cycle: Cycle, row: int) -> dict[str, Refusal]:
    statuses = cycle.trace.all_failures(row)
    return {one.plugin: Refusal(one.reasons, one.code is Code.UNSCHEDULABLE_AND_UNRESOLVABLE) for one in statuses}


def told(world: World, pod: Pod, node: Node) -> dict[str, Refusal]:
    found = {name: TWINS[name].refusal(world, pod, node) for name in FILTERS}
    return {name: refusal for name, refusal in found.items() if refusal is not None}


def expected_scores(world: World, pod: Pod, feasible: list[Node]) -> dict[str, tuple[list[int], list[int]]]:
    """Algorithm → (raw, normalised), skipped ones left out."""
    found = {}
    for name in SCORERS:
        twin = TWINS[name]
        if hasattr(twin, "is_scored") and not twin.is_scored(world, pod):
            continue
        more = (feasible,) if name == "PodTopologySpread" else ()
        raw = [twin.score(world, pod, node, *more) for node in feasible]
        if hasattr(twin, "normalize_with"):
            normalized = twin.normalize_with(pod, feasible, raw)
        else:
            normalized = twin.normalize(raw) if hasattr(twin, "normalize") else raw
        found[name] = (raw, normalized)
    return found


# Boundaries that random clusters might miss: exactly full, one over, the skew at its limit, a term that meets itself.
EXACT = [a_node(cpu="1"), a_pod("used", node="n1", requests={"cpu": "500m"}), a_pod(requests={"cpu": "500m"})]
ONE_OVER = [a_node(cpu="1"), a_pod("used", node="n1", requests={"cpu": "501m"}), a_pod(requests={"cpu": "500m"})]
LAST_PLACE = [a_node(pods="2"), a_pod("used", node="n1"), a_pod()]
NO_PLACE = [a_node(pods="1"), a_pod("used", node="n1"), a_pod()]
SPREAD = [
    {
        "topologyKey": "zone",
        "maxSkew": 1,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
]
TWO_ZONES = [a_node("n1", labels={"zone": "a"}), a_node("n2", labels={"zone": "b"})]
SKEW_AT_LIMIT = [*TWO_ZONES, a_pod(labels={"app": "web"}, topologySpreadConstraints=SPREAD)]
SKEW_OVER = [*TWO_ZONES, a_pod("used", node="n1", labels={"app": "web"}), SKEW_AT_LIMIT[-1]]
TERM = [{"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "web"}}}]
ITSELF = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": TERM}}
FIRST_OF_ITS_KIND = [*TWO_ZONES, a_pod(labels={"app": "web"}, affinity=ITSELF)]
SECOND_OF_ITS_KIND = [*TWO_ZONES, a_pod("used", node="n2", labels={"app": "web"}), FIRST_OF_ITS_KIND[-1]]


@settings(max_examples=120, deadline=None)
@given(clusters())
@example(EXACT)
@example(ONE_OVER)
@example(LAST_PLACE)
@example(NO_PLACE)
@example(SKEW_AT_LIMIT)
@example(SKEW_OVER)
@example(FIRST_OF_ITS_KIND)
@example(SECOND_OF_ITS_KIND)
def test_columns_say_what_the_plain_version_says(manifests):
    cycle, world = warm_cycle(manifests)
    pod = cycle.pod.pod
    cycle.run()
    verdicts = [told(world, pod, node) for node in world.nodes]
    assert [refusals(cycle, row) for row in range(len(world.nodes))] == verdicts
    feasible = [node for node, refused in zip(world.nodes, verdicts, strict=True) if not refused]
    assert cycle.trace.feasible == [node.name for node in feasible]
    if not feasible:
        return
    scores, expected = cycle.trace.scores, expected_scores(world, pod, feasible)
    assert {name: row.tolist() for name, row in scores.raw.items()} == {
        name: raw for name, (raw, _) in expected.items()
    }
    assert {name: row.tolist() for name, row in scores.normalized.items()} == {
        name: normalized for name, (_, normalized) in expected.items()
    }
    rows = [[PROFILE.weight(name) * score for score in normalized] for name, (_, normalized) in expected.items()]
    assert scores.totals.tolist() == [sum(cells) for cells in zip(*rows, strict=True)]


@settings(max_examples=120, deadline=None)
@given(drawing_storage.clusters())
def test_volumes_are_judged_as_the_plain_version_judges_them(manifests):
    cycle, world = warm_cycle(manifests)
    cycle.run()
    assert cycle.pre_filter_status.is_success
    verdicts = [told(world, cycle.pod.pod, node) for node in world.nodes]
    assert [refusals(cycle, row) for row in range(len(world.nodes))] == verdicts


@pytest.mark.parametrize(
    ("manifests", "fits"),
    [
        pytest.param(EXACT, True, id="exactly full"),
        pytest.param(ONE_OVER, False, id="one over"),
        pytest.param(LAST_PLACE, True, id="last place"),
        pytest.param(NO_PLACE, False, id="no place"),
        pytest.param(FIRST_OF_ITS_KIND, True, id="first of its kind"),
    ],
)
def test_the_plain_version_knows_the_boundaries(manifests, fits):
    cycle, world = warm_cycle(manifests)
    assert (told(world, cycle.pod.pod, world.nodes[0]) == {}) is fits


def test_every_algorithm_that_filters_or_scores_has_a_twin():
    at_work = {*PROFILE.enabled("filter"), *PROFILE.enabled("score")} & set(plugins.registry())
    unmodelled = {"DynamicResources"}
    assert at_work - set(TWINS) - unmodelled == set()
