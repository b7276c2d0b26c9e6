"""Every name that the text for an issue may hold: those of the cluster, and those that the pod itself asks for."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from dashboard.build.why.stand_ins import StandIns
from scheduler.engine.objects import PersistentVolumeClaim, Pod
from scheduler.engine.simulation.simulation import Simulation

DEFAULT_SCHEDULER = "default-scheduler"
_KINDS = ("PersistentVolumeClaim", "PersistentVolume", "StorageClass", "PriorityClass", "Namespace")
_CALLED = {
    "PersistentVolumeClaim": "claim",
    "PersistentVolume": "volume",
    "StorageClass": "class",
    "PriorityClass": "class",
    "Namespace": "namespace",
}
_KEYS = ("key", "topologyKey", "matchLabelKeys", "mismatchLabelKeys")


def stand_ins(simulation: Simulation, manifest: Mapping[str, Any]) -> StandIns:
    """For everything that the cluster has now, and what a pod's manifest asks for, whether it is there or not."""
    made, nodes = StandIns(), [info.node for info in simulation.cluster if info.node is not None]
    pods: list[Pod] = list(simulation.pods.values())
    made.learn("node", (node.name for node in nodes))
    made.learn("pod", (pod.name for pod in pods))
    made.learn("namespace", (pod.namespace for pod in pods))
    for kind in _KINDS:
        made.learn(_CALLED[kind], (one.name for one in simulation.objects(kind)))
    for claim in _claims(simulation):
        made.learn("class", [claim.spec.storage_class_name or ""])
        made.learn("volume", [claim.spec.volume_name or ""])
    made.learn("scheduler", {one.scheduler_name for one in simulation.profiles} - {DEFAULT_SCHEDULER})
    _learn_asked(made, manifest.get("metadata") or {}, manifest.get("spec") or {})
    made.learn_values(value for node in nodes for value in node.labels.values())
    made.learn_values(taint.value or "" for node in nodes for taint in node.taints)
    made.learn_values(value for pod in pods for value in pod.labels.values())
    made.learn_keys(key for node in nodes for key in (*node.labels, *(taint.key for taint in node.taints)))
    made.learn_keys(key for pod in pods for key in pod.labels)
    return made


def _claims(simulation: Simulation) -> Iterator[PersistentVolumeClaim]:
    for one in simulation.objects("PersistentVolumeClaim"):
        yield cast(PersistentVolumeClaim, one)


def _learn_asked(made: StandIns, metadata: Mapping[str, Any], spec: Mapping[str, Any]) -> None:
    """Also what is not there: a claim that is missing, a label that no node has, a scheduler that nobody is."""
    made.learn("pod", [metadata.get("name", "")])
    made.learn("namespace", [metadata.get("namespace", "")])
    made.learn("scheduler", {spec.get("schedulerName") or DEFAULT_SCHEDULER} - {DEFAULT_SCHEDULER})
    made.learn("class", [spec.get("priorityClassName") or ""])
    made.learn("gate", [one["name"] for one in spec.get("schedulingGates") or []])
    for volume in spec.get("volumes") or []:
        made.learn("claim", [(volume.get("persistentVolumeClaim") or {}).get("claimName", "")])
        made.learn("claim", [f"{metadata.get('name', '')}-{volume.get('name', '')}" if "ephemeral" in volume else ""])
    for name in ("nodeSelector", "affinity", "tolerations", "topologySpreadConstraints"):
        _learn_terms(made, spec.get(name), name)
    for container in [*(spec.get("containers") or []), *(spec.get("initContainers") or []), spec]:
        for resource in (container.get("resources") or {}).get("requests") or {}:
            made.resource(resource)


def _learn_terms(made: StandIns, value: Any, field: str) -> None:
    """Labels and values, to any depth."""
    if isinstance(value, Mapping):
        if field in ("nodeSelector", "matchLabels"):
            made.learn_keys(value)
            made.learn_values(value.values())
            return
        for name, one in value.items():
            _learn_terms(made, one, name)
    elif isinstance(value, list):
        for one in value:
            _learn_terms(made, one, field)
    elif isinstance(value, str) and field in _KEYS:
        made.key(value)
    elif isinstance(value, str) and field in ("value", "values"):
        made.learn_values([value])
    elif isinstance(value, str) and field == "namespaces":
        made.learn("namespace", [value])
