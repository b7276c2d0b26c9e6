"""NodeAffinity by examples; requirements themselves are tested with the selectors."""

import pytest

from tests.engine.builders import a_cycle, a_node, a_pod, normalized_scores, only, raw_scores, verdicts

MISMATCH = "node(s) didn't match Pod's node affinity/selector"
NODES = [a_node("ssd", labels={"disk": "ssd", "rank": "7"}), a_node("hdd", labels={"disk": "hdd"})]


def expression(operator, *values, key="disk"):
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


def required(*terms):
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(terms)}}}


def preferred(*terms):
    weighted = [{"weight": weight, "preference": preference} for weight, preference in terms]
    return {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": weighted}}


def named(*names):
    return {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]} for name in names]}


@pytest.mark.parametrize(
    ("spec", "fits"),
    [
        pytest.param({"nodeSelector": {"disk": "ssd"}}, ["ssd"], id="nodeSelector"),
        pytest.param({"affinity": required(expression("In", "ssd", "nvme"))}, ["ssd"], id="In"),
        pytest.param({"affinity": required(expression("NotIn", "ssd"))}, ["hdd"], id="NotIn"),
        pytest.param({"affinity": required(expression("DoesNotExist", key="rank"))}, ["hdd"], id="DoesNotExist"),
        pytest.param({"affinity": required(expression("Gt", "6", key="rank"))}, ["ssd"], id="greater"),
        pytest.param({"affinity": required(expression("Gt", "7", key="rank"))}, [], id="not greater than itself"),
        pytest.param({"affinity": required({}, expression("In", "hdd"))}, ["hdd"], id="an empty term matches nothing"),
        pytest.param({"affinity": required({})}, [], id="only an empty term"),
        pytest.param(
            {"affinity": required(expression("In", "ssd"), expression("In", "hdd"))},
            ["ssd", "hdd"],
            id="terms are ORed",
        ),
        pytest.param(
            {"affinity": required(expression("In", "ssd")), "nodeSelector": {"disk": "hdd"}}, [], id="both must hold"
        ),
    ],
)
def test_a_pod_goes_where_its_selectors_match(spec, fits):
    said = verdicts(a_cycle(a_pod(**spec), *NODES), "NodeAffinity")
    assert said == {name: "" if name in fits else MISMATCH for name in ("ssd", "hdd")}


def test_naming_nodes_narrows_the_search_and_leaves_the_rest_unfiltered():
    cycle = a_cycle(a_pod(affinity=required(named("hdd"), named("gone")), requests={"cpu": "99"}), *NODES)
    decision = cycle.run()
    assert cycle.node_names == {"hdd", "gone"}
    assert decision.message.startswith(
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity]."
    )
    assert decision.unschedulable_plugins == ("NodeAffinity", "NodeResourcesFit")


def test_a_term_without_a_name_leaves_all_nodes_in_the_search():
    cycle = a_cycle(a_pod(affinity=required(named("hdd"), expression("In", "ssd"))), *NODES)
    assert verdicts(cycle, "NodeAffinity") == {"ssd": "", "hdd": ""}
    assert cycle.node_names is None


def test_contradicting_names_end_the_attempt_at_once():
    decision = a_cycle(a_pod(affinity=required(named("ssd", "hdd"))), *NODES).run()
    assert decision.message == "0/2 nodes are available: pod affinity terms conflict. not found"


def test_weights_of_matching_preferences_add_up():
    affinity = preferred((10, expression("In", "ssd")), (5, expression("Exists")), (90, {}), (0, expression("Exists")))
    assert raw_scores(a_cycle(a_pod(affinity=affinity), *NODES), "NodeAffinity") == {"ssd": 15, "hdd": 5}
    # 100 * 5 // 15 = 33
    assert normalized_scores(a_cycle(a_pod(affinity=affinity), *NODES), "NodeAffinity") == {"ssd": 100, "hdd": 33}


def test_without_preferences_there_is_no_row_and_an_empty_list_gives_one_of_zeros():
    assert raw_scores(a_cycle(a_pod(), *NODES), "NodeAffinity") is None
    assert raw_scores(a_cycle(a_pod(affinity=preferred()), *NODES), "NodeAffinity") == {"ssd": 0, "hdd": 0}


def test_a_preference_that_cannot_be_read_is_an_error():
    decision = a_cycle(a_pod(affinity=preferred((1, expression("Gt", "-1", key="rank")))), *NODES).run()
    assert decision.outcome == "error"
    assert decision.message.startswith(
        'running PreScore plugin "NodeAffinity": [0].matchExpressions[0].values[0][rank]:'
    )


def test_added_affinity_holds_for_every_pod_of_the_profile():
    added = required(expression("In", "ssd"))["nodeAffinity"] | preferred((7, expression("Exists")))["nodeAffinity"]
    profile = only("NodeAffinity", NodeAffinity={"addedAffinity": added})
    said = verdicts(a_cycle(a_pod(), *NODES, profile=profile), "NodeAffinity")
    assert said == {"ssd": "", "hdd": "node(s) didn't match scheduler-enforced node affinity"}
    assert raw_scores(a_cycle(a_pod(), *NODES, profile=profile), "NodeAffinity") == {"ssd": 7}


def test_a_pod_that_names_only_nodes_that_are_gone_fits_nowhere():
    decision = a_cycle(a_pod(affinity=required(named("gone"))), *NODES, start_index=1).run()
    assert decision.message.startswith("0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeAffinity].")
    assert (decision.evaluated, decision.next_start_index) == (0, 1)
