"""Profiles that run Filter or Score of an algorithm without its PreFilter or PreScore: kube-scheduler's own answers."""

import pytest

from scheduler.engine.config import DEFAULT_DOCUMENT
from scheduler.engine.explain.filters import explain_filters
from scheduler.engine.explain.steps import explain_score
from scheduler.engine.profile import Profiles
from tests.engine.builders import a_cycle, a_node, a_pod, only
from tests.engine.storage_builders import a_claim, a_class, using


def without(point, name):
    profile = {"plugins": {point: {"disabled": [{"name": name}]}}}
    return Profiles.from_configuration({**DEFAULT_DOCUMENT, "profiles": [profile]}).first


@pytest.mark.parametrize(
    ("plugin", "text"),
    [
        ("NodePorts", 'reading "PreFilterNodePorts" from cycleState: not found'),
        ("NodeResourcesFit", 'error reading "PreFilterNodeResourcesFit" from cycleState: not found'),
        ("VolumeRestrictions", 'cannot read "PreFilterVolumeRestrictions" from cycleState'),
        ("VolumeBinding", "not found"),
        ("PodTopologySpread", 'reading "PreFilterPodTopologySpread" from cycleState: not found'),
        ("InterPodAffinity", 'error reading "PreFilterInterPodAffinity" from cycleState: not found'),
        ("DynamicResources", "not found"),
    ],
)
def test_most_filters_fail_without_their_pre_filter_whatever_the_pod_asks_for(plugin, text):
    taints = [{"key": "k", "effect": "NoSchedule"}]
    cycle = a_cycle(a_pod(), a_node(), a_node("n2", taints=taints), profile=without("preFilter", plugin))
    assert cycle.run().message == f'running "{plugin}" filter plugin: {text}'
    cell = next(cell for cell in explain_filters(cycle, 0) if cell.plugin == plugin)
    assert (cell.status.message, cell.steps[-1].result) == (text, (text,))


def test_node_affinity_filters_as_it_does_else_but_narrows_nothing():
    field = {"key": "metadata.name", "operator": "In", "values": ["n2"]}
    terms = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
    cycle = a_cycle(a_pod(affinity=affinity), a_node(), a_node("n2"), profile=without("preFilter", "NodeAffinity"))
    assert cycle.run().node == "n2"
    assert cycle.node_names is None
    assert cycle.trace.first_failures[0].message == "node(s) didn't match Pod's node affinity/selector"


def test_volume_zone_looks_volumes_up_itself_and_refuses_every_node_where_it_cannot():
    profile = only("VolumeZone")
    profile.plugins["preFilter"] = ()
    objects = [a_node(), a_node("n2"), a_claim(storageClassName="late"), a_class()]
    assert a_cycle(a_pod(volumes=using("data")), *objects, profile=profile).run().outcome == "bound"
    decision = a_cycle(a_pod(volumes=using("gone")), *objects, profile=profile).run()
    assert decision.message.startswith('0/2 nodes are available: 2 persistentvolumeclaim "gone" not found.')
    assert decision.unschedulable_plugins == ("VolumeZone",)


@pytest.mark.parametrize(
    ("plugin", "text"),
    [
        ("TaintToleration", 'failed to read "PreScoreTaintToleration" from cycleState: not found'),
        ("PodTopologySpread", 'error reading "PreScorePodTopologySpread" from cycleState: not found'),
        ("InterPodAffinity", 'failed to read "PreScoreInterPodAffinity" from cycleState: not found'),
    ],
)
def test_some_scores_fail_without_their_pre_score(plugin, text):
    decision = a_cycle(a_pod(), a_node(), a_node("n2"), profile=without("preScore", plugin)).run()
    assert decision.outcome == "error"
    assert decision.message == f'running Score plugins: plugin "{plugin}" failed with: {text}'


@pytest.mark.parametrize("plugin", ["NodeAffinity", "NodeResourcesBalancedAllocation"])
def test_others_score_0_where_pre_score_would_leave_them_out(plugin):
    cycle = a_cycle(a_pod(), a_node(), a_node("n2"), profile=without("preScore", plugin))
    assert cycle.run().outcome == "bound"
    assert cycle.trace.layers["raw"][plugin].tolist() == [0, 0]
    assert explain_score(cycle, plugin, 0)[-1].result == 0


def test_and_as_they_do_else_where_the_pod_has_to_do_with_them():
    nodes = [a_node(), a_node("n2", labels={"disk": "ssd"})]
    preference = {"matchExpressions": [{"key": "disk", "operator": "Exists"}]}
    preferred = [{"weight": 7, "preference": preference}]
    affinity = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}
    pod = a_pod(affinity=affinity, cpu="1", memory="1Gi")
    whole = a_cycle(pod, *nodes)
    whole.run()
    for plugin in ("NodeAffinity", "NodeResourcesBalancedAllocation", "NodeResourcesFit"):
        cycle = a_cycle(pod, *nodes, profile=without("preScore", plugin))
        cycle.run()
        rows = [one.trace.layers["weighted"][plugin].tolist() for one in (whole, cycle)]
        assert rows[0] == rows[1]
        assert any(rows[0])
