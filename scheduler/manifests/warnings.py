"""What to know about a dump before trusting its verdicts: parts that are missing, pods that nothing will schedule."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from scheduler.engine.admission.admission import SYSTEM_PRIORITIES
from scheduler.engine.values.requests import is_extended_resource
from scheduler.manifests.report import Notice

Manifest = dict[str, Any]
HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
OLD_ZONE = "failure-domain.beta.kubernetes.io/zone"
SHOWN = 3
FINISHED = ("Succeeded", "Failed")
CREATED_BY_ITSELF = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})


class Names:
    """How many there are, and the first few by name."""

    __slots__ = ("count", "first")

    def __init__(self) -> None:
        self.count = 0
        self.first: list[str] = []

    def add(self, name: str) -> None:
        self.count += 1
        if self.count <= SHOWN:
            self.first.append(name)

    def notice(self, what: str, meaning: str) -> Iterator[Notice]:
        if self.count:
            yield Notice(f"{what}: {self.count:,}. {meaning}", self.count, tuple(self.first))


def notices(manifests: Iterable[Manifest], schedulers: Iterable[str] = ("default-scheduler",)) -> list[Notice]:
    """`schedulers`: names of the profiles that the cluster will have."""
    seen = Notices(schedulers)
    for manifest in manifests:
        seen.see(manifest)
    return seen.told()


class Notices:
    """Sees one manifest after the other and keeps none of them."""

    def __init__(self, schedulers: Iterable[str] = ("default-scheduler",)) -> None:
        self._nodes, self._pods, self._references = _Nodes(), _Pods(set(schedulers)), _References()
        self._has_seen = False

    def see(self, manifest: Manifest) -> None:
        self._has_seen = True
        if manifest["kind"] == "Pod":
            self._pods.see(manifest)
            self._references.see_pod(manifest)
        elif manifest["kind"] == "Node":
            self._nodes.see(manifest)
        else:
            self._references.see(manifest)

    def told(self) -> list[Notice]:
        """Nothing of a file without an object: that is told by itself."""
        if not self._has_seen:
            return []
        return [*self._nodes.told(), *self._pods.told(self._nodes.names), *self._references.told()]


# --- nodes ------------------------------------------------------------------------------------------------------------


class _Nodes:
    def __init__(self) -> None:
        self.names: set[str] = set()
        self.no_hostname, self.old_zone, self.no_zone, self.no_allocatable = Names(), Names(), Names(), Names()

    def see(self, node: Manifest) -> None:
        name, labels = node["metadata"]["name"], node["metadata"].get("labels") or {}
        self.names.add(name)
        if HOSTNAME not in labels:
            self.no_hostname.add(name)
        if ZONE not in labels:
            (self.old_zone if OLD_ZONE in labels else self.no_zone).add(name)
        if (node.get("status") or {}).get("allocatable") is None:
            self.no_allocatable.add(name)

    def told(self) -> Iterator[Notice]:
        if not self.names:
            yield Notice("There is no node: nothing can be scheduled until one is added.")
        skipped = "Rules that spread over {} pass them over."
        yield from self.no_hostname.notice(f"Nodes without the label {HOSTNAME}", skipped.format("nodes"))
        yield from self.old_zone.notice(f"Nodes with the old label {OLD_ZONE} only", f"Today's rules read {ZONE}.")
        yield from self.no_zone.notice(f"Nodes without a zone (label {ZONE})", skipped.format("zones"))
        yield from self.no_allocatable.notice(
            "Nodes without status.allocatable", "Capacity is taken instead, so they seem larger than they are."
        )


def overfull(names: Iterable[str]) -> Notice | None:
    """Nodes whose pods ask for more than there is."""
    found = Names()
    for name in names:
        found.add(name)
    told = found.notice("Nodes whose pods request more than 100 %", "The pods stay; nothing more fits there.")
    return next(told, None)


# --- pods -------------------------------------------------------------------------------------------------------------


class _Pods:
    def __init__(self, schedulers: set[str]) -> None:
        self.schedulers = schedulers
        self.any_of_system = False
        self.on_nodes: dict[str, list[str]] = {}  # the first few by node, in file order
        self.count_on_nodes: Counter[str] = Counter()
        self.finished, self.unlimited, self.deleted, self.others = Names(), Names(), Names(), Names()

    def see(self, pod: Manifest) -> None:
        name, spec = key(pod), _spec(pod)
        self.any_of_system |= pod["metadata"].get("namespace") == "kube-system"
        if node := spec.get("nodeName"):
            self._see_placed(node, name)
        if (pod.get("status") or {}).get("phase") in FINISHED:
            self.finished.add(name)
        if any(map(_has_unlimited_device, spec.get("containers") or ())):
            self.unlimited.add(name)
        if pod["metadata"].get("deletionTimestamp"):
            self.deleted.add(name)
        if _waits(pod) and _scheduler(pod) not in self.schedulers:
            self.others.add(name)

    def _see_placed(self, node: str, name: str) -> None:
        self.count_on_nodes[node] += 1
        if self.count_on_nodes[node] <= SHOWN:
            self.on_nodes.setdefault(node, []).append(name)

    def told(self, nodes: set[str]) -> Iterator[Notice]:
        if nodes and not self.any_of_system:
            yield Notice(
                "No pod of namespace kube-system: system pods take room on every node; "
                "without them verdicts can differ."
            )
        yield from self._on_missing(nodes).notice(
            "Pods on a node that is not in the file", "They take room on no node that is."
        )
        yield from self.finished.notice(
            "Finished pods (Succeeded or Failed)", "Kept for the lists, left out of scheduling."
        )
        yield from self.unlimited.notice(
            "Pods that request devices without a limit",
            "An API server would refuse them; here their requests count.",
        )
        yield from self.deleted.notice("Pods that are being deleted", "They take room until they are gone.")
        yield from self.others.notice(
            "Waiting pods that ask for another scheduler (spec.schedulerName)", "This one never takes them."
        )

    def _on_missing(self, nodes: set[str]) -> Names:
        found = Names()
        for node, first in self.on_nodes.items():
            if node not in nodes:
                for name in first:
                    found.add(name)
                found.count += self.count_on_nodes[node] - len(first)
        return found


class _References:
    """What pods name by name, in the order in which they do."""

    def __init__(self) -> None:
        self.claims: dict[str, None] = {}
        self.classes: dict[str, None] = {}
        self.namespaces: dict[str, None] = {}
        self.there: dict[str, set[str]] = {
            "PersistentVolumeClaim": set(),
            "PriorityClass": set(SYSTEM_PRIORITIES),
            "Namespace": set(CREATED_BY_ITSELF),
        }

    def see(self, manifest: Manifest) -> None:
        if (there := self.there.get(manifest["kind"])) is not None:
            is_claim = manifest["kind"] == "PersistentVolumeClaim"
            there.add(key(manifest) if is_claim else manifest["metadata"]["name"])

    def see_pod(self, pod: Manifest) -> None:
        self.namespaces[namespace(pod)] = None
        if name := _spec(pod).get("priorityClassName"):
            self.classes[name] = None
        if _waits(pod):
            self.claims |= dict.fromkeys(_claims(pod))

    def told(self) -> Iterator[Notice]:
        yield from self._missing(self.claims, "PersistentVolumeClaim").notice(
            "PersistentVolumeClaims that waiting pods name and that are not in the file", "Those pods cannot be placed."
        )
        yield from self._missing(self.classes, "PriorityClass").notice(
            "PriorityClasses that pods name and that are not in the file", "The pods' own spec.priority is used."
        )
        yield from self._missing(self.namespaces, "Namespace").notice(
            "Namespaces that pods are in and that are not in the file", "Selectors of namespaces see no labels there."
        )

    def _missing(self, named: Iterable[str], kind: str) -> Names:
        found = Names()
        for name in named:
            if name not in self.there[kind]:
                found.add(name)
        return found


def _waits(pod: Manifest) -> bool:
    finished = (pod.get("status") or {}).get("phase") in FINISHED
    return not _spec(pod).get("nodeName") and not finished


def _has_unlimited_device(container: dict[str, Any]) -> bool:
    resources = container.get("resources") or {}
    limits = resources.get("limits") or {}
    return any(is_extended_resource(name) and name not in limits for name in resources.get("requests") or ())


def _scheduler(pod: Manifest) -> str:
    return str(_spec(pod).get("schedulerName") or "default-scheduler")


def _claims(pod: Manifest) -> Iterator[str]:
    for volume in _spec(pod).get("volumes") or ():
        claim = volume.get("persistentVolumeClaim")
        if claim and claim.get("claimName"):
            yield f"{namespace(pod)}/{claim['claimName']}"


def _spec(pod: Manifest) -> dict[str, Any]:
    return pod.get("spec") or {}


def namespace(manifest: Manifest) -> str:
    return manifest["metadata"].get("namespace") or "default"


def key(manifest: Manifest) -> str:
    return f"{namespace(manifest)}/{manifest['metadata']['name']}"
