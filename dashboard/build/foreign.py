"""Pods that wait for a scheduler that has no profile here: Pending, and in no queue."""

from collections import defaultdict

from dashboard.payloads.cluster import Foreign
from scheduler.engine.simulation.simulation import Simulation

SCHEDULERS = 5  # told one by one, and of each as many pods


def foreign_pods(simulation: Simulation) -> list[Foreign]:
    """By scheduler, those with most pods first. Where every pod is on a node or in a queue none is looked at."""
    queue, known = simulation.queue, len(simulation.cluster.pods)
    if len(simulation.pods) == known + len(queue) + len(queue.in_flight):
        return []
    pods = defaultdict[str, list[str]](list)
    for key, pod in simulation.pods.items():
        if not pod.node_name and not pod.is_finished and simulation.profiles.get(pod.spec.scheduler_name) is None:
            pods[pod.spec.scheduler_name or ""].append(key)
    most = sorted(pods.items(), key=lambda item: (-len(item[1]), item[0]))
    return [{"scheduler": name, "count": len(keys), "pods": sorted(keys)[:SCHEDULERS]} for name, keys in most]
