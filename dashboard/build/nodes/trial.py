"""How many copies of a pod really fit, one after the other: each is scheduled and counts for the next."""

from collections import Counter, defaultdict

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import KubernetesObject, Pod
from scheduler.engine.objects.patch import patched
from scheduler.engine.simulation.simulation import Simulation

MOST = 300


def tried(simulation: Simulation, pod: Pod) -> Counter[str]:
    """Copies by node, until none finds one or MOST are placed. Nothing of the state is changed. Raises `Invalid`."""
    profile = simulation.profiles.get(pod.spec.scheduler_name) or simulation.profiles.first
    start = snapshot = simulation.cluster.glance()
    added: dict[int, list[PodInfo]] = defaultdict(list)
    found: Counter[str] = Counter()
    at = 0
    for number in range(1, MOST + 1):
        cycle = Cycle(snapshot, profile, _copy(pod, number), number=number, seed=simulation.seed, start_index=at)
        decision = cycle.run()
        if decision.outcome == "error":
            raise Invalid(decision.message)
        if decision.outcome != "bound":
            break
        found[decision.node] += 1
        at = decision.next_start_index
        added[start.row_of[decision.node]].append(PodInfo(_copy(pod, number, decision.node)))
        snapshot = start.patched(added)
    return found


def _copy(pod: Pod, number: int, node: str | None = None) -> Pod:
    made: KubernetesObject = patched(
        "Pod", pod, {"metadata": {"name": f"{pod.name}-{number}"}, "spec": {"nodeName": node}}
    )
    assert isinstance(made, Pod)
    return made
