"""What a cluster held at an event, as the objects of a case: all of it, or the part that matters most to a pod."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dashboard.learn.bounds import MOST
from dashboard.learn.lesson import Manifest, named
from dashboard.learn.nearest import nearest
from scheduler import store
from scheduler.engine.errors import Refused
from scheduler.engine.objects import UnitedDeployment as United
from scheduler.engine.simulation.settings import Settings
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.words import count
from scheduler.models import Cluster, KubeObject, Node, Pod, UnitedDeployment
from scheduler.services.projection.rebuild import whole

TABLES = (KubeObject, Node, UnitedDeployment, Pod)
MAKERS = ("Deployment", "DaemonSet", "Job", "CronJob", "CloneSet")
"""No filter and no score looks at them."""
FEW_PODS, MOST_READ = 20, 50_000


class Glance(msgspec.Struct, frozen=True):
    """What can be asked about. `waiting`: pods without a node, in the order of their turn; `subsets`: all."""

    nodes: int
    objects: int
    waiting: list[str]
    subsets: list[str]


class Moment(msgspec.Struct, frozen=True):
    """`placed`: pods that have a node."""

    objects: list[Manifest]
    configuration: Manifest
    settings: Manifest
    seed: int
    placed: list[str]


def glance(cluster: Cluster, seq: int) -> Glance:
    with store.reading(cluster.pk, seq) as simulation:
        return _glance(simulation)


def moment(cluster: Cluster, seq: int, pod: str = "", nodes: int = MOST["nodes"]) -> Moment:
    """`nodes`: so many at most, those first that matter most to `pod`. Raises `Refused` where it is still too much."""
    with store.reading(cluster.pk, seq) as simulation:
        there = _glance(simulation)
        if there.objects > MOST_READ:
            raise Refused(
                f"{cluster.name} has {count(there.objects, 'object')}; a case is made of at most {MOST_READ:,}."
            )
        rows: list[Any] = [row for row in whole(cluster.pk, simulation, seq).inserted if isinstance(row, TABLES)]
        is_part = nodes < there.nodes or there.objects > MOST["objects"] or len(there.waiting) > FEW_PODS
        if is_part:
            waiting = [pod] if pod else there.waiting[:FEW_PODS]
            rows = list(_part(rows, set(nearest(simulation, pod)[:nodes]), set(waiting)))
        configuration, seed, settings = dict(simulation.configuration), simulation.seed, _chosen(simulation.settings)
    if len(rows) > MOST["objects"]:
        raise Refused(
            f"This takes {count(len(rows), 'object')}, and a case has at most {MOST['objects']}: take fewer nodes."
        )
    order = {key: place for place, key in enumerate(there.waiting)}
    rows.sort(key=lambda row: (TABLES.index(type(row)), order.get(str(row), -1)))
    objects = [row.manifest for row in rows]
    placed = [named(one) for one in objects if one["kind"] == "Pod" and named(one) not in order]
    return Moment(objects, configuration, settings, seed, placed)


def _part(rows: list[Any], nodes: set[str], waiting: set[str]) -> Iterator[Any]:
    """These nodes with their pods, these waiting pods, and of all else what stands beside them."""
    pods = [row for row in rows if isinstance(row, Pod) and (row.node_name in nodes or str(row) in waiting)]
    namespaces = {row.namespace for row in pods} | {""}
    yield from pods
    for row in rows:
        if isinstance(row, Node):
            beside = row.name in nodes
        elif isinstance(row, KubeObject):
            beside = row.kind not in MAKERS and _stands_beside(row, nodes, namespaces)
        else:
            beside = isinstance(row, UnitedDeployment) and row.namespace in namespaces
        if beside:
            yield row


def _stands_beside(row: KubeObject, nodes: set[str], namespaces: set[str]) -> bool:
    if row.kind in ("CSINode", "Namespace"):
        return row.name in (nodes if row.kind == "CSINode" else namespaces)
    return row.namespace in namespaces


def _glance(simulation: Simulation) -> Glance:
    kinds = simulation.cluster.objects
    subsets = [
        f"{one.namespace}/{one.name}/{subset['name']}"
        for one in simulation.objects("UnitedDeployment")
        if isinstance(one, United)
        for subset in ((one.spec or {}).get("topology") or {}).get("subsets") or ()
    ]
    nodes, objects = len(kinds.get("Node", ())), sum(map(len, kinds.values()))
    return Glance(nodes, objects, _waiting(simulation), subsets)


def _waiting(simulation: Simulation) -> list[str]:
    """Of the profiles that there are; one that is being tried comes first."""
    came = {}
    for key, pod in simulation.pods.items():
        if not pod.node_name and not pod.is_finished and simulation.profiles.get(pod.spec.scheduler_name):
            queued = simulation.queued(key)
            came[key] = (-pod.priority, queued.entry.timestamp_us) if queued else (-pod.priority, 0)
    return sorted(came, key=lambda key: came[key])


def _chosen(settings: Settings) -> Manifest:
    """What differs from the defaults."""
    usual = Settings()
    return {name: value for name, value in msgspec.to_builtins(settings).items() if value != getattr(usual, name)}
