"""A pod's manifest with what scheduling reads and nothing else, every name replaced. What is not listed is left out."""

from collections.abc import Callable, Mapping
from typing import Any

from dashboard.build.why.stand_ins import StandIns

_KEPT = (
    "priority",
    "preemptionPolicy",
    "topologySpreadConstraints",
    "overhead",
    "resources",
    "affinity",
    "tolerations",
)
_NUMERIC = ("Gt", "Lt")
_DEFAULT = "default-scheduler"
_PORTS = ("containerPort", "hostPort", "protocol")


def minimal(manifest: Mapping[str, Any], names: StandIns) -> dict[str, Any]:
    metadata, spec = manifest.get("metadata") or {}, manifest.get("spec") or {}
    head = {
        "name": names.name("pod", metadata.get("name", "")),
        "namespace": names.name("namespace", metadata.get("namespace", "default")),
        "labels": _mapped(metadata.get("labels"), names),
    }
    body = {
        "schedulerName": _scheduler(spec.get("schedulerName") or _DEFAULT, names),
        "nodeSelector": _mapped(spec.get("nodeSelector"), names),
        **{field: _walked(spec.get(field), names, field) for field in _KEPT},
        "schedulingGates": [{"name": names.name("gate", one["name"])} for one in spec.get("schedulingGates") or []],
        "initContainers": _containers(spec.get("initContainers"), "init", names),
        "containers": _containers(spec.get("containers"), "main", names),
        "volumes": _claims(spec.get("volumes"), names),
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": _told(head), "spec": _told(body)}


def _told(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _scheduler(name: str, names: StandIns) -> str:
    return name if name == _DEFAULT else names.name("scheduler", name)


def _mapped(labels: Mapping[str, str] | None, names: StandIns) -> dict[str, str]:
    return {names.key(key): names.value(value) for key, value in (labels or {}).items()}


def _walked(value: Any, names: StandIns, key: str = "", operator: str = "") -> Any:
    """Selectors, tolerations and amounts, to any depth: which texts are names depends on the field they stand in."""
    if isinstance(value, Mapping):
        if key in ("matchLabels",):
            return _mapped(value, names)
        if key in ("requests", "limits", "overhead"):
            return {names.resource(name): amount for name, amount in value.items()}
        said = str(value.get("operator", ""))
        return {field: _walked(one, names, field, said) for field, one in value.items()}
    if isinstance(value, list):
        return [_walked(one, names, key, operator) for one in value]
    if isinstance(value, str) and key in _TEXTS and (operator not in _NUMERIC or key != "values"):
        return _TEXTS[key](names, value)
    return value


_TEXTS: dict[str, Callable[[StandIns, str], str]] = {
    "key": StandIns.key,
    "topologyKey": StandIns.key,
    "matchLabelKeys": StandIns.key,
    "mismatchLabelKeys": StandIns.key,
    "values": StandIns.value,
    "value": StandIns.value,
    "namespaces": lambda names, text: names.name("namespace", text),
}


def _containers(containers: Any, called: str, names: StandIns) -> list[dict[str, Any]]:
    return [_container(one, f"{called}-{at}", names) for at, one in enumerate(containers or [], 1)]


def _container(one: Mapping[str, Any], called: str, names: StandIns) -> dict[str, Any]:
    asked = (one.get("resources") or {}).get("requests") or {}
    requests = {names.resource(name): amount for name, amount in asked.items()}
    ports = [{field: port[field] for field in _PORTS if field in port} for port in one.get("ports") or []]
    return _told(
        {
            "name": called,
            "image": names.image(one.get("image", "")),
            "restartPolicy": one.get("restartPolicy"),
            "resources": {"requests": requests} if requests else None,
            "ports": [port for port in ports if port.get("hostPort")],
        }
    )


def _claims(volumes: Any, names: StandIns) -> list[dict[str, Any]]:
    claims = [one["persistentVolumeClaim"]["claimName"] for one in volumes or [] if one.get("persistentVolumeClaim")]
    return [
        {"name": f"volume-{at}", "persistentVolumeClaim": {"claimName": names.name("claim", claim)}}
        for at, claim in enumerate(claims, 1)
    ]
