"""PodTopologySpread by examples. Zones a and b; a pod of app web."""

import struct

import pytest

from scheduler.engine.arithmetic import golang
from scheduler.engine.framework import Code
from tests.engine.builders import a_cycle, a_node, a_pod, normalized_scores, only, raw_scores, verdicts
from tests.engine.vectors import ROOT, read

NAME = "PodTopologySpread"
SKEWED = "node(s) didn't match pod topology spread constraints"
UNLABELLED = f"{SKEWED} (missing required label)"
WEB = {"matchLabels": {"app": "web"}}
NODES = [a_node("a1", labels={"zone": "a"}), a_node("b1", labels={"zone": "b"}), a_node("x")]


def rule(action="DoNotSchedule", key="zone", **more):
    return {"topologyKey": key, "maxSkew": 1, "whenUnsatisfiable": action, "labelSelector": WEB, **more}


def web(name="p", node=None, rules=(), **more):
    return a_pod(name, node=node, **{"labels": {"app": "web"}, **more}, topologySpreadConstraints=list(rules))


def said(*rules, placed=(), nodes=NODES, **pod):
    others = [web(f"used-{number}", node) for number, node in enumerate(placed)]
    return verdicts(a_cycle(web(rules=rules, **pod), *nodes, *others), NAME)


@pytest.mark.parametrize(
    ("placed", "a1", "b1"),
    [
        pytest.param([], "", "", id="even"),
        pytest.param(["a1"], SKEWED, "", id="one more would skew"),
        pytest.param(["a1", "b1"], "", "", id="even again"),
        pytest.param(["a1", "a1", "b1"], SKEWED, "", id="already skewed"),
    ],
)
def test_a_zone_may_not_get_too_far_ahead(placed, a1, b1):
    assert said(rule(), placed=placed) == {"a1": a1, "b1": b1, "x": UNLABELLED}


def test_a_missing_label_is_beyond_help_and_a_skew_is_not():
    cycle = a_cycle(web(rules=[rule()]), *NODES, web("used", "a1"))
    cycle.run()
    codes = {cycle.snapshot.names[row]: status.code for row, status in cycle.trace.first_failures.items()}
    assert codes == {"a1": Code.UNSCHEDULABLE, "x": Code.UNSCHEDULABLE_AND_UNRESOLVABLE}


def test_too_few_domains_make_the_minimum_zero():
    assert said(rule(minDomains=3), placed=["a1", "b1"])["a1"] == SKEWED
    assert said(rule(minDomains=2), placed=["a1", "b1"])["a1"] == ""


def test_a_pod_that_its_own_selector_does_not_match_adds_nothing():
    assert said(rule(), placed=["a1"], labels={"app": "db"})["a1"] == ""


def test_an_empty_selector_counts_no_pods_but_matches_the_pod_itself():
    assert said(rule(labelSelector={}), placed=["a1", "a1"])["a1"] == ""
    assert said(rule(labelSelector={}, minDomains=3, maxSkew=1), placed=["a1"])["a1"] == ""


def test_terminating_pods_and_other_namespaces_do_not_count():
    gone = web("gone", "a1")
    gone["metadata"]["deletionTimestamp"] = "2025-01-01T00:00:00Z"
    foreign = web("foreign", "a1", namespace="team")
    assert verdicts(a_cycle(web(rules=[rule()]), *NODES, gone, foreign), NAME)["a1"] == ""


def test_nodes_that_the_pod_does_not_select_are_left_out_unless_told_otherwise():
    nodes = [a_node("a1", labels={"zone": "a", "pool": "x"}), a_node("b1", labels={"zone": "b"})]
    honored = said(rule(), placed=["a1"], nodes=nodes, nodeSelector={"pool": "x"})
    assert honored["a1"] == ""
    ignored = said(rule(nodeAffinityPolicy="Ignore"), placed=["a1"], nodes=nodes, nodeSelector={"pool": "x"})
    assert ignored["a1"] == SKEWED


def test_tainted_nodes_are_left_out_only_if_told_so():
    tainted = a_node("b1", labels={"zone": "b"}, taints=[{"key": "k", "effect": "NoSchedule"}])
    nodes = [a_node("a1", labels={"zone": "a"}), tainted]
    assert said(rule(), placed=["a1"], nodes=nodes)["a1"] == SKEWED
    assert said(rule(nodeTaintsPolicy="Honor"), placed=["a1"], nodes=nodes)["a1"] == ""


def test_match_label_keys_narrow_the_selector_to_the_pod_s_own_version():
    old = web("old", "a1", labels={"app": "web", "version": "1"})
    new = web(rules=[rule(matchLabelKeys=["version", "absent"])], labels={"app": "web", "version": "2"})
    assert verdicts(a_cycle(new, *NODES, old), NAME)["a1"] == ""


# --- soft -------------------------------------------------------------------------------------------------------------

SOFT = "ScheduleAnyway"


def test_fuller_zones_score_lower():
    placed = [web("u1", "a1"), web("u2", "a1"), web("u3", "b1")]
    pod = web(rules=[rule(SOFT)])
    # x lacks the label: ignored. Two domains: a1 round(2 * ln 4 + 0) = 3, b1 round(1.386) = 1
    assert raw_scores(a_cycle(pod, *NODES, *placed), NAME) == {"a1": 3, "b1": 1, "x": 0}
    # b1: 100 * (3 + 1 - 1) // 3, a1: 100 * (3 + 1 - 3) // 3
    assert normalized_scores(a_cycle(pod, *NODES, *placed), NAME) == {"a1": 33, "b1": 100, "x": 0}


def test_without_pods_every_labelled_node_is_best():
    assert normalized_scores(a_cycle(web(rules=[rule(SOFT)]), *NODES), NAME) == {"a1": 100, "b1": 100, "x": 0}


def test_the_hostname_counts_pods_of_the_node_itself():
    nodes = [a_node(name, labels={"kubernetes.io/hostname": name}) for name in ("n1", "n2", "n3")]
    pod = web(rules=[rule(SOFT, key="kubernetes.io/hostname", maxSkew=3)])
    # three hosts: n1 round(1 * ln 5 + 2) = 4, others round(2) = 2
    assert raw_scores(a_cycle(pod, *nodes, web("used", "n1")), NAME) == {"n1": 4, "n2": 2, "n3": 2}


def test_a_service_brings_the_default_constraints():
    service = {
        "kind": "Service",
        "metadata": {"name": "s", "namespace": "default"},
        "spec": {"selector": {"app": "web"}},
    }
    zoned = [
        a_node(name, labels={"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": zone})
        for name, zone in (("n1", "a"), ("n2", "b"))
    ]
    assert raw_scores(a_cycle(web(), *zoned), NAME) is None
    # hostname: 1 * ln 4 + 2, zone: 1 * ln 4 + 4: round(8.77) = 9; without pods: 6
    assert raw_scores(a_cycle(web(), *zoned, service, web("used", "n1")), NAME) == {"n1": 9, "n2": 6}


def test_a_list_of_defaults_may_be_hard():
    args = {
        "defaultingType": "List",
        "defaultConstraints": [{"topologyKey": "zone", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}],
    }
    service = {
        "kind": "Service",
        "metadata": {"name": "s", "namespace": "default"},
        "spec": {"selector": {"app": "web"}},
    }
    profile = only(NAME, PodTopologySpread=args)
    assert verdicts(a_cycle(web(), *NODES, service, web("used", "a1"), profile=profile), NAME)["a1"] == SKEWED


def test_the_logarithm_is_go_s():
    table = read(ROOT / "numeric" / "go_log.json")
    found = [golang.log(float(table["first"] + place)).hex() for place in range(len(table["log"]))]
    expected = [struct.unpack(">d", bytes.fromhex(text))[0].hex() for text in table["log"]]
    assert found == expected
