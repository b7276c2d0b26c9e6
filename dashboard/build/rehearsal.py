"""Trying something out on a copy of a cluster: whether that can be done now, and going on until nothing moves."""

from scheduler.engine.commands import AdvanceToNextTimer, Command, Schedule
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.simulation.simulation import Simulation

QUIET_US, LONGEST_US = 5 * SECOND_US, 120 * SECOND_US


def cannot_rehearse(simulation: Simulation, most_objects: int) -> str:
    """Why nothing is tried out, "" if it can be."""
    if simulation.open_cycle is not None:
        return "A cycle is open: where pods would go is told when it has ended."
    if len(simulation.pods) + len(simulation.cluster.infos) > most_objects:
        return f"Where pods would go is told of clusters with up to {most_objects:,} nodes and pods."
    return ""


def come_to_rest(copy: Simulation, most_commands: int) -> bool:
    """Schedule what can be scheduled and let controllers work. Whether nothing was left to do in time."""
    start_us = copy.now_us
    for _ in range(most_commands):
        due_us = copy.work.next_us()
        command: Command
        if copy.queue.head() is not None:
            command = Schedule()
        elif due_us is None or due_us > copy.now_us + QUIET_US:
            return True
        elif copy.now_us - start_us > LONGEST_US:
            return False
        else:
            command = AdvanceToNextTimer()
        if not copy.handle(command):
            return True
    return False
