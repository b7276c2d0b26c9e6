"""The page of the profiles: reading, changing and refusing a configuration."""

import pytest
from django.test import Client

from dashboard.profiles import configuration_of, fill, form_of, tell
from dashboard.templatetags.podium import humped
from scheduler import services
from scheduler.engine import plugins
from scheduler.engine.config.catalogue import known_plugins
from scheduler.engine.errors import Invalid
from scheduler.engine.framework import Plugin
from scheduler.engine.profile import Profiles
from tests.scheduler.builders import a_cluster

TWO = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "podMaxBackoffSeconds": 30,
    "profiles": [{"schedulerName": "one"}, {"schedulerName": "two", "percentageOfNodesToScore": 100}],
}


def forms_of(configuration):
    profiles = list(Profiles.from_configuration(configuration))
    return profiles, [form_of(profile, index) for index, profile in enumerate(profiles)]


def posted(forms, **changes):
    """What the browser would send of untouched forms, with these changes; None takes a field away."""
    sent = {}
    for line in (line for form in forms for line in form.lines):
        sent |= {f"{line.field}-on": "on"} if line.enabled else {}
        sent |= {f"{line.field}-position": str(line.position), f"{line.field}-weight": line.weight}
    sent |= {name.replace("__", "-"): value for name, value in changes.items()}
    return {name: value for name, value in sent.items() if value is not None}


def saved(configuration, changes):
    return Profiles.from_configuration(saved_configuration(configuration, changes))


def saved_configuration(configuration, changes):
    profiles, forms = forms_of(configuration)
    sent = posted(forms) | changes
    for form in forms:
        fill(form, {name: value for name, value in sent.items() if value is not None})
    assert not any(form.wrong for form in forms)
    return configuration_of(configuration, forms, profiles)


@pytest.mark.parametrize("configuration", [{}, TWO], ids=["defaults", "two profiles"])
def test_saving_an_untouched_form_changes_nothing(configuration):
    before, after = Profiles.from_configuration(configuration), saved(configuration, {})
    for old, new in zip(before, after, strict=True):
        assert (new.scheduler_name, new.enabled("score"), new.enabled("filter")) == (
            old.scheduler_name,
            old.enabled("score"),
            old.enabled("filter"),
        )
        assert {name: new.weight(name) for name in new.enabled("score")} == {
            name: old.weight(name) for name in old.enabled("score")
        }


def test_a_weight_reaches_its_profile_alone_and_the_rest_stays():
    after = saved(TWO, {"1-score-NodeAffinity-weight": "9"})
    first, second = after
    assert (first.weight("NodeAffinity"), second.weight("NodeAffinity")) == (2, 9)
    assert second.percentage_of_nodes_to_score == 100


def test_a_switched_off_algorithm_does_not_run_and_can_come_back():
    off = saved({}, {"0-score-ImageLocality-on": None, "0-filter-NodePorts-on": None}).first
    assert "ImageLocality" not in off.enabled("score")
    assert "NodePorts" not in off.enabled("filter")
    line = next(line for line in form_of(off, 0).scores if line.name == "ImageLocality")
    assert (line.enabled, line.weight, line.default) == (False, "", 1)  # its place says so: no weight counts


class Prepared(Plugin):
    """Needs its PreScore."""

    name = "Prepared"

    def pre_score(self, cycle):
        raise AssertionError

    def score(self, cycle, nodes):
        raise AssertionError


def test_what_an_algorithm_prepares_is_switched_on_and_off_with_it(monkeypatch):
    known = {**plugins.registry(), "Prepared": Prepared}
    monkeypatch.setattr(plugins, "registry", lambda: known)
    _, forms = forms_of({})
    field = next(line.field for line in forms[0].scores if line.name == "Prepared")
    on = saved_configuration({}, {f"{field}-on": "on"})
    first = Profiles.from_configuration(on).first
    assert "Prepared" in first.enabled("score")
    assert "Prepared" in first.enabled("preScore")
    off = Profiles.from_configuration(saved_configuration(on, {f"{field}-on": None})).first
    assert "Prepared" not in (*off.enabled("score"), *off.enabled("preScore"))


def test_a_weight_of_zero_switches_off():
    assert "NodeAffinity" not in saved({}, {"0-score-NodeAffinity-weight": "0"}).first.enabled("score")


def test_what_is_switched_on_again_without_a_weight_has_its_own():
    off = saved_configuration({}, {"0-score-NodeAffinity-weight": "0"})
    again = Profiles.from_configuration(saved_configuration(off, {"0-score-NodeAffinity-on": "on"})).first
    assert ("NodeAffinity" in again.enabled("score"), again.weight("NodeAffinity")) == (True, 2)


def test_the_order_is_the_one_that_was_typed():
    assert saved({}, {"0-score-ImageLocality-position": "0"}).first.enabled("score")[0] == "ImageLocality"


@pytest.mark.parametrize("typed", ["", "many", "-1", "1.5", "101", "²", "9" * 30])
def test_a_wrong_weight_is_told_at_its_line(typed):
    _, forms = forms_of({})
    fill(forms[0], posted(forms) | {"0-score-NodeAffinity-weight": typed})
    assert [line.name for line in forms[0].lines if line.error] == ["NodeAffinity"]


def test_what_came_back_with_a_fault_says_which_lines_differ_from_what_runs():
    _, forms = forms_of(TWO)
    fill(forms[0], posted(forms, **{"0-score-ImageLocality-weight": "x", "0-filter-NodePorts-on": None}))
    changed = [(line.point, line.name) for line in forms[0].lines if line.changed]
    assert changed == [("filter", "NodePorts"), ("score", "ImageLocality")]


def test_a_fault_of_the_engine_is_told_where_its_path_points():
    _, forms = forms_of(TWO)
    tell(forms, Invalid("too heavy", "profiles[1].plugins.score.enabled[2].weight"))
    assert [line.name for line in forms[1].scores if line.error == "too heavy"] == [forms[1].scores[2].name]
    tell(forms, Invalid("must be 1 to 100", "podMaxBackoffSeconds"))
    assert forms[0].error == "podMaxBackoffSeconds: must be 1 to 100"


def whole(configuration):
    return {one.name: one for one in forms_of(configuration)[1][0].algorithms}


def test_the_whole_profile_has_every_algorithm_its_points_in_order_and_its_arguments():
    profile, shown = Profiles.default().first, whole({})
    assert shown.keys() >= known_plugins().keys()
    for one in shown.values():
        for point in (point for point in one.points if point.label != "Normalize"):
            assert profile.enabled(point.label[0].lower() + point.label[1:])[point.place - 1] == one.name
    labels = [point.label for point in shown["TaintToleration"].points]
    assert labels == ["Filter", "PreScore", "Score", "Normalize"]
    assert shown["DefaultPreemption"].arguments == (
        ("minCandidateNodesPercentage", "10"),
        ("minCandidateNodesAbsolute", "100"),
    )
    assert ("scoringStrategy.type", "LeastAllocated") in shown["NodeResourcesFit"].arguments


def test_the_whole_profile_tells_what_is_switched_off_and_what_is_stated():
    off = {
        "multiPoint": {"disabled": [{"name": "DefaultPreemption"}]},
        "score": {"disabled": [{"name": "NodeAffinity"}]},
    }
    stated = [{"name": "VolumeBinding", "args": {"bindTimeoutSeconds": 7}}]
    shown = whole({**TWO, "profiles": [{"schedulerName": "one", "plugins": off, "pluginConfig": stated}]})
    assert not shown["DefaultPreemption"].runs
    assert ("minCandidateNodesAbsolute", "100") in shown["DefaultPreemption"].arguments
    affinity = shown["NodeAffinity"]
    assert (affinity.runs, affinity.weight) == (True, 0)
    assert [point.label for point in affinity.points if not point.place] == ["Score", "Normalize"]
    assert ("bindTimeoutSeconds", "7") in shown["VolumeBinding"].arguments


def test_what_somebody_else_saved_meanwhile_is_not_written_over_unseen(admin_client):
    cluster = a_cluster(nodes=1, pods=0, name="demo")
    opened = admin_client.get("/c/demo/profiles/").context
    mine = posted(opened["forms"]) | {"base": opened["base"]}
    mine |= {"0-score-ImageLocality-weight": "0", "0-filter-NodePorts-position": "0"}
    theirs = saved_configuration({}, {"0-score-NodeAffinity-weight": "4"})
    services.profile_change(cluster.pk, theirs)
    refused = admin_client.post("/c/demo/profiles/", mine)
    assert refused.status_code == 400
    assert refused.context["forms"][0].error.endswith(
        "Save would now change NodeAffinity weight 4 → 2, ImageLocality off as a score and the order of the filters."
    )
    again = admin_client.post("/c/demo/profiles/", mine | {"base": refused.context["base"]})
    assert again.status_code == 302


def test_the_page_shows_the_whole_profile(db):
    a_cluster(nodes=1, pods=0, name="demo", configuration={**TWO, "profiles": TWO["profiles"][1:]})
    page = Client(SERVER_NAME="localhost").get("/c/demo/profiles/").content.decode()
    for name in ("SchedulingGates", "PrioritySort", "DefaultPreemption", "DefaultBinder", "DynamicResources"):
        assert f'<td class="stick">{humped(name)}' in page
    assert "<code>30&nbsp;s</code> at most" in page
    assert "<code>percentageOfNodesToScore</code> <code>100</code>" in page
    assert '<span class="dim">bindTimeoutSeconds</span> <code>600</code>' in page
