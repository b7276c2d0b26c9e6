"""States are large: one that nobody holds any more is gone at once, without the garbage collector."""

import gc
import weakref

from scheduler.engine.codec import codec
from scheduler.engine.commands import AddObject, Schedule
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.scenario import a_node, a_pod


def test_a_dropped_state_leaves_memory_at_once() -> None:
    simulation, _ = Simulation.create("one", 1, 1_700_000_000_000_000)
    for manifest in (a_node("node-1"), a_pod("pod-1"), a_pod("pod-2")):
        simulation.handle(AddObject(manifest["kind"], manifest))
    simulation.handle(Schedule())
    states = [simulation, codec.decode_checkpoint(codec.encode_checkpoint(simulation))]
    parts = [weakref.ref(part) for state in states for part in (state, state.cluster, state.queue, state.control)]
    gc.collect()
    gc.disable()
    try:
        del simulation
        states.clear()
        assert [part() for part in parts] == [None] * len(parts)
    finally:
        gc.enable()
