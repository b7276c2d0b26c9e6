"""Short ways to write nodes, pods and clusters in tests: only what a test is about is spelled out."""

from difflib import get_close_matches
from typing import Any

from msgspec.structs import fields

from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.config import DEFAULT_DOCUMENT
from scheduler.engine.conformance import cluster_of
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.objects import PodSpec
from scheduler.engine.profile import Profile, Profiles

Manifest = dict[str, Any]
SPEC_FIELDS = {field.encode_name for field in fields(PodSpec)}


def a_node(
    name: str = "n1",
    *,
    labels: dict[str, str] | None = None,
    taints: list[Manifest] | None = None,
    unschedulable: bool | None = None,
    images: dict[str, int] | None = None,
    allocatable: dict[str, Any] | None = None,
    **resources: Any,
) -> Manifest:
    """4 cpu, 8Gi of memory and 110 pods, unless said otherwise: `a_node("n1", cpu="2", ephemeral_storage="10Gi")`.

    `allocatable`: the same for names that are no words of Python, as `{"example.com/gpu": "2"}`.
    """
    offered = {"cpu": "4", "memory": "8Gi", "pods": "110", **_resources("a_node", resources), **(allocatable or {})}
    return {
        "kind": "Node",
        "metadata": {"name": name, "labels": labels or {}},
        "spec": {"taints": taints or [], "unschedulable": unschedulable},
        "status": {
            "allocatable": offered,
            "images": [{"names": [image], "sizeBytes": size} for image, size in (images or {}).items()],
        },
    }


def a_pod(
    name: str = "p",
    *,
    node: str | None = None,
    labels: dict[str, str] | None = None,
    namespace: str = "default",
    uid: str | None = None,
    requests: Manifest | None = None,
    image: str = "app:1",
    ports: list[Manifest] | None = None,
    nominated: str | None = None,
    containers: list[Manifest] | None = None,
    cpu: str | int | None = None,
    memory: str | int | None = None,
    ephemeral_storage: str | int | None = None,
    **spec: Any,
) -> Manifest:
    """One container, pending unless `node` is given: `a_pod("web", cpu="500m", requests={"example.com/gpu": "1"})`.

    `spec`: any other field of the pod's spec under its own name, as `priority=10` or `nodeSelector={…}`.
    """
    _check_spec(spec)
    told = {"cpu": cpu, "memory": memory, "ephemeral-storage": ephemeral_storage}
    wanted = {name: amount for name, amount in told.items() if amount is not None} | (requests or {})
    if containers and wanted:
        raise TypeError("a_pod: state what is requested in `containers`, or leave them out")
    container = {"name": "main", "image": image, "resources": {"requests": wanted}, "ports": ports or []}
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": labels or {}, "uid": uid},
        "spec": {"containers": containers or [container], "nodeName": node, **spec},
        "status": {"nominatedNodeName": nominated},
    }


def _resources(builder: str, given: dict[str, Any]) -> dict[str, Any]:
    for name, amount in given.items():
        if not isinstance(amount, str | int | float):
            raise TypeError(f'{builder}: {name} is taken for a resource; an amount is written "500m", not {amount!r}')
    return {name.replace("_", "-"): amount for name, amount in given.items()}


def _check_spec(spec: Manifest) -> None:
    for name in spec:
        if name not in SPEC_FIELDS:
            close = get_close_matches(name.replace("_", ""), SPEC_FIELDS, n=1)
            hint = f"; is {close[0]} meant?" if close else "; a resource goes into requests={…}"
            raise TypeError(f"a_pod: a pod's spec has no {name} here{hint}")


def a_cluster(*manifests: Manifest) -> ClusterState:
    return cluster_of(list(manifests))


def a_cycle(pod: Manifest, *others: Manifest, profile: Profile | None = None, **options: Any) -> Cycle:
    """An attempt for `pod` in a cluster of the others, not yet begun."""
    cluster = cluster_of([*others, pod])
    found = cluster.get("Pod", pod["metadata"]["namespace"], pod["metadata"]["name"])
    return Cycle(cluster.snapshot(), profile or Profiles.default().first, found, **options)


def only(*plugins: str, **args: Manifest) -> Profile:
    """The default profile with these plugins alone, and perhaps arguments for some."""
    default = Profiles.default().first
    enabled = {point: tuple(name for name in names if name in plugins) for point, names in default.plugins.items()}
    return Profile(default.scheduler_name, enabled, default.weights, args)


def with_algorithm(name: str, *, weight: int = 1, **args: Any) -> Profile:
    """The default profile with one more algorithm at all of its extension points, as a person would enable it.

    `args`: its arguments in camelCase, as in a configuration.
    """
    enabled = {"multiPoint": {"enabled": [{"name": name, "weight": weight}]}}
    config = [{"name": name, "args": args}] if args else []
    profile = {"plugins": enabled, "pluginConfig": config}
    return Profiles.from_configuration(DEFAULT_DOCUMENT | {"profiles": [profile]}).first


def verdicts(cycle: Cycle, plugin: str) -> dict[str, str]:
    """Node → what this filter says of it, "" for success, after PreFilter and Filter."""
    cycle.pre_filter()
    cycle.filter()
    assert not cycle.error, cycle.error
    said = dict.fromkeys(cycle.snapshot.names, "")
    for name, row in cycle.snapshot.row_of.items():
        said[name] = "; ".join(status.message for status in cycle.trace.all_failures(row) if status.plugin == plugin)
    return said


def raw_scores(cycle: Cycle, plugin: str) -> dict[str, int] | None:
    """Feasible node → raw score, None if the plugin was skipped."""
    cycle.run()
    assert not cycle.error, cycle.error
    scores = cycle.trace.scores
    if scores is None or plugin not in scores.raw:
        return None
    return dict(zip(cycle.trace.feasible, scores.raw[plugin].tolist(), strict=True))


def normalized_scores(cycle: Cycle, plugin: str) -> dict[str, int]:
    cycle.run()
    assert not cycle.error, cycle.error
    scores = cycle.trace.scores
    assert scores is not None
    return dict(zip(cycle.trace.feasible, scores.normalized[plugin].tolist(), strict=True))
