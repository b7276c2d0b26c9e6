"""Several hindrances on every node of a site at once: what settles all of them is found, and a plain run agrees."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.engine.scenario import Manifest, a_node, a_pod, with_metadata
from tests.engine.storage_builders import a_claim, a_class, a_volume
from tests.engine.test_fixes import HOST, ZONE, lands_on, tried, waiting

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
STATIC = {"storageClassName": "static"}
Site = dict[str, Any]


def a_site() -> Site:
    """Six nodes in three zones and the pod `x`."""
    labels = [{ZONE: "abc"[at % 3], HOST: f"n{at}"} for at in range(6)]
    nodes = [with_metadata(a_node(f"n{at}"), labels=labels[at]) for at in range(6)]
    return {"nodes": copy.deepcopy(nodes), "others": [], "pod": with_metadata(a_pod("x"), labels={"app": "web"})}


def web(name: str, node: str) -> Manifest:
    return with_metadata(a_pod(name, "100m", nodeName=node), labels={"app": "web"})


def no_cpu(site: Site) -> None:
    site["others"] += [a_pod(f"busy-{at}", "3500m", nodeName=f"n{at}") for at in range(6)]


def no_more_pods(site: Site) -> None:
    for node in site["nodes"]:
        node["status"]["allocatable"]["pods"] = "1"
    site["others"] += [a_pod(f"one-{at}", "1m", nodeName=f"n{at}") for at in range(6)]


def tainted(site: Site) -> None:
    for node in site["nodes"]:
        node["spec"]["taints"] = [{"key": "dedicated", "value": "ml", "effect": "NoSchedule"}]


def cordoned(site: Site) -> None:
    for node in site["nodes"]:
        node["spec"]["unschedulable"] = True


def no_label(site: Site) -> None:
    site["pod"]["spec"]["nodeSelector"] = {"disk": "ssd"}


def spread(site: Site) -> None:
    rule = {"maxSkew": 1, "minDomains": 4, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}
    site["pod"]["spec"]["topologySpreadConstraints"] = [{**rule, "labelSelector": {"matchLabels": {"app": "web"}}}]
    site["others"] += [web(f"spread-{at}", f"n{at}") for at in range(3)]


def apart(site: Site) -> None:
    term = {"topologyKey": HOST, "labelSelector": {"matchLabels": {"app": "web"}}}
    site["pod"]["spec"].setdefault("affinity", {})["podAntiAffinity"] = {REQUIRED: [term]}
    site["others"] += [web(f"apart-{at}", f"n{at}") for at in range(6)]


def near_nobody(site: Site) -> None:
    term = {"topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": "nobody"}}}
    site["pod"]["spec"].setdefault("affinity", {})["podAffinity"] = {REQUIRED: [term]}


def far_volume(site: Site) -> None:
    _claimed(site, "far")
    site["others"] += [a_volume("pv-far", labels={ZONE: "q"}), a_claim("far", volume="pv-far")]


def small_volume(site: Site) -> None:
    _claimed(site, "small")
    static = a_class("static", provisioner="kubernetes.io/no-provisioner")
    volume = a_volume("pv-small", size="4Gi", phase="Available", **STATIC)
    site["others"] += [static, volume, a_claim("small", size="5Gi", **STATIC)]


def no_claim(site: Site) -> None:
    _claimed(site, "nowhere")


def gated(site: Site) -> None:
    site["pod"]["spec"]["schedulingGates"] = [{"name": "g"}]


def _claimed(site: Site, name: str) -> None:
    volumes = site["pod"]["spec"].setdefault("volumes", [])
    volumes.append({"name": name, "persistentVolumeClaim": {"claimName": name}})


@pytest.mark.parametrize(
    "hindrances",
    [
        (no_cpu, tainted),
        (no_cpu, spread),
        (no_label, spread),
        (no_label, far_volume),
        (cordoned, far_volume),
        (far_volume, small_volume),
        (apart, near_nobody),
        (gated, no_claim, no_cpu),
        (no_cpu, no_more_pods, tainted),
        (tainted, no_label, small_volume),
    ],
    ids=lambda some: "-".join(one.__name__ for one in some),
)
def test_what_settles_several_hindrances_together_is_found(hindrances: tuple[Callable[[Site], None], ...]):
    site = a_site()
    for one in hindrances:
        one(site)
    simulation = waiting([*site["nodes"], *site["others"], site["pod"]])
    helpful = [one for one in tried(simulation) if one.result.fits]
    assert helpful
    for one in helpful[:3]:
        assert lands_on(simulation, one) == one.result.node, one.fix.title
