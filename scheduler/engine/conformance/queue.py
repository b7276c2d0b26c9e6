"""Scripts of queue operations on a real Simulation, its queue printed after each the way the vectors do.

A vector may have several pods in flight and flushes by hand, which commands do not offer; those few operations emit
their events themselves.
"""

from __future__ import annotations

from typing import Any

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.commands import ActivatePods, AddObject, DeleteObject, UpdateObject
from scheduler.engine.events import CycleFinished, CycleStarted, ObjectAdded
from scheduler.engine.hints.changes import node_changes, pod_changes
from scheduler.engine.hints.event import ACTIONS, ASSIGNED_POD_ADD, RESOURCES, ClusterEvent, event_of
from scheduler.engine.objects import Node, Pod, decode
from scheduler.engine.queue.entry import ACTIVE, BACKOFF, ERROR_BACKOFF, QueuedPod
from scheduler.engine.queue.nominator import uid_of
from scheduler.engine.simulation.parts import OpenCycle
from scheduler.engine.simulation.settings import Settings
from scheduler.engine.simulation.simulation import Simulation

START_US = 1_735_689_600_000_000
_KIND_OF = {resource: kind for kind, resource in RESOURCES.items()} | {"Node": "Node", "AssignedPod": "Pod"}
_FIRES_AT_START = ("PersistentVolumeClaim", "ResourceClaim", "ResourceSlice", "DeviceClass")


Manifest = dict[str, Any]


def run_queue_vector(vector: Manifest) -> Manifest:
    """What this engine says to a `queue` vector, in the shape of its `expected`."""
    script = Script(vector)
    return {"steps": [script.step(operation) for operation in vector["ops"]]}


class Script:
    def __init__(self, vector: Manifest) -> None:
        settings = Settings(backoff_flush_us=0, leftover_flush_us=0)
        self.simulation, _ = Simulation.create("vector", 1, START_US, vector["config"], settings)
        self.context = Context.of(vector["objects"])
        self.opened: dict[str, OpenCycle] = {}
        for manifest in vector["objects"]:
            self.start_with(manifest)

    def start_with(self, manifest: Manifest) -> None:
        kind = manifest["kind"]
        admitted = admit(kind, manifest, self.context)
        if kind in _FIRES_AT_START:
            self.simulation.handle(AddObject(kind, admitted))
        else:
            self.simulation.emit(ObjectAdded(kind, admitted))

    def step(self, operation: Manifest) -> Manifest:
        result: Manifest | None = getattr(self, f"do_{operation['op']}")(operation)
        step = {"op": operation["op"], "now_ms": _ms(self.simulation.now_us)}
        answered = step if result is None else step | {"result": result}
        return answered if operation["op"] == "advance" else answered | self.state()

    # --- operations ---------------------------------------------------------------------------------------------------

    def do_advance(self, operation: Manifest) -> None:
        self.simulation.clock.now_us += operation["ms"] * 1000

    def do_add(self, operation: Manifest) -> None:
        self.simulation.handle(AddObject("Pod", admit("Pod", operation["pod"], self.context)))

    do_assigned_pod_added = do_add

    def do_pop(self, operation: Manifest) -> Manifest | None:
        state = self.simulation
        head = state.queue.head()
        if head is None:
            return {"popped": None}
        state.emit(CycleStarted(state.last_cycle + 1, head.key, head.entry.attempts + 1, head.place))
        assert state.open_cycle is not None
        self.opened[head.key] = state.open_cycle
        return {"popped": head.key, "attempts": head.entry.attempts}

    def do_add_unschedulable_if_not_present(self, operation: Manifest) -> Manifest | None:
        state, opened = self.simulation, self.opened.pop(operation["key"])
        uid = uid_of(opened.pod)
        queued, since = state.queue.in_flight.pods[uid], state.queue.in_flight.changes_since(uid)
        self._finish(opened, "error", "")
        pod = state.pod(opened.pod.key)
        if pod is None:
            return {"dropped": True}
        refused, pending = operation["unschedulable_plugins"], operation["pending_plugins"]
        problem = state.control.fail(queued, pod, refused, pending, since)
        return {"error": problem} if problem else None

    def do_scheduled(self, operation: Manifest) -> None:
        self._finish(self.opened.pop(operation["key"]), "bound", operation["name"])
        self.simulation.control.move_all(ASSIGNED_POD_ADD, None, self.simulation.pod(operation["key"]))

    def do_update(self, operation: Manifest) -> Manifest | None:
        manifest = admit("Pod", operation["pod"], self.context)
        new = decode("Pod", manifest)
        old = self.simulation.cluster.get("Pod", new.namespace, new.name)
        assert isinstance(old, Pod)
        assert isinstance(new, Pod)
        events = pod_changes(old, new)
        self.simulation.handle(UpdateObject("Pod", manifest))
        return {"events": [event.label for event in events]}

    do_assigned_pod_updated = do_update

    def do_delete(self, operation: Manifest) -> None:
        namespace, _, name = operation["key"].partition("/")
        self.simulation.handle(DeleteObject("Pod", namespace, name))

    do_assigned_pod_deleted = do_delete

    def do_activate(self, operation: Manifest) -> None:
        self.simulation.handle(ActivatePods(tuple(operation["keys"])))

    def do_move_all_to_active_or_backoff(self, operation: Manifest) -> Manifest | None:
        wanted = operation["event"]
        event = ClusterEvent(wanted["resource"], ACTIONS[wanted["action"]], wanted.get("label", ""))
        event = event if event.name else event_of(event.resource, event.action)
        old, new = (
            None if operation.get(end) is None else decode(_KIND_OF[wanted["resource"]], operation[end])
            for end in ("old", "new")
        )
        interest = self.simulation.control.hints.is_of_interest(event)
        self.simulation.control.move_all(event, old, new)
        return {"event_of_interest": interest}

    def do_node_added(self, operation: Manifest) -> None:
        self.simulation.handle(AddObject("Node", admit("Node", operation["node"], self.context)))

    def do_node_updated(self, operation: Manifest) -> Manifest | None:
        manifest = admit("Node", operation["node"], self.context)
        new = decode("Node", manifest)
        old = self.simulation.cluster.get("Node", "", new.name)
        assert isinstance(old, Node)
        assert isinstance(new, Node)
        events = node_changes(old, new)
        self.simulation.handle(UpdateObject("Node", manifest))
        return {"events": [event.label for event in events]}

    def do_node_deleted(self, operation: Manifest) -> None:
        self.simulation.handle(DeleteObject("Node", "", operation["name"]))

    def do_flush_backoff_completed(self, operation: Manifest) -> None:
        self.simulation.control.flush_backoff_completed()

    def do_flush_unschedulable_leftover(self, operation: Manifest) -> None:
        self.simulation.control.flush_unschedulable_leftover()

    def _finish(self, opened: OpenCycle, outcome: str, node: str) -> None:
        state = self.simulation
        state.open_cycle = opened
        woke = outcome == "bound" and state.control.hints.is_of_interest(ASSIGNED_POD_ADD)
        state.emit(CycleFinished(opened.number, opened.pod.key, {"outcome": outcome, "node": node}, woke))

    # --- the queue as a vector prints it ------------------------------------------------------------------------------

    def state(self) -> Manifest:
        queue = self.simulation.queue
        waiting = queue.unschedulable.all()
        return {
            "active": [self.entry(one) for one in queue.lane(ACTIVE)],
            "backoff": [self.entry(one) for one in queue.lane(BACKOFF)],
            "error_backoff": [
                self.entry(one)
                for one in sorted(queue.lane(ERROR_BACKOFF), key=lambda one: (one.entry.backoff_expiry_us, one.key))
            ],
            "unschedulable": [self.entry(one) for one in sorted(waiting, key=lambda one: one.key)],
            "in_flight": sorted(one.key for one in queue.in_flight.pods.values()),
            "in_flight_events": [change.event.label for change in queue.in_flight.changes],
            "scheduling_cycle": queue.scheduling_cycle,
            "move_request_cycle": queue.move_request_cycle,
        }

    def entry(self, queued: QueuedPod) -> Manifest:
        entry, now = queued.entry, self.simulation.now_us
        given = {
            "pod": queued.key,
            "priority": queued.pod.priority,
            "timestamp_ms": _ms(entry.timestamp_us),
            "attempts": entry.attempts,
            "unschedulable_count": entry.unschedulable_count,
            "consecutive_errors_count": entry.consecutive_errors,
            "initial_attempt_ms": None if entry.initial_attempt_us is None else _ms(entry.initial_attempt_us),
            "backoff_expiry_ms": _ms(entry.backoff_expiry_us) if entry.backoff_expiry_us else None,
            "backing_off": self.simulation.queue.is_backing_off(entry, now),
            "backoff_duration_ms": self.simulation.queue.backoff.duration_us(entry.failures) // 1000,
            "unschedulable_plugins": list(entry.unschedulable_plugins),
            "pending_plugins": list(entry.pending_plugins),
            "gated": queued.is_gated,
            "gating_plugin": entry.gating_plugin,
        }
        kept = {"pod", "priority", "timestamp_ms"}
        return {name: value for name, value in given.items() if name in kept or value not in (0, False, "", [], None)}


def _ms(at_us: int) -> int:
    return (at_us - START_US) // 1000
