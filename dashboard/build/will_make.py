"""What a cluster without pods will make as soon as it runs: workloads that ask for pods, for the empty board."""

from typing import NamedTuple

import msgspec
from django.urls import reverse

from scheduler import store
from scheduler.engine.controllers.owners import MANAGED, controller_of
from scheduler.engine.simulation.simulation import Simulation
from scheduler.models import Cluster

UNITED = "UnitedDeployment"


class Maker(NamedTuple):
    """`href`: its page, "" where its kind has none."""

    name: str
    pods: int
    href: str


def will_make(cluster: Cluster) -> list[Maker]:
    """Nothing where controllers are off or pods are there already."""
    with store.reading(cluster.pk, cluster.seq) as simulation:
        if simulation.pods or not simulation.settings.controllers:
            return []
        return _makers(simulation, cluster.name)


def _makers(simulation: Simulation, cluster: str) -> list[Maker]:
    found = []
    for kind in MANAGED:
        for one in simulation.cluster.objects.get(kind, {}).values():
            spec = msgspec.to_builtins(one).get("spec") or {}
            pods = spec.get("replicas")
            if controller_of(one) is None and isinstance(pods, int) and pods > 0:
                namespace = one.namespace or "default"
                href = reverse("uniteddeployment", args=(cluster, namespace, one.name)) if kind == UNITED else ""
                found.append(Maker(f"{namespace}/{one.name}", pods, href))
    return found
