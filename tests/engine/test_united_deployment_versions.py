"""v1alpha1 and v1beta1 say the same in two layouts."""

import pytest

from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.versions import converted
from tests.engine.workload_world import a_united_deployment

ALPHA = {"type": "InPlaceIfPossible", "partition": 2, "maxUnavailable": "20%", "paused": True}
BETA = {
    "type": "RollingUpdate",
    "paused": True,
    "rollingUpdate": {"podUpdatePolicy": "InPlaceIfPossible", "partition": 2, "maxUnavailable": "20%"},
}


def with_strategy(version, strategy):
    manifest = a_united_deployment()
    manifest["apiVersion"] = f"apps.kruise.io/{version}"
    manifest["spec"]["template"]["cloneSetTemplate"]["spec"]["updateStrategy"] = strategy
    return manifest


def strategy_of(manifest):
    return manifest["spec"]["template"]["cloneSetTemplate"]["spec"]["updateStrategy"]


def test_a_clone_sets_strategy_has_another_layout_in_each_version():
    alpha, beta = with_strategy("v1alpha1", ALPHA), with_strategy("v1beta1", BETA)
    for given in (alpha, beta):
        assert strategy_of(converted(given, "v1beta1")) == BETA
        assert strategy_of(converted(given, "v1alpha1")) == {**ALPHA, "type": "InPlaceIfPossible"}
    assert converted(beta, "v1alpha1")["apiVersion"] == "apps.kruise.io/v1alpha1"
    assert alpha["apiVersion"] == "apps.kruise.io/v1alpha1"


def test_without_a_policy_there_is_no_type_in_v1alpha1():
    given = with_strategy("v1beta1", {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}})
    assert strategy_of(converted(given, "v1alpha1")) == {"partition": 1}


@pytest.mark.parametrize(("version", "strategy"), [("v2", {}), ("v1alpha1", {"type": "OnDelete"})])
def test_what_a_version_has_no_word_for_is_refused(version, strategy):
    with pytest.raises(Invalid):
        converted(with_strategy("v1beta1", strategy), version)


def test_the_status_and_other_templates_stay_out_of_it():
    given = {**a_united_deployment(kind="deployment"), "status": {"replicas": 4}}
    made = converted(given, "v1alpha1")
    assert "status" not in made
    assert made["spec"] == given["spec"]
