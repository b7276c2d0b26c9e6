"""Stepping: whole cycles and single phases, by one person, by two, and after a process died."""

import signal
from contextlib import nullcontext

import pytest

from scheduler import execution, store
from scheduler.engine.commands import PopPod
from scheduler.models import Event, Pod
from scheduler.services import commit, cycle_step, cycle_step_phase, cycles, execute, object_delete
from scheduler.services.projection import differences
from tests.scheduler.builders import a_cluster, a_pod
from tests.scheduler.other_process import run_python
from tests.scheduler.test_services_commit import in_threads

pytestmark = pytest.mark.django_db(transaction=True)


def finished(cluster) -> list[tuple[int, str]]:
    events = Event.objects.filter(cluster=cluster, kind="CycleFinished").order_by("seq")
    return list(events.values_list("cycle", "object_key"))


def test_a_step_places_the_next_pod():
    cluster = a_cluster(nodes=2, pods=2, bound=0)
    stepped = cycle_step(cluster.pk, actor="ada")
    assert (stepped.number, stepped.pod, stepped.decision.outcome) == (1, "default/web-0", "bound")
    pod = Pod.objects.get(cluster=cluster, name="web-0")
    assert (pod.node_name, pod.status, pod.queue) == (stepped.decision.node, "Running", "")
    assert pod.manifest["spec"]["nodeName"] == stepped.decision.node


def test_a_step_that_finds_no_node_says_why():
    cluster = a_cluster(nodes=2, pods=0, bound=0, more=[a_pod("huge", cpu="99")])
    assert cycle_step(cluster.pk).decision.outcome == "unschedulable"
    pod = Pod.objects.get(cluster=cluster, name="huge")
    assert (pod.queue, pod.attempts, pod.node_name) == ("unschedulable", 1, "")
    assert pod.message.startswith("0/2 nodes are available: 2 Insufficient cpu.")


def test_without_a_waiting_pod_a_step_does_nothing():
    cluster = a_cluster(pods=0)
    assert cycle_step(cluster.pk) is None
    assert cycle_step_phase(cluster.pk) is None
    cluster.refresh_from_db()
    assert not Event.objects.filter(cluster=cluster, kind="CycleStarted").exists()


@pytest.mark.parametrize("locked", [True, False], ids=["one process", "like two processes"])
def test_two_people_stepping_get_two_pods_each_once(locked, monkeypatch):
    if not locked:
        for module in (commit, cycles):
            monkeypatch.setattr(module, "_turn", lambda cluster_id: nullcontext())
    cluster, stepped = a_cluster(nodes=3, pods=12, bound=0), []

    def person():
        for _ in range(6):
            stepped.append(cycle_step(cluster.pk).number)

    assert in_threads(person, person) == []
    assert sorted(stepped) == list(range(1, 13))
    assert [number for number, _ in finished(cluster)] == list(range(1, 13))
    assert len({pod for _, pod in finished(cluster)}) == 12
    assert Event.objects.filter(cluster=cluster, kind="CycleStarted").count() == 12
    assert differences(cluster.pk) == []


def test_a_process_killed_between_pop_and_finish_loses_nothing():
    cluster = a_cluster(nodes=2, pods=2, bound=0)
    status = run_python(
        "from scheduler import execution\n"
        "from scheduler.services import cycle_step\n"
        "execution.decide = lambda cycle, **_: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"cycle_step({cluster.pk})\n"
    )
    assert status == -signal.SIGKILL
    assert finished(cluster) == []
    assert Pod.objects.get(cluster=cluster, name="web-0").queue == "in_flight"
    assert [cycle_step(cluster.pk).pod, cycle_step(cluster.pk).pod] == ["default/web-0", "default/web-1"]
    assert finished(cluster) == [(1, "Pod/default/web-0"), (2, "Pod/default/web-1")]
    assert differences(cluster.pk) == []


def test_phases_are_shown_one_by_one_up_to_the_binding():
    cluster = a_cluster(nodes=3, pods=1, bound=0)
    shown = [cycle_step_phase(cluster.pk) for _ in range(10)]
    expected = ["Pop", "PreFilter", "Filter", "PreScore", "Map", "Reduce", "Sum", "Select", "Reserve", "Bind"]
    assert [stepped.phase for stepped in shown] == expected
    assert [stepped.decision is None for stepped in shown] == [True] * 9 + [False]
    assert shown[-1].decision.outcome == "bound"


def test_a_step_to_map_or_reduce_tells_who_did_it():
    cluster = a_cluster(nodes=3, pods=1, bound=0)
    kinds = {}
    while (stepped := cycle_step_phase(cluster.pk)).decision is None:
        report = execution.report_of(cluster.pk, stepped.number)
        kinds[stepped.phase] = {task["kind"] for task in report["tasks"]} if report else set()
    assert kinds["PreScore"] == set()
    assert kinds["Map"] == {"phase", "map"}
    assert kinds["Reduce"] == kinds["Sum"] == {"phase", "map", "reduce"}


def test_where_one_node_fits_the_scoring_phases_are_passed_over():
    cluster = a_cluster(nodes=1, pods=1, bound=0)
    shown = [cycle_step_phase(cluster.pk).phase for _ in range(6)]
    assert shown == ["Pop", "PreFilter", "Filter", "Select", "Reserve", "Bind"]


def test_where_no_node_fits_the_cycle_ends_after_filter():
    cluster = a_cluster(nodes=2, pods=0, bound=0, more=[a_pod("huge", cpu="99")])
    shown = [cycle_step_phase(cluster.pk) for _ in range(4)]
    assert [stepped.phase for stepped in shown] == ["Pop", "PreFilter", "Filter", "PostFilter"]
    assert shown[-1].decision.outcome == "unschedulable"


def test_a_step_finishes_the_cycle_that_somebody_left_open():
    cluster = a_cluster(nodes=3, pods=2, bound=0)
    cycle_step_phase(cluster.pk)
    cycle_step_phase(cluster.pk)
    assert cycle_step(cluster.pk).number == 1
    assert finished(cluster) == [(1, "Pod/default/web-0")]


def test_an_open_cycle_reads_the_state_of_its_pop():
    cluster = a_cluster(nodes=2, pods=1, bound=0)
    popped = execute(cluster.pk, PopPod()).last_seq
    object_delete(cluster.pk, "Node", "", "node-0")
    assert cycle_step(cluster.pk).decision.node_count == 2
    with store.reading(cluster.pk, popped) as then:
        assert len(list(then.objects("Node"))) == 2
