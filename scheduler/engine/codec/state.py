"""A whole simulation as plain data, and back: all that the fold holds."""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler.engine.codec import cluster as codec_cluster
from scheduler.engine.codec.cluster import ClusterData
from scheduler.engine.controllers.owners import Owners
from scheduler.engine.controllers.work import Work
from scheduler.engine.events import kind_of, plain
from scheduler.engine.hints.event import ClusterEvent
from scheduler.engine.objects import ObjectKey, Pod, decode
from scheduler.engine.profile import Profiles
from scheduler.engine.queue.entry import GATED, IN_FLIGHT, UNSCHEDULABLE, Entry, QueuedPod
from scheduler.engine.queue.in_flight import Change
from scheduler.engine.queue.nominator import uid_of
from scheduler.engine.scenario import ScenarioStep
from scheduler.engine.simulation.parts import OpenCycle
from scheduler.engine.simulation.settings import Settings
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.simulation.tally import Tally, TallyData

CHECKPOINT_FORMAT = 4


class QueuedData(msgspec.Struct, array_like=True):
    key: str
    entry: Entry


class ChangeData(msgspec.Struct, array_like=True):
    """`marker`: uid of a popped pod; otherwise an event with its objects."""

    marker: str = ""
    event: ClusterEvent | None = None
    old_kind: str = ""
    old: dict[str, Any] | None = None
    new_kind: str = ""
    new: dict[str, Any] | None = None


class QueueData(msgspec.Struct, array_like=True):
    """`places`: of a heap the array as it lies, else pods in order of arrival. `flying`: pods as they were popped."""

    places: dict[str, list[QueuedData]]
    flying: list[tuple[Pod, Entry]]
    log: list[ChangeData]
    nominations: list[tuple[str, str, str]]
    scheduling_cycle: int
    move_request_cycle: int


class OpenCycleData(msgspec.Struct, array_like=True):
    """`cluster`: None while nothing changed since the Pop, else what it was then."""

    number: int
    pod: Pod
    attempt: int
    source: str
    popped_seq: int
    popped_us: int
    phase: str
    start_index: int
    nominated: dict[str, list[Pod]]
    configuration: dict[str, Any]
    cluster: ClusterData | None


class WorkData(msgspec.Struct, array_like=True):
    """What controllers are to look at and when, which pods become ready and when, and failures in a row."""

    reconciles: list[tuple[ObjectKey, int]] = []
    readying: list[tuple[str, int]] = []
    failures: list[tuple[ObjectKey, int]] = []


class Checkpoint(msgspec.Struct, array_like=True):
    """`scenario`: the steps to come by their numbers, of `planned` ones so far."""

    format: int
    seq: int
    now_us: int
    recorded_us: int
    name: str
    seed: int
    start_us: int
    configuration: dict[str, Any]
    settings: Settings
    last_cycle: int
    start_index: int
    messages: dict[str, str]
    departures: dict[str, int]
    scenario: list[tuple[int, ScenarioStep]]
    planned: int
    cluster: ClusterData
    queue: QueueData
    open_cycle: OpenCycleData | None
    tally: TallyData
    work: WorkData


def take(state: Simulation) -> Checkpoint:
    """All that a simulation remembers, as plain data that shares its objects: encode it before the state goes on."""
    return Checkpoint(
        format=CHECKPOINT_FORMAT,
        seq=state.seq,
        now_us=state.now_us,
        recorded_us=state.recorded_us,
        name=state.name,
        seed=state.seed,
        start_us=state.start_us,
        configuration=state.configuration,
        settings=state.settings,
        last_cycle=state.last_cycle,
        start_index=state.start_index,
        messages=state.messages,
        departures=state.departures.dump(),
        scenario=state.agenda.steps(),
        planned=state.agenda.planned,
        cluster=codec_cluster.take(state.cluster),
        queue=_take_queue(state),
        open_cycle=None if state.open_cycle is None else _take_cycle(state, state.open_cycle),
        tally=state.tally.dump(),
        work=_take_work(state.work),
    )


def restore(data: Checkpoint) -> Simulation:
    """The inverse of `take`. Raises ValueError for another format."""
    if data.format != CHECKPOINT_FORMAT:
        raise ValueError(f"checkpoint format {data.format} is not {CHECKPOINT_FORMAT}")
    state = Simulation()
    state.seq, state.clock.now_us, state.recorded_us = data.seq, data.now_us, data.recorded_us
    state.name, state.seed, state.start_us = data.name, data.seed, data.start_us
    state.last_cycle, state.start_index = data.last_cycle, data.start_index
    state.messages, state.tally = data.messages, Tally.load(data.tally)
    for key, at_us in data.departures.items():
        state.departures.add(key, at_us)
    for number, step in data.scenario:
        state.agenda.add(step, number)
    state.agenda.planned = data.planned
    state.configure(data.configuration, msgspec.to_builtins(data.settings))
    state.cluster = codec_cluster.restore(data.cluster)
    _restore_queue(state, data.queue)
    _restore_work(state, data.work)
    if data.open_cycle is not None:
        state.open_cycle = _restore_cycle(state, data.open_cycle)
    state.take_changes()
    return state


def _take_work(work: Work) -> WorkData:
    return WorkData(work.reconciles.dump(), work.readying.dump(), list(work.failures.items()))


def _restore_work(state: Simulation, data: WorkData) -> None:
    """Controllers have found nothing in the empty cluster that was configured: they look at the restored one."""
    state.owners = Owners(state.cluster.objects) if state.settings.controllers else None
    state.work.reconciles.load(data.reconciles)
    state.work.readying.load(data.readying)
    state.work.failures = dict(data.failures)


# --- the queues -------------------------------------------------------------------------------------------------------


def _take_queue(state: Simulation) -> QueueData:
    queue = state.queue
    waiting: dict[str, list[QueuedPod]] = {place: list(heap) for place, heap in queue.heaps().items()}
    waiting |= {place: list(queue.unschedulable.in_place(place)) for place in (UNSCHEDULABLE, GATED)}
    return QueueData(
        places={place: [QueuedData(one.key, one.entry) for one in pods] for place, pods in waiting.items()},
        flying=[(one.pod, one.entry) for one in queue.in_flight.pods.values()],
        log=[_take_change(item) for item in queue.in_flight.dump()],
        nominations=queue.nominator.dump(),
        scheduling_cycle=queue.scheduling_cycle,
        move_request_cycle=queue.move_request_cycle,
    )


def _restore_queue(state: Simulation, data: QueueData) -> None:
    queue, pods = state.queue, state.pods
    heaps = queue.heaps()
    for place, entries in data.places.items():
        restored = [queue.restore(pods[one.key], one.entry, place) for one in entries]
        if place in heaps:
            heaps[place].load(restored)
    flying = {uid_of(pod): QueuedPod(pod, entry, IN_FLIGHT) for pod, entry in data.flying}
    queue.in_flight.load(flying, [_restore_change(one) for one in data.log])
    queue.nominator.load(data.nominations, pods)
    queue.scheduling_cycle, queue.move_request_cycle = data.scheduling_cycle, data.move_request_cycle


def _take_change(item: str | Change) -> ChangeData:
    if isinstance(item, str):
        return ChangeData(item)
    return ChangeData("", item.event, kind_of(item.old), plain(item.old), kind_of(item.new), plain(item.new))


def _restore_change(data: ChangeData) -> str | Change:
    if data.event is None:
        return data.marker
    old = None if data.old is None else decode(data.old_kind, data.old)
    new = None if data.new is None else decode(data.new_kind, data.new)
    return Change(data.event, old, new)


# --- the open cycle ---------------------------------------------------------------------------------------------------


def _take_cycle(state: Simulation, opened: OpenCycle) -> OpenCycleData:
    is_current = codec_cluster.is_current(state.cluster, opened.snapshot)
    return OpenCycleData(
        number=opened.number,
        pod=opened.pod,
        attempt=opened.attempt,
        source=opened.source,
        popped_seq=opened.popped_seq,
        popped_us=opened.popped_us,
        phase=opened.phase,
        start_index=opened.start_index,
        nominated={node: list(pods) for node, pods in opened.nominated.items()},
        configuration=opened.configuration,
        cluster=None if is_current else codec_cluster.take_snapshot(opened.snapshot),
    )


def _restore_cycle(state: Simulation, data: OpenCycleData) -> OpenCycle:
    cluster = state.cluster if data.cluster is None else codec_cluster.restore(data.cluster)
    same = data.configuration == state.configuration
    profiles = state.profiles if same else Profiles.recorded(data.configuration)
    return OpenCycle(
        number=data.number,
        pod=data.pod,
        attempt=data.attempt,
        source=data.source,
        popped_seq=data.popped_seq,
        popped_us=data.popped_us,
        profile=profiles.get(data.pod.spec.scheduler_name) or profiles.first,
        configuration=data.configuration,
        snapshot=codec_cluster.snapshot_of(cluster),
        nominated=data.nominated,
        start_index=data.start_index,
        phase=data.phase,
    )
