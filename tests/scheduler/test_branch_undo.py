"""Branches share a past and go their own way; undo takes back the last thing that happened, and says which."""

import pytest

from scheduler import store
from scheduler.engine.codec import codec
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.simulation.settings import Settings
from scheduler.models import Cluster, Event, Pod
from scheduler.services import (
    clock_advance,
    cluster_branch,
    cycle_step,
    cycle_step_phase,
    event_step,
    object_create,
    object_delete,
    objects_apply,
    run_start,
    undo,
    undoable,
)
from scheduler.services.projection import differences
from tests.engine.workload_world import a_united_deployment
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db(transaction=True)


def log(cluster: Cluster, upto: int) -> list[tuple]:
    rows = Event.objects.filter(cluster=cluster, seq__lte=upto).order_by("seq")
    return list(rows.values_list("seq", "at_us", "kind", "payload", "object_key", "cycle", "outcome", "actor"))


def state(cluster: Cluster, seq: int | None = None) -> dict:
    with store.reading(cluster.pk, seq) as simulation:
        nodes = {key: pod.node_name for key, pod in simulation.pods.items()}
        return {"pods": nodes, "queue": simulation.queue.counts(), "now": simulation.now_us}


def test_a_branch_has_the_log_and_the_tables_of_its_event():
    cluster = a_cluster(pods=4)
    seq = cycle_step(cluster.pk).committed.last_seq
    cycle_step(cluster.pk)
    branch = cluster_branch(cluster.pk, seq, actor="ada")
    assert (branch.name, branch.seq) == (f"{cluster.name}-at-{seq}", seq)
    assert branch.description == f"Branch of {cluster.name} at event {seq}, by ada"
    assert log(branch, seq) == log(cluster, seq)
    assert state(branch) == state(cluster, seq)
    assert differences(branch.pk) == []


def test_a_branch_decides_as_its_origin_would_have():
    cluster = a_cluster(pods=5)
    branch = cluster_branch(cluster.pk)
    for _ in range(5):
        cycle_step(cluster.pk), cycle_step(branch.pk)
    assert state(branch) == state(cluster)


def test_what_happens_in_a_branch_stays_there():
    cluster = a_cluster(pods=1, bound=0)
    before = state(cluster)
    branch = cluster_branch(cluster.pk)
    object_delete(branch.pk, "Pod", "default", "web-0")
    assert (state(cluster), state(branch)["pods"]) == (before, {})


def test_a_branch_in_the_middle_of_a_cycle_goes_on_with_it():
    cluster = a_cluster(pods=2)
    cycle_step_phase(cluster.pk)
    branch = cluster_branch(cluster.pk)
    assert cycle_step(branch.pk).number == 1


def test_names_of_branches_are_free_and_short_enough():
    cluster = a_cluster(name="c" * 63)
    first, second = cluster_branch(cluster.pk), cluster_branch(cluster.pk)
    assert len(second.name) <= 63
    assert second.name == f"{first.name}-2"
    with pytest.raises(Refused, match="already"):
        cluster_branch(cluster.pk, name=first.name)
    with pytest.raises(Invalid):
        cluster_branch(cluster.pk, name="No Name")
    with pytest.raises(Refused, match="has no event"):
        cluster_branch(cluster.pk, cluster.seq + 1)


@pytest.mark.parametrize(
    ("act", "text"),
    [
        (lambda pk: cycle_step(pk), "cycle 1: default/web-0 placed on"),
        (lambda pk: cycle_step_phase(pk), "the Pop of default/web-0 (cycle 1)"),
        (lambda pk: (cycle_step_phase(pk), cycle_step_phase(pk)), "phase PreFilter of cycle 1"),
        (lambda pk: object_create(pk, a_pod("late"), actor="ada"), "Pod default/late added by ada"),
        (lambda pk: objects_apply(pk, [a_node("node-0", cpu="8")]), "Node node-0 changed"),
        (lambda pk: object_delete(pk, "Node", "", "node-0"), "Node node-0 deleted"),
        (lambda pk: clock_advance(pk, a_cluster(name="x").start_us + 10_000_000), "the moving of the clock"),
    ],
)
def test_undo_takes_back_the_last_action_and_says_which(act, text):
    cluster = a_cluster(pods=2)
    before, head = state(cluster), cluster.seq
    act(cluster.pk)
    assert undoable(cluster.pk).text.startswith(text)
    found, _ = undo(cluster.pk, actor="ada")
    assert found.text.startswith(text)
    if "phase" not in text:
        assert (found.to_seq, state(cluster)) == (head, before)
    assert differences(cluster.pk) == []


def test_undo_goes_further_back_each_time_and_ends_at_the_beginning():
    cluster = a_cluster(pods=3)
    states = [state(cluster)]
    for _ in range(3):
        cycle_step(cluster.pk)
        states.append(state(cluster))
    for earlier in states[-2::-1]:
        undo(cluster.pk)
        assert state(cluster) == earlier
    with pytest.raises(Refused, match="nothing to undo"):
        undo(cluster.pk)


def test_an_undone_pod_is_there_again():
    cluster = a_cluster(pods=1)
    object_delete(cluster.pk, "Pod", "default", "web-0")
    undo(cluster.pk)
    assert Pod.objects.filter(cluster=cluster, name="web-0").exists()


def test_undo_of_what_somebody_else_did_meanwhile_is_refused():
    cluster = a_cluster(pods=1)
    cycle_step(cluster.pk)
    seen = undoable(cluster.pk).head
    object_create(cluster.pk, a_pod("late"))
    with pytest.raises(Refused, match="meanwhile"):
        undo(cluster.pk, head=seen)


def test_a_running_cluster_is_not_undone():
    cluster = a_cluster(pods=1)
    cycle_step(cluster.pk)
    run_start(cluster.pk)
    with pytest.raises(Refused, match="Pause"):
        undo(cluster.pk)


def test_a_step_of_one_event_pops_finishes_and_waits_for_timers():
    cluster = a_cluster(pods=1, more=[a_pod("huge", cpu="64")])
    kinds = []
    while events := event_step(cluster.pk).events:
        kinds.append(events[0].kind)
        if len(kinds) == 6:
            break
    assert kinds[:5] == ["CycleStarted", "CycleFinished", "CycleStarted", "CycleFinished", "PodMoved"]


def test_two_people_step_and_each_gets_a_cycle_of_their_own():
    from concurrent.futures import ThreadPoolExecutor

    from django.db import connection

    cluster = a_cluster(pods=8)

    def step(_: int) -> int:
        try:
            return cycle_step(cluster.pk).number
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as people:
        numbers = sorted(people.map(step, range(8)))
    assert numbers == list(range(1, 9))
    started = Event.objects.filter(cluster=cluster, kind="CycleStarted").order_by("seq").values_list("cycle", flat=True)
    assert list(started) == numbers
    with store.reading(cluster.pk) as simulation:
        simulation.validate()


def test_the_same_commands_make_the_same_log_in_the_database():
    logs = []
    for name in ("one", "two"):
        cluster = a_cluster(pods=4, name=name)
        cycle_step(cluster.pk), event_step(cluster.pk), event_step(cluster.pk)
        undo(cluster.pk)
        cycle_step(cluster.pk)
        events = list(store.events_between(cluster.pk, 1, Cluster.objects.get(pk=cluster.pk).seq))
        logs.append(codec.encode_log(events))
    assert logs[0] == logs[1]


@pytest.mark.parametrize("kind", ["cloneSet", "statefulSet"])
def test_a_reconcile_is_taken_back_as_one_action(kind):
    """With everything that it made; then the object itself."""
    cluster = a_cluster(nodes=3, pods=0, bound=0, settings=Settings(controllers=True))
    added = object_create(cluster.pk, a_united_deployment(2, kind=kind), actor="ada").last_seq
    clock_advance(cluster.pk, actor="ada")
    assert Event.objects.filter(cluster=cluster, seq__gt=added).count() > 4
    assert undo(cluster.pk)[0].text == "the reconcile of UnitedDeployment default/ud"
    assert undo(cluster.pk)[0].text == "UnitedDeployment default/ud added by ada"
    assert differences(cluster.pk) == []


def test_what_a_person_does_at_the_moment_of_a_reconcile_is_an_action_of_its_own():
    cluster = a_cluster(nodes=3, pods=0, bound=0, settings=Settings(controllers=True))
    object_create(cluster.pk, a_united_deployment(2))
    clock_advance(cluster.pk)
    object_create(cluster.pk, a_pod("alone"), actor="ada")
    assert undo(cluster.pk)[0].text == "Pod default/alone added by ada"


def test_a_pod_that_became_ready_is_an_action_of_its_own():
    cluster = a_cluster(nodes=3, pods=0, bound=0, settings=Settings(controllers=True, ready_us=50_000))
    object_create(cluster.pk, a_united_deployment(1, ("a",)))
    clock_advance(cluster.pk), clock_advance(cluster.pk)
    pod = cycle_step(cluster.pk).pod
    clock_advance(cluster.pk)
    assert undo(cluster.pk)[0].text == f"Pod {pod} ready"
    assert undo(cluster.pk)[0].text.startswith("cycle 1")
