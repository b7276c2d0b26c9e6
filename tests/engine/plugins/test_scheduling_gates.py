"""SchedulingGates by examples."""

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.framework import SUCCESS, Code
from scheduler.engine.objects import Pod, PodSchedulingGate, PodSpec
from scheduler.engine.plugins.scheduling_gates import SchedulingGates


def said(*gates):
    return SchedulingGates().pre_enqueue(
        PodInfo(Pod(spec=PodSpec(scheduling_gates=[PodSchedulingGate(one) for one in gates])))
    )


def test_gates_hold_a_pod_back_and_are_named():
    status = said("b", "a")
    assert status.code is Code.UNSCHEDULABLE_AND_UNRESOLVABLE
    assert status.message == "waiting for scheduling gates: [b a]"


def test_without_gates_a_pod_may_enter():
    assert said() is SUCCESS
