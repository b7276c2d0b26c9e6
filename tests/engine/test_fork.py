"""A fork of a simulation lives on exactly as the original would, and leaves the original as it was."""

from hypothesis import given, settings

from scheduler.engine.codec import codec
from scheduler.engine.simulation.fork import fork
from scheduler.engine.simulation.settings import Settings
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.random_commands import lived, perform, scripts
from tests.engine.scenario import START_US


@settings(max_examples=40, deadline=None)
@given(scripts())
def test_whatever_happens_a_fork_lives_on_as_the_original_would(script):
    assert codec.encode_log(lived(script, restart=fork)) == codec.encode_log(lived(script))


@settings(max_examples=30, deadline=None)
@given(scripts(), scripts())
def test_a_fork_leaves_the_original_as_it_was(before, after):
    simulation, _ = Simulation.create("life", 7, START_US, {}, Settings(controllers=True))
    for command in before:
        perform(simulation, command)
    stored = codec.encode_checkpoint(simulation)
    copy = fork(simulation)
    assert codec.encode_checkpoint(copy) == stored
    for command in after:
        perform(copy, command)
    copy.validate()
    simulation.validate()
    assert codec.encode_checkpoint(simulation) == stored
