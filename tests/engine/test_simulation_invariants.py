"""The invariants notice what they are there to notice: each row breaks a sound state in one way."""

import msgspec
import pytest

from scheduler.engine.objects import decode
from tests.engine.scenario import Scenario, a_node, a_pod


def a_sound_state() -> Scenario:
    scenario = Scenario()
    scenario.add(a_node("n1"), a_pod("bound", nodeName="n1"), a_pod("held", schedulingGates=[{"name": "g"}]))
    scenario.add(a_pod("refused", priority=9), a_pod("one", priority=5), a_pod("two", priority=1), a_pod("three"))
    scenario.fail("NodeResourcesFit")
    scenario.pop()
    return scenario


def reverse_the_heap(state):
    heap = state.queue.active
    heap.load(list(heap)[::-1])


def put_a_pod_in_two_queues(state):
    state.queue.backing_off.add_or_update(state.queue.active.peek())


def lose_a_pod(state):
    state.queue.remove("default/two")


def keep_a_deleted_pod(state):
    state.cluster.delete("Pod", "default", "two")


def keep_an_old_version(state):
    state.cluster.update("Pod", decode("Pod", a_pod("two", cpu="2")))


def queue_a_bound_pod(state):
    queued = state.queue.waiting("default/two")
    state.queue.put(state.pods["default/bound"], queued.entry, "active")


def miscount_requests(state):
    state.cluster.columns.vectors[("requested", "cpu")][0] += 1


def miscount_pods(state):
    state.cluster.columns.vectors[("requested", "pods")][0] += 1


def forget_the_open_cycle(state):
    state.open_cycle = None


def nominate_a_ghost(state):
    state.queue.nominator.add(decode("Pod", a_pod("ghost")), "n1")


def gate_without_a_gate(state):
    queued = state.queue.waiting("default/refused")
    queued.entry = msgspec.structs.replace(queued.entry, gating_plugin="SchedulingGates")


def forget_who_refused(state):
    queued = state.queue.waiting("default/refused")
    queued.entry = msgspec.structs.replace(queued.entry, unschedulable_plugins=("NodeName",))


def begin_in_flight_with_a_change(state):
    state.queue.in_flight._log.move_to_end(next(iter(state.queue.in_flight._log)))


def test_a_sound_state_is_sound():
    a_sound_state().simulation.validate()


@pytest.mark.parametrize(
    ("sabotage", "message"),
    [
        (reverse_the_heap, "heap order broken"),
        (put_a_pod_in_two_queues, "is in active and in backoff"),
        (lose_a_pod, "default/two is pending and waits nowhere"),
        (keep_a_deleted_pod, "default/two waits and does not exist"),
        (keep_an_old_version, "default/two waits with an old version of itself"),
        (queue_a_bound_pod, "default/bound is not pending and waits in active"),
        (miscount_requests, "requested cpu is not the sum of its pods"),
        (miscount_pods, "its pods are miscounted"),
        (forget_the_open_cycle, "in-flight pods and the open cycle differ"),
        (nominate_a_ghost, "default/ghost is nominated to n1 and does not exist"),
        (gate_without_a_gate, "default/refused: gated and unschedulable"),
        (forget_who_refused, "index by plugin is out of step"),
        (begin_in_flight_with_a_change, "begins with a change"),
    ],
)
def test_a_broken_state_is_noticed(sabotage, message):
    scenario = a_sound_state()
    scenario.add(a_node("n2", cpu="500m"))  # an event that helps nobody, but that the pod in flight has to weigh
    sabotage(scenario.simulation)
    with pytest.raises(AssertionError, match=message):
        scenario.simulation.validate()
