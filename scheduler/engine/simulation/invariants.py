"""What must hold after every command. A broken invariant is a bug of the engine, told as an AssertionError."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from scheduler.engine.controllers.look import owned_pods
from scheduler.engine.controllers.owners import Owners
from scheduler.engine.queue.entry import IN_FLIGHT, PLACES, QueuedPod
from scheduler.engine.queue.nominator import uid_of

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation


def validate(state: Simulation) -> None:
    """Check all of them. O(nodes + pods): for tests and for finding bugs, not for the hot path."""
    _containers(state)
    _one_place_a_pod(state)
    _pending_pods_wait(state)
    _usage_is_the_sum_of_pods(state)
    _open_cycle_is_in_flight(state)
    _nominations(state)
    _scenario_lies_ahead(state)
    _crews_are_up_to_date(state)


def is_settled(state: Simulation) -> bool:
    """Whether no command is half done: a pod that has been added and not queued yet, or unqueued and not yet gone."""
    try:
        _pending_pods_wait(state)
    except AssertionError:
        return False
    return True


def _containers(state: Simulation) -> None:
    queue = state.queue
    for heap in queue.heaps().values():
        heap.validate()
    queue.unschedulable.validate()
    queue.in_flight.validate()
    queue.nominator.validate()


def _one_place_a_pod(state: Simulation) -> None:
    seen: dict[str, str] = {}
    for place in PLACES[:-1]:
        for queued in _held(state, place):
            assert queued.key not in seen, f"{queued.key} is in {seen[queued.key]} and in {place}"
            assert queued.place == place, f"{queued.key} lies in {place} and says {queued.place}"
            seen[queued.key] = place
    assert seen.keys() == {queued.key for queued in state.queue}, "the index of waiting pods is out of step"


def _held(state: Simulation, place: str) -> Iterable[QueuedPod]:
    heap = state.queue.heaps().get(place)
    return heap if heap is not None else state.queue.unschedulable.in_place(place)


def _pending_pods_wait(state: Simulation) -> None:
    """Each pending pod of our schedulers waits or is in flight; nothing else waits."""
    for pod in state.pods.values():
        queued = state.queue.get(pod.key)
        pending = not pod.node_name and not pod.is_finished
        if queued is None:
            ours = state.profiles.get(pod.spec.scheduler_name) is not None
            assert not (pending and ours) or pod.is_terminating, f"{pod.key} is pending and waits nowhere"
        elif queued.place != IN_FLIGHT:
            assert pending, f"{pod.key} is not pending and waits in {queued.place}"
            assert queued.pod is pod, f"{pod.key} waits with an old version of itself"
    for queued in state.queue:
        assert queued.key in state.pods, f"{queued.key} waits and does not exist"


def _usage_is_the_sum_of_pods(state: Simulation) -> None:
    cluster = state.cluster
    placed = {pod.key for pod in state.pods.values() if pod.node_name and not pod.is_finished}
    assert placed == set(cluster.pods), "pods on nodes and pods with a node differ"
    for name, row in cluster.columns.row_of.items():
        info = cluster.infos.get(name)
        if info is None or info.node is None:
            continue
        sums: dict[str, int] = {}
        for pod in info.pods:
            for resource, amount in pod.requested:
                sums[resource] = sums.get(resource, 0) + amount
        for resource in cluster.columns.resources():
            requested = int(cluster.columns[("requested", resource)][row])
            assert requested == sums.get(resource, 0), f"{name}: requested {resource} is not the sum of its pods"
        assert int(cluster.columns[("requested", "pods")][row]) == len(info.pods), f"{name}: its pods are miscounted"


def _open_cycle_is_in_flight(state: Simulation) -> None:
    flying = list(state.queue.in_flight.pods)
    opened = state.open_cycle
    assert flying == ([uid_of(opened.pod)] if opened is not None else []), "in-flight pods and the open cycle differ"


def _nominations(state: Simulation) -> None:
    for node, nominated in state.nominated_pods().items():
        for pod in nominated:
            assert state.pods.get(pod.key) == pod, f"{pod.key} is nominated to {node} and does not exist like this"
            assert not pod.node_name, f"{pod.key} is nominated to {node} and runs on {pod.node_name}"


def _scenario_lies_ahead(state: Simulation) -> None:
    at_us = state.agenda.next_us()
    assert at_us is None or at_us > state.now_us, f"a scenario's step of {at_us} was not played by {state.now_us}"


def _crews_are_up_to_date(state: Simulation) -> None:
    """What controllers keep of pods is what a look at every object finds."""
    kept = state.owners
    if kept is not None:
        for owner, label in kept.looked_at():
            found = owned_pods(state, owner, label, Owners({"Pod": state.cluster.objects.get("Pod", {})}))
            seen = owned_pods(state, owner, label)
            assert {one.name: one for one in seen} == {one.name: one for one in found}, (
                f"the pods of {owner} have changed without a mark"
            )
            assert seen.revisions == found.revisions, f"the pods of {owner} are miscounted"
