"""Short ways to write nodes, pods and clusters in tests: only what a test is about is spelled out."""

from typing import Any

from scheduler.engine.cluster.state import ClusterState
from scheduler.engine.config import DEFAULT_DOCUMENT
from scheduler.engine.conformance import cluster_of
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.profile import Profile, Profiles

Manifest = dict[str, Any]


def a_node(
    name: str = "n1",
    *,
    labels: dict[str, str] | None = None,
    taints: list[Manifest] | None = None,
    unschedulable: bool | None = None,
    images: dict[str, int] | None = None,
    **resources: Any,
) -> Manifest:
    allocatable = {
        "cpu": "4",
        "memory": "8Gi",
        "pods": "110",
        **{key.replace("_", "-"): v for key, v in resources.items()},
    }
    return {
        "kind": "Node",
        "metadata": {"name": name, "labels": labels or {}},
        "spec": {"taints": taints or [], "unschedulable": unschedulable},
        "status": {
            "allocatable": allocatable,
            "images": [{"names": [image], "sizeBytes": size} for image, size in (images or {}).items()],
        },
    }


def a_pod(
    name: str = "p",
    *,
    node: str | None = None,
    labels: dict[str, str] | None = None,
    namespace: str = "default",
    requests: Manifest | None = None,
    image: str = "app:1",
    ports: list[Manifest] | None = None,
    nominated: str | None = None,
    containers: list[Manifest] | None = None,
    **spec: Any,
) -> Manifest:
    container = {"name": "main", "image": image, "resources": {"requests": requests or {}}, "ports": ports or []}
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": labels or {}},
        "spec": {"containers": containers or [container], "nodeName": node, **spec},
        "status": {"nominatedNodeName": nominated},
    }


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
    """The default profile with one more algorithm at all of its extension points, as a person would enable it."""
    enabled = {"multiPoint": {"enabled": [{"name": name, "weight": weight}]}}
    config = [{"name": name, "args": args}] if args else []
    profile = {"plugins": enabled, "pluginConfig": config}
    return Profiles.from_configuration(DEFAULT_DOCUMENT | {"profiles": [profile]}).first


def verdicts(cycle: Cycle, plugin: str) -> dict[str, str]:
    """Node → what this filter says of it, "" for success, after PreFilter and Filter."""
    cycle.pre_filter()
    cycle.filter()
    said = dict.fromkeys(cycle.snapshot.names, "")
    for name, row in cycle.snapshot.row_of.items():
        said[name] = "; ".join(status.message for status in cycle.trace.all_failures(row) if status.plugin == plugin)
    return said


def raw_scores(cycle: Cycle, plugin: str) -> dict[str, int] | None:
    """Feasible node → raw score, None if the plugin was skipped."""
    cycle.run()
    scores = cycle.trace.scores
    if scores is None or plugin not in scores.raw:
        return None
    return dict(zip(cycle.trace.feasible, scores.raw[plugin].tolist(), strict=True))


def normalized_scores(cycle: Cycle, plugin: str) -> dict[str, int]:
    cycle.run()
    scores = cycle.trace.scores
    assert scores is not None
    return dict(zip(cycle.trace.feasible, scores.normalized[plugin].tolist(), strict=True))
