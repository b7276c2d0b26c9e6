"""Profiles: what the examples of the configuration come to, and the defaults."""

import pytest

from scheduler.engine.config import DEFAULT_DOCUMENT
from scheduler.engine.profile import Profiles


def profiles_of(*profiles, **top):
    return Profiles.from_configuration(DEFAULT_DOCUMENT | {"profiles": list(profiles)} | top)


def first(**plugins):
    return profiles_of({"plugins": plugins}).first


def scores(profile):
    return {name: profile.weight(name) for name in profile.enabled("score")}


def enabled(**weights):
    return [{"name": name} | ({"weight": weight} if weight is not None else {}) for name, weight in weights.items()]


ALL = [{"name": "*"}]


@pytest.mark.parametrize("configuration", [None, {}, DEFAULT_DOCUMENT])
def test_nothing_configured_is_the_default(configuration):
    profile = Profiles.from_configuration(configuration).first
    assert profile == Profiles.default().first
    assert profile.scheduler_name == "default-scheduler"
    assert profile.enabled("filter")[:3] == ("NodeUnschedulable", "NodeName", "TaintToleration")
    assert profile.enabled("postFilter") == ("DynamicResources", "DefaultPreemption")
    assert profile.weight("TaintToleration") == 3
    assert profile.weight("NodeName") == 0
    assert profile.percentage_of_nodes_to_score == 0
    assert profile.args("InterPodAffinity") == {"hardPodAffinityWeight": 1, "ignorePreferredTermsOfExistingPods": False}
    assert profile.args("NodeName") == {}


def test_switching_all_scores_off_leaves_what_is_listed():
    profile = first(score={"disabled": ALL, "enabled": enabled(ImageLocality=7, NodeResourcesFit=None)})
    assert scores(profile) == {"ImageLocality": 7, "NodeResourcesFit": 1}
    assert len(profile.enabled("filter")) == 13


def test_a_plugin_listed_at_a_point_comes_first_there():
    profile = first(score={"enabled": enabled(ImageLocality=7)})
    assert list(scores(profile).items())[:3] == [("ImageLocality", 7), ("TaintToleration", 3), ("NodeAffinity", 2)]


def test_a_plugin_listed_at_multi_point_keeps_its_place():
    profile = first(multiPoint={"enabled": enabled(NodeResourcesFit=9)})
    assert list(scores(profile).items())[:3] == [("TaintToleration", 3), ("NodeAffinity", 2), ("NodeResourcesFit", 9)]


@pytest.mark.parametrize("section", ["score", "multiPoint"])
def test_listing_a_plugin_again_without_a_weight_makes_it_one(section):
    assert first(**{section: {"enabled": enabled(TaintToleration=None)}}).weight("TaintToleration") == 1


def test_a_plugin_switched_off_at_multi_point_is_off_everywhere():
    profile = first(multiPoint={"disabled": [{"name": "DefaultPreemption"}, {"name": "DynamicResources"}]})
    assert profile.enabled("postFilter") == ()
    assert len(profile.enabled("filter")) == 12


def test_only_what_is_listed_runs():
    names = enabled(PrioritySort=None, DefaultBinder=None, NodeResourcesFit=None)
    profile = first(multiPoint={"disabled": ALL, "enabled": names})
    assert {point: names for point, names in profile.plugins.items() if names} == {
        "preFilter": ("NodeResourcesFit",),
        "filter": ("NodeResourcesFit",),
        "preScore": ("NodeResourcesFit",),
        "score": ("NodeResourcesFit",),
        "bind": ("DefaultBinder",),
        "queueSort": ("PrioritySort",),
    }


def test_profiles_are_found_by_name():
    profiles = profiles_of(
        {"schedulerName": "a", "percentageOfNodesToScore": 0}, {"schedulerName": "b"}, percentageOfNodesToScore=30
    )
    assert [profile.scheduler_name for profile in profiles] == ["a", "b"]
    assert profiles.get("b").percentage_of_nodes_to_score == 30
    assert profiles.get("a").percentage_of_nodes_to_score == 0  # a profile's own 0 is a value: adaptive
    assert profiles.get("c") is None
    assert profiles.get(None) is None  # no profile is called default-scheduler


def test_arguments_have_their_defaults_filled_in():
    strategy = {"type": "MostAllocated", "resources": [{"name": "nvidia.com/gpu"}]}
    entry = {"name": "NodeResourcesFit", "args": {"scoringStrategy": strategy}}
    profile = profiles_of({"pluginConfig": [entry]}).first
    assert profile.args("NodeResourcesFit") == {
        "scoringStrategy": {"type": "MostAllocated", "resources": [{"name": "nvidia.com/gpu", "weight": 1}]}
    }


def test_backoff_and_what_is_not_modelled():
    profiles = profiles_of(podMaxBackoffSeconds=60, extenders=[{"urlPrefix": "http://x"}])
    assert (profiles.initial_backoff_seconds, profiles.max_backoff_seconds) == (1, 60)
    assert profiles.not_modelled == ["Extender http://x is not modelled: it is never called."]
