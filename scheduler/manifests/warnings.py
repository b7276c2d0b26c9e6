"""What to know about a dump before trusting its verdicts: parts that are missing, pods that nothing will schedule."""

from collections.abc import Iterable, Iterator
from typing import Any

from scheduler.engine.admission import SYSTEM_PRIORITIES
from scheduler.engine.requests import is_extended_resource
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


def _notice(message: str, about: Iterable[str]) -> Notice | None:
    named = list(about)
    return Notice(f"{len(named):,} {message}", len(named), tuple(named[:SHOWN])) if named else None


# --- nodes ------------------------------------------------------------------------------------------------------------


def _nodes(nodes: list[Manifest]) -> Iterator[Notice | None]:
    if not nodes:
        yield Notice("There is no node: nothing can be scheduled.")
        return
    labels = {node["metadata"]["name"]: node["metadata"].get("labels") or {} for node in nodes}
    yield _notice(
        f"node(s) without the label {HOSTNAME}: rules that spread over nodes pass them over.",
        (name for name, own in labels.items() if HOSTNAME not in own),
    )
    zoneless = [name for name, own in labels.items() if ZONE not in own]
    yield _notice(
        f"node(s) with the old label {OLD_ZONE} only: today's rules read {ZONE}.",
        (name for name in zoneless if OLD_ZONE in labels[name]),
    )
    yield _notice(
        f"node(s) without a zone (label {ZONE}): rules that spread over zones pass them over.",
        (name for name in zoneless if OLD_ZONE not in labels[name]),
    )
    yield _notice(
        "node(s) without status.allocatable: capacity is taken instead, so they seem larger than they are.",
        (node["metadata"]["name"] for node in nodes if (node.get("status") or {}).get("allocatable") is None),
    )


# --- pods -------------------------------------------------------------------------------------------------------------


def _pods(pods: list[Manifest], nodes: list[Manifest], schedulers: set[str]) -> Iterator[Notice | None]:
    if nodes and not any(pod["metadata"].get("namespace") == "kube-system" for pod in pods):
        yield Notice(
            "No pod of namespace kube-system: system pods take room on every node; without them verdicts can differ."
        )
    known = {node["metadata"]["name"] for node in nodes}
    yield _notice(
        "pod(s) on a node that is not in the file: they take room on no node that is.",
        (key(pod) for pod in pods if (name := _spec(pod).get("nodeName")) and name not in known),
    )
    finished = [pod for pod in pods if (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")]
    yield _notice(
        "finished pod(s) (Succeeded or Failed): kept for the lists, left out of scheduling.", map(key, finished)
    )
    yield _notice(
        "pod(s) request devices without a limit: an API server would refuse them; their requests count.",
        (key(pod) for pod in pods if any(map(_has_unlimited_device, _spec(pod).get("containers") or ()))),
    )
    yield _notice(
        "pod(s) are being deleted: they take room until they are gone.",
        (key(pod) for pod in pods if pod["metadata"].get("deletionTimestamp")),
    )
    yield _notice(
        "waiting pod(s) ask for another scheduler (spec.schedulerName): this one never takes them.",
        (
            key(pod)
            for pod in pods
            if not _spec(pod).get("nodeName")
            and (_spec(pod).get("schedulerName") or "default-scheduler") not in schedulers
        ),
    )


def _references(pods: list[Manifest], by_kind: dict[str, list[Manifest]]) -> Iterator[Notice | None]:
    claims = {key(claim) for claim in by_kind.get("PersistentVolumeClaim", ())}
    yield _notice(
        "PersistentVolumeClaim(s) that waiting pods name and that are not in the file.",
        dict.fromkeys(
            name for pod in pods if not _spec(pod).get("nodeName") for name in _claims(pod) if name not in claims
        ),
    )
    classes = {one["metadata"]["name"] for one in by_kind.get("PriorityClass", ())} | SYSTEM_PRIORITIES.keys()
    yield _notice(
        "PriorityClass(es) that pods name and that are not in the file; the pods' own spec.priority is used.",
        dict.fromkeys(name for pod in pods if (name := _spec(pod).get("priorityClassName")) and name not in classes),
    )
    namespaces = {one["metadata"]["name"] for one in by_kind.get("Namespace", ())} | CREATED_BY_ITSELF
    yield _notice(
        "namespace(s) that pods are in and that are not in the file: selectors of namespaces see no labels there.",
        dict.fromkeys(name for pod in pods if (name := namespace(pod)) not in namespaces),
    )


def _has_unlimited_device(container: dict[str, Any]) -> bool:
    resources = container.get("resources") or {}
    limits = resources.get("limits") or {}
    return any(is_extended_resource(name) and name not in limits for name in resources.get("requests") or ())


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
