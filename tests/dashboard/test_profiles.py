import pytest

from dashboard.profiles import configuration_of, fill, form_of, tell
from scheduler.engine.errors import Invalid
from scheduler.engine.profile import Profiles

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
    profiles, forms = forms_of(configuration)
    sent = posted(forms) | changes
    for form in forms:
        fill(form, {name: value for name, value in sent.items() if value is not None})
    assert all(form.is_valid for form in forms)
    return Profiles.from_configuration(configuration_of(configuration, forms, profiles))


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
    assert (line.enabled, line.weight) == (False, "1")


def test_a_weight_of_zero_switches_off():
    assert "NodeAffinity" not in saved({}, {"0-score-NodeAffinity-weight": "0"}).first.enabled("score")


def test_the_order_is_the_one_that_was_typed():
    assert saved({}, {"0-score-ImageLocality-position": "0"}).first.enabled("score")[0] == "ImageLocality"


@pytest.mark.parametrize("typed", ["", "many", "-1", "1.5", "101", "²", "9" * 30])
def test_a_wrong_weight_is_told_at_its_line(typed):
    _, forms = forms_of({})
    fill(forms[0], posted(forms) | {"0-score-NodeAffinity-weight": typed})
    assert [line.name for line in forms[0].lines if line.error] == ["NodeAffinity"]


def test_a_fault_of_the_engine_is_told_where_its_path_points():
    _, forms = forms_of(TWO)
    tell(forms, Invalid("too heavy", "profiles[1].plugins.score.enabled[2].weight"))
    assert [line.name for line in forms[1].scores if line.error == "too heavy"] == [forms[1].scores[2].name]
    tell(forms, Invalid("must be 1 to 100", "podMaxBackoffSeconds"))
    assert forms[0].error == "podMaxBackoffSeconds: must be 1 to 100"
