"""Objects come, change and go: what the queue makes of it, and what is refused."""

import pytest

from scheduler.engine.commands import ActivatePods, AddObject, ChangeProfile
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.framework import SUCCESS, unschedulable
from tests.engine.scenario import Scenario, a_node, a_pod, kinds, with_metadata

GATED = {"schedulingGates": [{"name": "quota"}]}


@pytest.fixture
def scenario() -> Scenario:
    scenario = Scenario()
    scenario.add(a_node("n1", cpu="2"))
    return scenario


def a_refused_pod(scenario: Scenario) -> None:
    scenario.add(a_pod("big", cpu="3"))
    scenario.schedule()
    assert scenario.place("big") == "unschedulable"


def test_a_pending_pod_is_queued_and_a_bound_one_is_counted(scenario):
    scenario.add(a_pod("waiting"), a_pod("bound", nodeName="n1"))
    assert scenario.place("waiting") == "active"
    assert scenario.place("bound") == ""
    assert [pod.pod.name for pod in scenario.simulation.cluster.pods_on("n1")] == ["bound"]


def test_pods_of_other_schedulers_and_finished_pods_are_only_stored(scenario):
    scenario.add(a_pod("theirs", schedulerName="other"), {**a_pod("done"), "status": {"phase": "Succeeded"}})
    assert scenario.place("theirs") == ""
    assert scenario.place("done") == ""
    assert scenario.pop() == ""


def test_what_another_scheduler_nominates_holds_no_room_here_and_wakes_nobody_when_it_goes(scenario):
    """kube-scheduler's handlers of waiting pods hear of its own pods alone."""
    theirs = {**a_pod("theirs", priority=9, schedulerName="other"), "status": {"nominatedNodeName": "n1"}}
    scenario.add(theirs)
    a_refused_pod(scenario)
    scenario.update(with_metadata(theirs, labels={"seen": "again"}))
    assert not scenario.simulation.nominated_pods()
    scenario.delete("Pod", "theirs")
    assert scenario.place("big") == "unschedulable"


def test_the_same_name_twice_is_refused_without_effect(scenario):
    before = scenario.simulation.seq
    with pytest.raises(Refused, match="Node n1 exists already"):
        scenario.add(a_node("n1"))
    assert scenario.simulation.seq == before


def test_what_does_not_exist_cannot_be_changed_deleted_or_activated(scenario):
    with pytest.raises(Refused, match="does not exist"):
        scenario.update(a_pod("ghost"))
    with pytest.raises(Refused, match="Pod default/ghost does not exist"):
        scenario.delete("Pod", "ghost")
    with pytest.raises(Refused, match="no pod default/ghost"):
        scenario.do(ActivatePods(("default/ghost",)))


def test_a_manifest_that_cannot_be_read_is_invalid(scenario):
    with pytest.raises(Invalid, match=r"spec\.priority"):
        scenario.do(AddObject("Pod", {"metadata": {"name": "x"}, "spec": {"priority": "high"}}))
    with pytest.raises(Invalid, match="a name is required"):
        scenario.do(AddObject("Node", {"metadata": {}}))


def test_a_bound_pod_stays_where_it_is(scenario):
    scenario.add(a_node("n2"), a_pod("web", nodeName="n1"))
    with pytest.raises(Refused, match="cannot be moved"):
        scenario.update(a_pod("web", nodeName="n2"))


@pytest.mark.parametrize(
    ("change", "target", "hint"),
    [
        pytest.param(lambda s: s.add(a_node("n2", cpu="4")), "backoff", "NodeResourcesFit", id="a node with room"),
        pytest.param(lambda s: s.add(a_node("n2", cpu="1")), "unschedulable", "", id="a node without room"),
        pytest.param(lambda s: s.update(a_node("n1", cpu="8")), "backoff", "NodeResourcesFit", id="a node grows"),
        pytest.param(lambda s: s.update(a_node("n1", cpu="1")), "unschedulable", "", id="a node shrinks"),
        pytest.param(
            lambda s: s.update(a_node("n1", cpu="2", taints=[{"key": "k", "effect": "NoSchedule"}])),
            "backoff",
            "NodeResourcesFit",
            id="any taint change (implicit registration)",
        ),
        pytest.param(
            lambda s: s.update(with_metadata(a_node("n1", cpu="2"), labels={"a": "b"})),
            "unschedulable",
            "",
            id="a label is nothing to it",
        ),
    ],
)
def test_a_refused_pod_wakes_only_for_what_may_help(scenario, change, target, hint):
    a_refused_pod(scenario)
    change(scenario)
    assert scenario.place("big") == target
    moves = [
        event.happening for event in scenario.log if event.kind == "PodMoved" and event.happening.pod == "default/big"
    ]
    assert moves[-1].hint == hint


def test_after_its_backoff_a_woken_pod_goes_to_activeq_at_once(scenario):
    a_refused_pod(scenario)
    scenario.to(10)
    scenario.add(a_node("n2", cpu="4"))
    assert scenario.place("big") == "active"


def test_a_deleted_pod_leaves_room_and_the_queue(scenario):
    scenario.add(a_pod("tenant", cpu="2", nodeName="n1"), a_pod("web"))
    scenario.schedule()
    scenario.delete("Pod", "tenant")
    assert scenario.place("web") == "backoff"
    assert kinds(scenario.delete("Pod", "web"))[:2] == ["PodUnqueued", "ObjectDeleted"]
    assert scenario.place("web") == ""


def test_a_gate_holds_a_pod_until_it_is_taken_away(scenario):
    scenario.add(a_pod("web", **GATED))
    assert scenario.place("web") == "gated"
    assert scenario.entry("web").gating_plugin == "SchedulingGates"
    scenario.update(a_pod("web"))
    assert scenario.place("web") == "active"
    assert scenario.entry("web").gating_plugin == ""


def test_one_of_two_gates_taken_away_is_not_enough(scenario):
    scenario.add(a_pod("web", schedulingGates=[{"name": "a"}, {"name": "b"}]))
    scenario.update(a_pod("web", schedulingGates=[{"name": "b"}]))
    assert scenario.place("web") == "gated"


def test_an_update_of_a_queued_pod_sorts_it_anew(scenario):
    scenario.add(a_pod("one", priority=5), a_pod("two"))
    scenario.update(a_pod("two", priority=9))
    assert scenario.lane("active") == ["two", "one"]


def test_a_pod_bound_or_finished_by_others_leaves_the_queue(scenario):
    scenario.add(a_pod("one"), a_pod("two"))
    scenario.update(a_pod("one", nodeName="n1"))
    scenario.update({**a_pod("two"), "status": {"phase": "Failed"}})
    assert scenario.lane("active") == []
    assert scenario.node_of("one") == "n1"


def test_a_finished_pod_gives_its_resources_back(scenario):
    scenario.add(a_pod("tenant", cpu="2", nodeName="n1"), a_pod("web"))
    scenario.schedule()
    scenario.update({**a_pod("tenant", cpu="2", nodeName="n1"), "status": {"phase": "Succeeded"}})
    assert scenario.place("web") == "backoff"
    assert scenario.schedule() == "n1"


def test_a_node_can_go_with_its_pods_still_there(scenario):
    scenario.add(a_pod("web", nodeName="n1"))
    scenario.delete("Node", "n1")
    assert scenario.node_of("web") == "n1"
    scenario.add(a_node("n1", cpu="2"))
    scenario.add(a_pod("big", cpu="2"))
    assert scenario.schedule() == ""


def test_objects_that_scheduling_does_not_read_are_kept(scenario):
    scenario.do(AddObject("ConfigMap", {"metadata": {"name": "settings", "namespace": "default"}, "data": {"a": "b"}}))
    assert [one.name for one in scenario.simulation.objects("ConfigMap")] == ["settings"]


def test_a_pod_that_turns_to_another_scheduler_leaves_the_queue(scenario):
    scenario.add(a_pod("web"))
    scenario.update(a_pod("web", schedulerName="other"))
    assert scenario.place("web") == ""
    scenario.update(a_pod("web"))
    assert scenario.place("web") == "active"


def test_of_many_alike_pods_each_is_woken_and_only_itself_by_its_own_change(scenario):
    scenario.add(*(a_pod(f"p{number}", cpu="3") for number in range(4)))
    for _ in range(4):
        assert scenario.schedule() == ""
    scenario.update(a_pod("p2", cpu="2500m"))
    assert [scenario.place(f"p{number}") for number in range(4)] == ["unschedulable"] * 2 + ["backoff", "unschedulable"]
    scenario.add(a_node("n2", cpu="4"))
    assert scenario.lane("unschedulable") == []


def test_alike_pods_get_different_answers_where_the_event_is_about_one_of_them(scenario):
    constraint = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}
    for name in ("first", "nominee", "last"):
        scenario.add({**a_pod(name, topologySpreadConstraints=[constraint]), "status": {"nominatedNodeName": "n1"}})
        scenario.fail("PodTopologySpread")
    scenario.update(a_pod("nominee", topologySpreadConstraints=[constraint]))
    assert scenario.lane("backoff") == ["nominee"]
    assert scenario.lane("unschedulable") == ["first", "last"]


def test_the_gate_that_held_a_pod_is_asked_first_again(scenario):
    shut = {"B"}

    def gate(name):
        return name, lambda pod: unschedulable("shut") if name in shut else SUCCESS

    scenario.simulation.control.gates = {"default-scheduler": [gate("A"), gate("B")]}
    scenario.add(a_pod("web"))
    shut.add("A")
    scenario.do(ActivatePods(("default/web",)))
    assert scenario.entry("web").gating_plugin == "B"
    shut.remove("B")
    scenario.do(ActivatePods(("default/web",)))
    assert scenario.entry("web").gating_plugin == "A"


def test_pods_keep_waiting_when_the_order_of_backoff_changes(scenario):
    for name in ("a", "b", "c"):
        scenario.add(a_pod(name))
        scenario.pop()
        scenario.add(a_node(f"for-{name}"))
        scenario.finish(unschedulable_plugins=("NodeResourcesFit",))
    scenario.do(ChangeProfile({}, {"pop_from_backoff": False}))
    assert sorted(scenario.lane("backoff")) == ["a", "b", "c"]
    scenario.to(5)
    assert scenario.lane("backoff") == []


def test_a_finished_pod_that_pends_again_is_queued(scenario):
    scenario.add({**a_pod("web"), "status": {"phase": "Failed"}})
    scenario.update(a_pod("web"))
    assert scenario.place("web") == "active"


def test_volumes_wake_pods_that_wait_for_them(scenario):
    claim = {"kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "default"}, "spec": {}}
    other = {**claim, "metadata": {"name": "other", "namespace": "default"}}
    scenario.add(a_pod("web", volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]))
    scenario.fail("VolumeBinding")
    scenario.add(other)
    assert scenario.place("web") == "unschedulable"
    scenario.add(claim)
    assert scenario.place("web") == "backoff"
    scenario.fail("VolumeBinding")
    scenario.update({**claim, "spec": {"volumeName": "pv"}})
    assert scenario.place("web") == "backoff"
    scenario.fail("VolumeBinding")
    scenario.delete("PersistentVolumeClaim", "data")
    assert scenario.place("web") == "unschedulable"


def test_default_spread_constraints_of_a_profile_count_for_its_pods():
    spread = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
    arguments = {"defaultingType": "List", "defaultConstraints": [spread]}
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"pluginConfig": [{"name": "PodTopologySpread", "args": arguments}]}],
    }
    scenario = Scenario(configuration=configuration)
    service = {"kind": "Service", "metadata": {"name": "s", "namespace": "default"}, "spec": {"selector": {"app": "a"}}}
    scenario.add(service, with_metadata(a_pod("served"), labels={"app": "a"}), a_pod("alone"))
    scenario.fail("PodTopologySpread")
    scenario.fail("PodTopologySpread")
    scenario.add(with_metadata(a_pod("bound", nodeName="n1"), labels={"app": "a"}))
    assert (scenario.place("served"), scenario.place("alone")) == ("backoff", "unschedulable")


def test_the_queue_counts_and_lists_its_lanes(scenario):
    scenario.add(a_pod("one", priority=1), a_pod("two"), a_pod("held", **GATED))
    scenario.pop()
    assert scenario.simulation.queue.counts() == {
        "active": 1,
        "backoff": 0,
        "error_backoff": 0,
        "unschedulable": 0,
        "gated": 1,
        "in_flight": 1,
    }
    assert [scenario.lane(lane) for lane in ("in_flight", "active", "gated")] == [["one"], ["two"], ["held"]]


def test_an_update_of_a_waiting_pod_changes_its_queue_entry(scenario):
    scenario.add(a_pod("web"))
    scenario.simulation.take_changes()
    scenario.update(a_pod("web", priority=9))
    assert scenario.simulation.take_changes().pods == {"default/web"}
    scenario.delete("Pod", "web")
    assert scenario.simulation.take_changes().pods == {"default/web"}


def test_changing_profiles_queues_pods_that_are_ours_now_and_lets_others_go(scenario):
    scenario.add(a_pod("ours"), a_pod("theirs", schedulerName="other"))
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "other"}],
        "podMaxBackoffSeconds": 20,
    }
    scenario.do(ChangeProfile(configuration, {"cycle_us": 5_000}))
    assert scenario.lane("active") == ["theirs"]
    assert scenario.simulation.settings.cycle_us == 5_000
    assert scenario.simulation.queue.backoff.max_us == 20_000_000


@pytest.mark.parametrize(
    ("configuration", "settings"),
    [({"kind": "Nonsense"}, None), ({}, {"cycle_us": "long"}), ({}, {"no_such_setting": 1})],
)
def test_a_profile_or_setting_that_cannot_be_read_changes_nothing(scenario, configuration, settings):
    before = scenario.simulation.seq
    with pytest.raises(Invalid):
        scenario.do(ChangeProfile(configuration, settings))
    assert scenario.simulation.seq == before


def test_the_clock_never_goes_back(scenario):
    scenario.to(5)
    with pytest.raises(Refused, match="cannot go back"):
        scenario.to(4)


def test_changes_name_whose_rows_must_be_written_anew(scenario):
    scenario.simulation.take_changes()
    scenario.add(a_pod("web"))
    scenario.schedule()
    changes = scenario.simulation.take_changes()
    assert changes.objects == {("Pod", "default", "web")}
    assert changes.pods == {"default/web"}
    assert changes.nodes == {"n1"}
    assert not scenario.simulation.take_changes()


def test_changes_keep_namespaces_apart(scenario):
    scenario.add(with_metadata(a_pod("web", cpu="1"), namespace="shop"))
    scenario.simulation.take_changes()
    scenario.pop()
    scenario.finish(unschedulable_plugins=("NodeResourcesFit",), nominated_node="n1")
    assert scenario.simulation.take_changes().objects == {("Pod", "shop", "web")}
    scenario.delete("Node", "n1")
    scenario.add(a_node("n1"))
    scenario.simulation.take_changes()
    assert scenario.schedule() == "n1"
    assert scenario.simulation.take_changes().objects == {("Pod", "shop", "web")}


def test_a_pending_pod_may_come_nominated_unless_it_is_gated(scenario):
    nominated = {"status": {"nominatedNodeName": "n1"}}
    scenario.add({**a_pod("held", **GATED), **nominated}, {**a_pod("web"), **nominated})
    assert [pod.name for pod in scenario.simulation.nominated_pods()["n1"]] == ["web"]
