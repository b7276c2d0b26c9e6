"""DynamicResources: exact for pods without claims, honest about the others."""

from tests.engine.builders import a_cycle, a_node, a_pod, only


def test_without_claims_it_leaves_filter_out_and_has_its_word_in_the_message():
    cycle = a_cycle(a_pod(requests={"cpu": "9"}), a_node(), profile=only("DynamicResources", "NodeResourcesFit"))
    decision = cycle.run()
    assert "DynamicResources" in cycle.skipped_filters
    assert decision.message == "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate"


def test_a_pod_with_claims_is_told_that_they_are_not_modelled():
    decision = a_cycle(a_pod(resourceClaims=[{"name": "gpu"}]), a_node()).run()
    assert decision.outcome == "unschedulable"
    assert "resource claims are not modelled by this simulator" in decision.message
    assert decision.unschedulable_plugins == ("DynamicResources",)
