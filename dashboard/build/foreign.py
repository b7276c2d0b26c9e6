"""Pods that wait for a scheduler that has no profile here: Pending, and in no queue."""

from scheduler.engine.simulation.simulation import Simulation


def foreign_pods(simulation: Simulation) -> int:
    """How many. Where every pod is on a node or in a queue none is looked at."""
    queue, known = simulation.queue, len(simulation.cluster.pods)
    if len(simulation.pods) == known + len(queue) + len(queue.in_flight):
        return 0
    get = simulation.profiles.get
    waiting = (pod for pod in simulation.pods.values() if not pod.node_name and not pod.is_finished)
    return sum(1 for pod in waiting if get(pod.spec.scheduler_name) is None)
