"""What the tables show of an object: columns computed from its manifest, with kubectl's words."""

from typing import Any

from scheduler.engine import objects
from scheduler.engine.simulation.clock import from_rfc3339
from scheduler.engine.values import quantity
from scheduler.engine.values.requests import pod_requests

ZONE_LABELS = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
ROLE_PREFIX = "node-role.kubernetes.io/"
OWNER_LENGTH = 320
FINISHED = {"Succeeded": "Completed", "Failed": "Failed"}


def created_us(metadata: objects.ObjectMeta, otherwise: int) -> int:
    """The creation timestamp as virtual µs; `otherwise` where the manifest has none (or none that can be read)."""
    try:
        return from_rfc3339(metadata.creation_timestamp or "")
    except ValueError:
        return otherwise


def label_text(labels: dict[str, str]) -> str:
    """`,key=value,key=value,` so that one label is found by a plain search for `,key=value,`."""
    return "".join(f",{key}={value}" for key, value in sorted(labels.items())) + "," if labels else ""


def taint_text(taints: list[objects.Taint]) -> str:
    """As `kubectl describe node` and `kubectl taint` spell them: `key=value:Effect`."""
    return ", ".join(f"{t.key}{'=' + t.value if t.value else ''}:{t.effect}" for t in taints)


def of_node(node: objects.Node, manifest: dict[str, Any]) -> dict[str, Any]:
    """Columns of a node's row. CPU in millicores, memory in bytes."""
    labels, allocatable = node.labels, node.allocatable
    return {
        "zone": next((labels[key] for key in ZONE_LABELS if labels.get(key)), ""),
        "roles": ",".join(sorted(key.removeprefix(ROLE_PREFIX) for key in labels if key.startswith(ROLE_PREFIX))),
        "version": kubelet_version(manifest),
        "ready": is_ready(node),
        "unschedulable": bool(node.spec.unschedulable),
        "taints": taint_text(node.taints),
        "milli_cpu": quantity.milli_value(allocatable.get("cpu")),
        "memory": quantity.value(allocatable.get("memory")),
        "max_pods": quantity.value(allocatable.get("pods")),
    }


def kubelet_version(manifest: dict[str, Any]) -> str:
    """Of a part of the manifest that nothing validates."""
    status = manifest.get("status")
    info = status.get("nodeInfo") if isinstance(status, dict) else None
    version = info.get("kubeletVersion") if isinstance(info, dict) else None
    return version if isinstance(version, str) else ""


def is_ready(node: objects.Node) -> bool:
    """A node that says nothing about its readiness (as in hand-written manifests) counts as ready."""
    conditions = (node.status.conditions if node.status else None) or []
    return all(condition.status == "True" for condition in conditions if condition.type == "Ready")


def of_pod(pod: objects.Pod) -> dict[str, Any]:
    """Columns of a pod's row: what it asks for, in millicores and bytes, and where it stands."""
    requests = pod_requests(pod)
    return {
        **standing_of_pod(pod),
        "priority": pod.priority,
        "scheduler_name": pod.spec.scheduler_name or "",
        "owner": owner_of(pod.metadata),
        "milli_cpu": requests.get("cpu", 0),
        "memory": requests.get("memory", 0),
    }


def standing_of_pod(pod: objects.Pod) -> dict[str, Any]:
    """Columns that scheduling itself changes."""
    phase = phase_of(pod)
    return {
        "node_name": pod.node_name,
        "nominated_node_name": pod.nominated_node_name,
        "phase": phase,
        "status": status_of(pod, phase),
    }


def phase_of(pod: objects.Pod) -> str:
    """No kubelet runs here, so a pod that has a node counts as running unless its manifest knows better."""
    phase = (pod.status.phase if pod.status else None) or "Pending"
    return "Running" if phase == "Pending" and pod.node_name else phase


def status_of(pod: objects.Pod, phase: str) -> str:
    """The word of `kubectl get pods`, as far as a cluster without kubelets can tell."""
    if pod.is_terminating:
        return "Terminating"
    if pod.spec.scheduling_gates and not pod.node_name:
        return "SchedulingGated"
    return FINISHED.get(phase, phase)


def owner_of(metadata: objects.ObjectMeta) -> str:
    controllers = (owner for owner in metadata.owner_references or [] if owner.controller)
    owner = next(controllers, None)
    return f"{objects.kind_of(owner.api_version, owner.kind)}/{owner.name}"[:OWNER_LENGTH] if owner else ""
