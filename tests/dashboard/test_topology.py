"""What a page is told of spread constraints, pod affinity and refused nodes."""

from typing import Any

import pytest
from django.test import Client

from dashboard.build.attempt import Attempt
from dashboard.build.records import CycleRecord
from dashboard.build.refused import refused_nodes
from dashboard.build.topology import topology
from dashboard.payloads.refusals import RefusedNodes
from dashboard.payloads.topology import Topology
from scheduler import services
from scheduler.engine.cycle.phases import PHASES
from scheduler.services import cluster_create
from tests.dashboard.shapes import faults
from tests.engine.builders import a_cycle
from tests.scheduler.builders import START_US, a_node, a_pod

ZONE = "topology.kubernetes.io/zone"
WEB = {"matchLabels": {"app": "web"}}
NODES = [a_node("a1", zone="a"), a_node("a2", zone="a"), a_node("b1", zone="b"), a_node("x")]


def spreading(action: str = "DoNotSchedule", **more: Any) -> dict[str, Any]:
    return {"topologyKey": ZONE, "maxSkew": 1, "whenUnsatisfiable": action, "labelSelector": WEB, **more}


def attempted(pod: dict[str, Any], *others: dict[str, Any]) -> Attempt:
    cycle = a_cycle(pod, *others)
    cycle.run()
    return Attempt(cycle, CycleRecord(1), len(PHASES) - 1)


def told(pod: dict[str, Any], *others: dict[str, Any]) -> Topology:
    view = topology(attempted(pod, *others))
    assert faults(view, Topology) == []
    return view


def affinity(kind: str, *required: Any, preferred: Any = ()) -> dict[str, Any]:
    rules = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
    return {kind: {rules[0]: list(required), rules[1]: list(preferred)}}


def near(key: str = ZONE) -> dict[str, Any]:
    return {"topologyKey": key, "labelSelector": WEB}


def test_a_hard_constraint_tells_the_skew_of_each_domain():
    pod = a_pod("web-9", topologySpreadConstraints=[spreading(nodeTaintsPolicy="Honor")])
    (rule,) = told(pod, *NODES, a_pod("web-1", nodeName="a1"), a_pod("web-2", nodeName="a2"))["spread"]
    assert (rule["hard"], rule["own"], rule["selects"], rule["honors_taints"]) == (True, True, "app=web", True)
    assert (rule["least"], rule["itself"], rule["size"], rule["unlabelled"], rule["refused_count"]) == (0, 1, 2, 1, 1)
    columns = ("value", "pods", "nodes", "skew", "fits")
    assert [[one[name] for name in columns] for one in rule["domains"]] == [  # type: ignore[literal-required]
        ["b", 0, 1, 1, True],
        ["a", 2, 2, 3, False],
    ]


def test_a_soft_constraint_tells_what_each_domain_adds_to_the_score():
    pod = a_pod("web-9", topologySpreadConstraints=[spreading("ScheduleAnyway")])
    made = attempted(pod, *NODES, a_pod("web-1", nodeName="a1"))
    (rule,) = topology(made)["spread"]
    points = {one["value"]: one["points"] for one in rule["domains"]}
    raw = dict(zip(made.feasible_names, made.raw["PodTopologySpread"].tolist(), strict=True))
    assert {zone: round(value or 0) for zone, value in points.items()} == {"b": raw["b1"], "a": raw["a1"]}
    assert raw["a1"] > 0


def test_where_nothing_was_scored_a_soft_constraint_still_tells_its_pods():
    pod = a_pod("web-9", cpu="99", topologySpreadConstraints=[spreading("ScheduleAnyway")])
    (rule,) = told(pod, *NODES, a_pod("web-1", nodeName="b1"))["spread"]
    assert [(one["value"], one["pods"], one["points"]) for one in rule["domains"]] == [("a", 0, None), ("b", 1, None)]


def test_a_pod_without_rules_has_no_tables():
    assert told(a_pod("web-9"), *NODES) == {"cycle": 1, "spread": [], "affinity": [], "term_count": 0}


def test_own_terms_and_those_of_placed_pods_are_told_apart():
    lonely = a_pod("lonely-1", nodeName="b1", affinity=affinity("podAntiAffinity", near()))
    weighted = {"weight": 7, "podAffinityTerm": near()}
    pod = a_pod(
        "web-9",
        affinity=affinity("podAffinity", near(), preferred=[weighted])
        | affinity("podAntiAffinity", near("kubernetes.io/hostname")),
    )
    terms = told(pod, *NODES, a_node("a3", zone="a"), lonely, a_pod("web-1", nodeName="a1"))["affinity"]
    said = [(one["effect"], one["own"], [(v["value"], v["pods"], v["points"]) for v in one["values"]]) for one in terms]
    assert said == [
        ("needs", True, [("a", 1, None)]),
        ("refuses", True, [("a1", 1, None)]),
        ("refuses", False, [("b", 1, None)]),
        ("attracts", True, [("a", 1, 7)]),
    ]


def test_the_first_of_its_kind_is_said_to_be():
    (term,) = told(a_pod("web-9", affinity=affinity("podAffinity", near())), *NODES)["affinity"]
    assert (term["first"], term["values"], term["domain_count"], term["unlabelled"]) == (True, [], 2, 1)


def test_a_refused_node_has_all_that_speaks_against_it_and_how_much_is_missing():
    pod = a_pod("web-9", cpu="3700m", topologySpreadConstraints=[spreading()])
    made = attempted(pod, *NODES, *(a_pod(f"web-{one}", nodeName="a1") for one in range(2)))
    page = refused_nodes(made)
    assert faults(page, RefusedNodes) == []
    assert (page["count"], page["reason_count"]) == (3, 4)
    first = page["nodes"][0]
    assert [(one["plugin"], one["missing"]) for one in first["failures"]] == [
        ("NodeResourcesFit", ["needs 700m more cpu"]),
        ("PodTopologySpread", [f"{ZONE}: 2 pods there, minimum 0; skew 3, 2 too many"]),
    ]
    assert [one["node"] for one in refused_nodes(made, "insufficient")["nodes"]] == ["a1"]
    assert [one["node"] for one in refused_nodes(made, "PodTopologySpread")["nodes"]] == ["a1", "x", "a2"]
    assert [one["node"] for one in refused_nodes(made, "PodTopologySpread", first_only=True)["nodes"]] == ["x", "a2"]
    assert [one["node"] for one in refused_nodes(made, offset=1, limit=1)["nodes"]] == ["x"]


def test_a_node_too_small_even_when_empty_is_said_to_be():
    (node,) = refused_nodes(attempted(a_pod("web-9", cpu="6"), a_node("a1")))["nodes"]
    assert node["failures"][0]["missing"] == ["needs 2 more cpu, and has only 4 in all"]


@pytest.mark.django_db
def test_both_are_read_from_their_addresses():
    pod = a_pod("web-9", topologySpreadConstraints=[spreading()])
    cluster = cluster_create("told", [*NODES, a_pod("web-1", nodeName="a1"), pod], start_us=START_US)
    services.cycle_step(cluster.pk)
    client = Client(SERVER_NAME="localhost")
    assert [one["key"] for one in client.get("/c/told/cycles/1/topology.json").json()["spread"]] == [ZONE]
    page = client.get("/c/told/cycles/1/nodes.json?verdict=refused&q=a2").json()
    assert [one["node"] for one in page["nodes"]] == ["a2"]
    assert client.get("/c/told/cycles/1/nodes.json?verdict=refused&offset=x").status_code == 404
