"""What to know about a dump before trusting its verdicts: parts that are missing, pods that nothing will schedule."""

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
CREATED_BY_ITSELF = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})


def notices(manifests: Iterable[Manifest], schedulers: Iterable[str] = ("default-scheduler",)) -> list[Notice]:
    """`schedulers`: names of the profiles that the cluster will have."""
    by_kind: dict[str, list[Manifest]] = {}
    for manifest in manifests:
        by_kind.setdefault(manifest["kind"], []).append(manifest)
    pods, nodes = by_kind.get("Pod", []), by_kind.get("Node", [])
    found = [*_nodes(nodes), *_pods(pods, nodes, set(schedulers)), *_references(pods, by_kind)]
    return [notice for notice in found if notice is not None]


def _notice(what: str, meaning: str, about: Iterable[str]) -> Notice | None:
    named = list(about)
    return Notice(f"{what}: {len(named):,}. {meaning}", len(named), tuple(named[:SHOWN])) if named else None


# --- nodes ------------------------------------------------------------------------------------------------------------


def _nodes(nodes: list[Manifest]) -> Iterator[Notice | None]:
    if not nodes:
        yield Notice("There is no node: nothing can be scheduled.")
        return
    labels = {node["metadata"]["name"]: node["metadata"].get("labels") or {} for node in nodes}
    yield _notice(
        f"Nodes without the label {HOSTNAME}",
        "Rules that spread over nodes pass them over.",
        (name for name, own in labels.items() if HOSTNAME not in own),
    )
    zoneless = [name for name, own in labels.items() if ZONE not in own]
    yield _notice(
        f"Nodes with the old label {OLD_ZONE} only",
        f"Today's rules read {ZONE}.",
        (name for name in zoneless if OLD_ZONE in labels[name]),
    )
    yield _notice(
        f"Nodes without a zone (label {ZONE})",
        "Rules that spread over zones pass them over.",
        (name for name in zoneless if OLD_ZONE not in labels[name]),
    )
    yield _notice(
        "Nodes without status.allocatable",
        "Capacity is taken instead, so they seem larger than they are.",
        (node["metadata"]["name"] for node in nodes if (node.get("status") or {}).get("allocatable") is None),
    )


def overfull(names: Iterable[str]) -> Notice | None:
    """Nodes whose pods ask for more than there is."""
    return _notice("Nodes whose pods request more than 100 %", "The pods stay; nothing more fits there.", names)


# --- pods -------------------------------------------------------------------------------------------------------------


def _pods(pods: list[Manifest], nodes: list[Manifest], schedulers: set[str]) -> Iterator[Notice | None]:
    if nodes and not any(pod["metadata"].get("namespace") == "kube-system" for pod in pods):
        yield Notice(
            "No pod of namespace kube-system: system pods take room on every node; without them verdicts can differ."
        )
    known = {node["metadata"]["name"] for node in nodes}
    yield _notice(
        "Pods on a node that is not in the file",
        "They take room on no node that is.",
        (key(pod) for pod in pods if (name := _spec(pod).get("nodeName")) and name not in known),
    )
    yield _notice(
        "Finished pods (Succeeded or Failed)",
        "Kept for the lists, left out of scheduling.",
        (key(pod) for pod in pods if (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")),
    )
    yield _notice(
        "Pods that request devices without a limit",
        "An API server would refuse them; here their requests count.",
        (key(pod) for pod in pods if any(map(_has_unlimited_device, _spec(pod).get("containers") or ()))),
    )
    yield _notice(
        "Pods that are being deleted",
        "They take room until they are gone.",
        (key(pod) for pod in pods if pod["metadata"].get("deletionTimestamp")),
    )
    others = (pod for pod in pods if _waits(pod) and _scheduler(pod) not in schedulers)
    yield _notice(
        "Waiting pods that ask for another scheduler (spec.schedulerName)",
        "This one never takes them.",
        map(key, others),
    )


def _references(pods: list[Manifest], by_kind: dict[str, list[Manifest]]) -> Iterator[Notice | None]:
    claims = {key(claim) for claim in by_kind.get("PersistentVolumeClaim", ())}
    yield _notice(
        "PersistentVolumeClaims that waiting pods name and that are not in the file",
        "Those pods cannot be placed.",
        dict.fromkeys(name for pod in pods if _waits(pod) for name in _claims(pod) if name not in claims),
    )
    classes = {one["metadata"]["name"] for one in by_kind.get("PriorityClass", ())} | SYSTEM_PRIORITIES.keys()
    yield _notice(
        "PriorityClasses that pods name and that are not in the file",
        "The pods' own spec.priority is used.",
        dict.fromkeys(name for pod in pods if (name := _spec(pod).get("priorityClassName")) and name not in classes),
    )
    namespaces = {one["metadata"]["name"] for one in by_kind.get("Namespace", ())} | CREATED_BY_ITSELF
    yield _notice(
        "Namespaces that pods are in and that are not in the file",
        "Selectors of namespaces see no labels there.",
        dict.fromkeys(name for pod in pods if (name := namespace(pod)) not in namespaces),
    )


def _waits(pod: Manifest) -> bool:
    finished = (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")
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
