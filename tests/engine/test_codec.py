"""Events as rows and states as checkpoints: nothing is lost, and a restored state goes on as the original does."""

import zlib
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings

from scheduler.engine import events
from scheduler.engine.codec import codec
from scheduler.engine.codec import state as codec_state
from scheduler.engine.commands import AddObject, PopPod, Schedule
from scheduler.engine.events import Event
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.random_commands import lived, scripts
from tests.engine.scenario import Scenario, a_node, a_pod, with_metadata


def as_stored(event: Event) -> Event:
    """Through the row, and through JSON as the database keeps it."""
    row = codec.event_to_row(event)
    payload = msgspec.json.decode(msgspec.json.encode(row["payload"]))
    return codec.event_from_row(row["seq"], row["at_us"], row["version"], row["kind"], payload)


def a_lively_scenario() -> Scenario:
    scenario = Scenario()
    zoned = with_metadata(a_node("n2", cpu="2"), labels={"topology.kubernetes.io/zone": "a"})
    scenario.add(a_node("n1", cpu="2"), zoned, a_pod("bound", nodeName="n1"))
    scenario.add(a_pod("big", cpu="8"), a_pod("gated", schedulingGates=[{"name": "g"}]), a_pod("web"))
    scenario.add(with_metadata(a_pod("job"), annotations={"podium.dev/duration": "5m"}))
    scenario.do(AddObject("ConfigMap", {"metadata": {"name": "c", "namespace": "default"}}))
    for _ in range(3):
        scenario.schedule()
    scenario.add(a_node("n3", cpu="16"))
    scenario.do(PopPod())
    scenario.delete("Node", "n2")
    scenario.add(a_node("n4"))
    return scenario


def test_every_event_comes_back_as_it_was():
    scenario = a_lively_scenario()
    assert [as_stored(event) for event in scenario.log] == scenario.log


def test_the_payload_as_text_is_the_payload_of_the_row():
    quiet = [Event(1, 0, happening) for happening in (events.ObjectDeleted("Pod", "default", "web"), *_bare())]
    for event in [*a_lively_scenario().log, *quiet]:
        expected = msgspec.json.encode(codec.event_to_row(event)["payload"]).decode()
        assert codec.payload_text(event) == expected


def _bare():
    """Happenings that say nothing but their kind."""
    return [one() for one in get_args(events.Happening) if not one.__struct_fields__]


@pytest.mark.parametrize(
    ("happening", "key", "cycle"),
    [
        (events.ObjectAdded("Node", {"metadata": {"name": "n1"}}), "Node//n1", None),
        (events.ObjectAdded("Pod", {"metadata": {"name": "a"}}), "Pod/default/a", None),
        (events.ObjectDeleted("Service", "shop", "web"), "Service/shop/web", None),
        (events.PodUnqueued("shop/a", "active"), "Pod/shop/a", None),
        (events.CycleStarted(7, "shop/a", 1, "active"), "Pod/shop/a", 7),
        (events.PhaseReached(7, "Filter"), "", 7),
        (events.ClockAdvanced(), "", None),
    ],
)
def test_a_row_says_what_the_event_is_about(happening, key, cycle):
    row = codec.event_to_row(Event(1, 0, happening))
    assert (row["object_key"], row["cycle"]) == (key, cycle)
    assert "kind" not in row["payload"]


@pytest.mark.parametrize(("version", "kind"), [(1, "PodTeleported"), (2, "PodMoved")])
def test_an_unknown_kind_or_version_is_an_error(version, kind):
    with pytest.raises(ValueError, match="not known here"):
        codec.event_from_row(3, 0, version, kind, {})


def test_folding_the_log_gives_the_state_that_lived_it():
    scenario = a_lively_scenario()
    folded = Simulation()
    for event in scenario.log:
        folded.apply(as_stored(event))
    assert codec.encode_checkpoint(folded) == codec.encode_checkpoint(scenario.simulation)


def test_an_event_out_of_turn_is_refused():
    scenario = a_lively_scenario()
    with pytest.raises(ValueError, match="cannot follow"):
        Simulation().apply(scenario.log[1])


def test_a_restored_state_goes_on_as_the_original():
    scenario = a_lively_scenario()
    restored = codec.decode_checkpoint(codec.encode_checkpoint(scenario.simulation))
    restored.validate()
    for command in [Schedule()] * 8:
        assert restored.handle(command) == scenario.do(command)
    assert codec.encode_checkpoint(restored) == codec.encode_checkpoint(scenario.simulation)


def test_a_restored_open_cycle_reads_the_cluster_of_its_pop():
    scenario = a_lively_scenario()
    restored = codec.decode_checkpoint(codec.encode_checkpoint(scenario.simulation))
    assert restored.cycle_for_open().run() == scenario.simulation.cycle_for_open().run()
    assert restored.open_cycle.snapshot.names == scenario.simulation.open_cycle.snapshot.names


def test_images_ports_and_nominations_survive_a_checkpoint():
    """A second node gets an image between two snapshots: the first keeps its stale count, restored or not."""
    image = {"names": ["app:1"], "sizeBytes": 500 * 2**20}
    port = {"containers": [{"name": "c", "image": "app:1", "ports": [{"containerPort": 80, "hostPort": 80}]}]}
    scenario = Scenario()
    for name in ("n1", "n2", "n3"):
        scenario.add({**a_node(name), "status": {**a_node(name)["status"], "images": [image] if name != "n2" else []}})
    scenario.add(a_pod("holder", nodeName="n1", **port), a_pod("first"))
    scenario.schedule()
    scenario.update({**a_node("n2"), "status": {**a_node("n2")["status"], "images": [image]}})
    scenario.add(a_pod("vip", priority=9, **port), a_pod("next"))
    scenario.pop()
    scenario.finish(unschedulable_plugins=("NodePorts",), nominated_node="n2", victims=("default/first",))
    restored = codec.decode_checkpoint(codec.encode_checkpoint(scenario.simulation))
    restored.validate()
    assert restored.nominated_pods() == scenario.simulation.nominated_pods()
    for _ in range(3):
        assert restored.handle(Schedule()) == scenario.do(Schedule())
    assert codec.encode_checkpoint(restored) == codec.encode_checkpoint(scenario.simulation)


def test_a_checkpoint_of_another_format_is_an_error():
    checkpoint = codec_state.take(Scenario().simulation)
    checkpoint.format += 1
    with pytest.raises(ValueError, match="format"):
        codec.decode_checkpoint(zlib.compress(msgspec.msgpack.encode(checkpoint)))


def test_what_happened_in_flight_survives_a_checkpoint():
    scenario = Scenario()
    scenario.add(a_node("n1", cpu="1"), a_pod("big", cpu="3"))
    scenario.pop()
    scenario.add(a_node("n2", cpu="4"))
    scenario.update(a_pod("big", cpu="3", tolerations=[{"operator": "Exists"}]))
    restored = codec.decode_checkpoint(codec.encode_checkpoint(scenario.simulation))
    assert restored.queue.in_flight.changes == scenario.simulation.queue.in_flight.changes
    restored.handle(Schedule())
    assert restored.queued("default/big").place == "backoff"


@pytest.mark.parametrize("blob", [b"", b"nonsense", codec.encode_checkpoint(Scenario().simulation)[:-9]])
def test_what_is_no_checkpoint_is_an_error(blob):
    with pytest.raises(ValueError, match="not a checkpoint"):
        codec.decode_checkpoint(blob)


def test_undo_brings_a_state_back_and_counts_on():
    scenario = a_lively_scenario()
    before = codec.encode_checkpoint(scenario.simulation)
    earlier = codec.decode_checkpoint(before)
    scenario.do(Schedule())
    scenario.add(a_node("n5"))
    head, cycles = scenario.simulation.seq, scenario.simulation.last_cycle
    (event,) = scenario.simulation.reset(earlier)
    assert (event.seq, event.happening.to_seq) == (head + 1, codec.decode_checkpoint(before).seq)
    assert scenario.simulation.pod("default/big").node_name == ""
    assert scenario.simulation.open_cycle is not None
    scenario.add(a_pod("another"))
    scenario.do(Schedule())
    assert scenario.pop() == "another"
    assert scenario.simulation.last_cycle == cycles + 1
    scenario.simulation.validate()


def test_an_undo_folds_from_the_state_it_goes_back_to():
    scenario = a_lively_scenario()
    blob = codec.encode_checkpoint(scenario.simulation)
    scenario.do(Schedule())
    (event,) = scenario.simulation.reset(codec.decode_checkpoint(blob))
    folded = codec.decode_checkpoint(blob)
    folded.apply(as_stored(event))
    assert codec.encode_checkpoint(folded) == codec.encode_checkpoint(scenario.simulation)


@settings(max_examples=40, deadline=None)
@given(scripts())
def test_whatever_happens_a_checkpoint_changes_nothing(script):
    """Live one life; live the same with a restart from a checkpoint after every command."""
    straight = lived(script)
    restarted = lived(script, restart=lambda one: codec.decode_checkpoint(codec.encode_checkpoint(one)))
    assert codec.encode_log(restarted) == codec.encode_log(straight)
