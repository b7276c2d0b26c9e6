"""A recorded profile may ask for an algorithm that is not here any more: it is named, and nothing else breaks."""

import msgspec
import numpy as np
import pytest

from scheduler.engine import plugins
from scheduler.engine.codec import codec
from scheduler.engine.commands import ChangeProfile, PopPod, Schedule
from scheduler.engine.config import DEFAULT_DOCUMENT
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.framework import Plugin
from scheduler.engine.profile import Profiles
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.builders import a_cycle, only
from tests.engine.scenario import Scenario, a_node, a_pod


class QuietArgs(msgspec.Struct, frozen=True):
    loudest: int = 3


class Quiet(Plugin):
    name = "Quiet"
    Args = QuietArgs

    def score(self, cycle, nodes):
        return np.full(len(nodes), 7, np.int64)


def configuration(**arguments):
    config = [{"name": "Quiet", "args": arguments}] if arguments else []
    enabled = {"multiPoint": {"enabled": [{"name": "Quiet", "weight": 4}]}}
    return DEFAULT_DOCUMENT | {"profiles": [{"plugins": enabled, "pluginConfig": config}]}


@pytest.fixture
def known(monkeypatch):
    """What is registered; a test may change it."""
    known = {**plugins.registry(), "Quiet": Quiet}
    monkeypatch.setattr(plugins, "registry", lambda: known)
    return known


@pytest.fixture
def scenario(known):
    scenario = Scenario(configuration=configuration(loudest=5))
    scenario.add(a_node("n1"), a_node("n2"), a_pod("web"))
    return scenario


def folded(log):
    state = Simulation()
    for event in log:
        state.apply(event)
    return state


def test_a_profile_with_the_algorithm_has_no_fault(scenario):
    profile = folded(scenario.log).profiles.first
    assert (profile.faults, profile.weight("Quiet"), profile.args("Quiet")) == ({}, 4, {"loudest": 5})


def test_a_log_is_folded_without_the_algorithm_and_names_it(scenario, known):
    del known["Quiet"]
    profile = folded(scenario.log).profiles.first
    assert profile.faults == {"Quiet": "no file in scheduler/engine/plugins defines it"}
    assert profile.plugins == Profiles.default().first.plugins


@pytest.mark.parametrize("command", [PopPod(), Schedule()])
def test_no_pod_is_popped_without_the_algorithm(scenario, known, command):
    del known["Quiet"]
    state = folded(scenario.log)
    with pytest.raises(Refused, match=r"default-scheduler enables Quiet, but no file in .* defines it"):
        state.handle(command)
    assert state.seq == scenario.log[-1].seq


def test_once_it_is_switched_off_pods_are_scheduled(scenario, known):
    del known["Quiet"]
    state = folded(scenario.log)
    state.handle(ChangeProfile({}))
    state.handle(Schedule())
    assert state.pod("default/web").node_name


def test_once_it_is_back_pods_are_scheduled(scenario, known):
    del known["Quiet"]
    folded(scenario.log)
    known["Quiet"] = Quiet
    state = folded(scenario.log)
    state.handle(Schedule())
    assert state.pod("default/web").node_name


def test_a_cycle_that_is_open_ends_with_an_error_that_names_it(scenario, known):
    scenario.pop()
    del known["Quiet"]
    decision = folded(scenario.log).cycle_for_open().run()
    assert decision.outcome == "error"
    assert "Quiet" in decision.message


def test_an_open_cycle_is_restored_from_a_checkpoint_without_it(scenario, known):
    scenario.pop()
    scenario.do(ChangeProfile({}))
    blob = codec.encode_checkpoint(scenario.simulation)
    del known["Quiet"]
    state = codec.decode_checkpoint(blob)
    assert state.profiles.first.faults == {}
    assert "Quiet" in state.cycle_for_open().run().message


def test_an_algorithm_that_lost_its_extension_point_is_named(known):
    enabled = {"score": {"enabled": [{"name": "Quiet"}]}}
    document = DEFAULT_DOCUMENT | {"profiles": [{"plugins": enabled}]}
    known["Quiet"] = type("Quiet", (Plugin,), {"name": "Quiet"})
    assert Profiles.recorded(document).first.faults == {"Quiet": "it has no score any more"}


def test_an_algorithm_that_takes_other_arguments_is_named(known):
    other = msgspec.defstruct("Other", [("softest", int, 1)], frozen=True)
    known["Quiet"] = type("Quiet", (Plugin,), {"name": "Quiet", "Args": other, "score": Quiet.score})
    assert 'unknown field "loudest"' in Profiles.recorded(configuration(loudest=5)).first.faults["Quiet"]


def test_what_is_not_valid_for_another_reason_gives_the_defaults_and_says_why():
    profiles = Profiles.recorded(DEFAULT_DOCUMENT | {"parallelism": -1, "profiles": [{"schedulerName": "mine"}]})
    assert "parallelism" in profiles.by_name["mine"].faults[""]


def test_a_command_may_not_ask_for_what_is_not_here(scenario, known):
    del known["Quiet"]
    with pytest.raises(Invalid, match='"Quiet" does not exist'):
        scenario.do(ChangeProfile(configuration()))


def test_an_algorithm_that_cannot_be_made_is_named(known):
    def fail(self, args=None):
        raise KeyError("sound")

    known["Quiet"] = type("Quiet", (Plugin,), {"name": "Quiet", "__init__": fail, "score": Quiet.score})
    profile = only("NodeName")
    profile.plugins["score"] = ("Quiet",)
    assert (
        "Quiet, but it cannot be made: KeyError: 'sound'"
        in a_cycle(a_pod("p"), a_node("n"), profile=profile).run().message
    )
    with pytest.raises(Invalid, match="cannot be made"):
        Scenario(configuration=configuration())
