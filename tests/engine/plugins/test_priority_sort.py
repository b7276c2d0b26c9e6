"""PrioritySort has its work done elsewhere; a profile may name it all the same."""

from scheduler.engine.plugins import of_profile
from scheduler.engine.profile import Profiles


def test_a_profile_that_names_it_finds_it():
    profile = Profiles.default().first
    assert profile.enabled("queueSort") == ("PrioritySort",)
    assert type(of_profile(profile)["PrioritySort"]).name == "PrioritySort"


def test_it_takes_no_part_in_a_cycle():
    plugin = of_profile(Profiles.default().first)["PrioritySort"]
    assert not any(plugin.implements(point) for point in ("pre_filter", "filter", "pre_score", "score", "post_filter"))
