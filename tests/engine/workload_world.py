"""A simulation with controllers at work, driven by its own timers; manifests of workloads for it."""

from typing import Any

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.codec.codec import encode_checkpoint
from scheduler.engine.commands import AddObject, AdvanceClock, AdvanceToNextTimer, DeleteObject, Schedule, UpdateObject
from scheduler.engine.events import Event
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.simulation.simulation import Simulation
from tests.engine.builders import a_node

START_US = 1_700_000_000 * SECOND_US
SUBSET = "apps.kruise.io/subset-name"


class World:
    """`log`: every event so far."""

    def __init__(self, nodes: int = 3, **settings: Any) -> None:
        self.simulation, created = Simulation.create("world", 7, START_US, {}, {"controllers": True, **settings})
        self.log: list[Event] = list(created)
        for number in range(nodes):
            self.add("Node", a_node(f"n{number}", labels={"zone": f"z{number}"}))

    def do(self, command: Any) -> list[Event]:
        events = self.simulation.handle(command)
        self.simulation.validate()
        self.log += events
        return events

    def add(self, kind: str, manifest: dict[str, Any]) -> None:
        self.do(AddObject(kind, admit(kind, manifest, Context())))

    def update(self, kind: str, manifest: dict[str, Any]) -> None:
        self.do(UpdateObject(kind, admit(kind, manifest, Context())))

    def delete(self, kind: str, name: str) -> None:
        self.do(DeleteObject(kind, "" if kind == "Node" else "default", name))

    def run(self, seconds: float) -> None:
        """Every pod is tried as soon as it can be, and every timer fires."""
        end = self.simulation.now_us + round(seconds * SECOND_US)
        while self.simulation.now_us < end:
            if not self.do(Schedule()):
                due = self.simulation.next_timer_us
                self.do(AdvanceToNextTimer() if due is not None and due <= end else AdvanceClock(end))

    @property
    def pods(self) -> list[Any]:
        return list(self.simulation.pods.values())

    def names(self) -> list[str]:
        return sorted(pod.name for pod in self.pods)

    def counts(self, label: str = SUBSET) -> dict[str, int]:
        found: dict[str, int] = {}
        for pod in self.pods:
            found[pod.labels.get(label, "")] = found.get(pod.labels.get(label, ""), 0) + 1
        return found

    def status(self, kind: str, name: str) -> dict[str, Any]:
        workload: Any = self.simulation.cluster.get(kind, "default", name)
        return workload.status or {}

    def said(self, about: str = "") -> list[str]:
        return [
            f"{event.happening.type} {event.happening.reason}: {event.happening.message}"
            for event in self.log
            if event.kind == "EventRecorded" and about in event.happening.name
        ]

    def folded(self) -> Simulation:
        """The log once more, from the beginning."""
        folded = Simulation()
        for event in self.log:
            folded.apply(event)
        return folded

    def checkpoint(self) -> bytes:
        return encode_checkpoint(self.simulation)


def a_template(image: str = "app:1", cpu: str = "100m", **labels: str) -> dict[str, Any]:
    container = {"name": "main", "image": image, "resources": {"requests": {"cpu": cpu}}}
    return {"metadata": {"labels": {"app": "web", **labels}}, "spec": {"containers": [container]}}


def a_workload(kind: str, replicas: int = 3, name: str = "web", template: Any = None, **spec: Any) -> dict[str, Any]:
    manifest_kind = "StatefulSet" if kind == "AdvancedStatefulSet" else kind
    given = {"selector": {"matchLabels": {"app": "web"}}, "template": template or a_template(), **spec}
    if kind not in ("DaemonSet", "Job"):
        given["replicas"] = replicas
    return {"kind": manifest_kind, "metadata": {"name": name, "namespace": "default"}, "spec": given}


def a_united_deployment(
    replicas: int = 4, subsets: tuple[Any, ...] = ("a", "b"), kind: str = "cloneSet", image: str = "app:1", **spec: Any
) -> dict[str, Any]:
    annotations = spec.pop("annotations", {})
    cpu = spec.pop("cpu", "100m")
    name = spec.pop("name", "ud")
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"template": a_template(image, cpu)}}
    return {
        "apiVersion": "apps.kruise.io/v1beta1",
        "kind": "UnitedDeployment",
        "metadata": {"name": name, "namespace": "default", "annotations": annotations},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {f"{kind}Template": template},
            "topology": {
                "subsets": [one if isinstance(one, dict) else {"name": one} for one in subsets],
                **spec.pop("topology", {}),
            },
            **spec,
        },
    }
