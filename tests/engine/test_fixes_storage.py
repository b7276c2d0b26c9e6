"""What would make a pod with claims fit, or one whose profile asks for more; a plain run agrees with each change."""

from typing import Any

import pytest

from scheduler.engine.fixes.search import Search
from tests.engine.scenario import Manifest, a_node, a_pod, with_metadata
from tests.engine.storage_builders import a_claim, a_class, a_volume, ephemeral, using, zone_term
from tests.engine.test_fixes import lands_on, tried, waiting

ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
LATE, STATIC = {"storageClassName": "late"}, {"storageClassName": "static"}
NO_PROVISIONER = a_class("static", provisioner="kubernetes.io/no-provisioner")
CAPACITY = {
    "kind": "CSIStorageCapacity", "metadata": {"name": "c", "namespace": "default"},
    "storageClassName": "late", "capacity": "3Gi", "nodeTopology": {},
}  # fmt: skip
TELLS = {"kind": "CSIDriver", "metadata": {"name": "disk.test"}, "spec": {"storageCapacity": True}}
GATED = {"schedulingGates": [{"name": "g"}]}
TAINTS = [{"key": "k", "value": "v", "effect": "NoSchedule"}]


def x(*volumes: Manifest, cpu: str = "1", **spec: Any) -> Manifest:
    return a_pod("x", cpu, volumes=list(volumes or using("data")), **spec)


def free(name: str, **more: Any) -> Manifest:
    return a_volume(name, **{"phase": "Available", **STATIC, **more})


def reached(key: str, value: str) -> Manifest:
    return {"nodeAffinity": {"required": {"nodeSelectorTerms": [zone_term(value, key=key)]}}}


OTHER, FAR = {"namespace": "a", "name": "b"}, {"key": ZONE, "values": ["z9"]}
USER = a_pod("u", nodeName="n1", volumes=using("data"))
ONE_POD = {"accessModes": ["ReadWriteOncePod"]}
CASES: dict[str, tuple[list[Manifest], list[str]]] = {
    "no claim, a class": ([a_class(), x()], ["claim", "no-claim"]),
    "no claim, no class": ([x()], ["claim", "no-claim"]),
    "no claim, a spare volume": ([free("pv", storageClassName="manual"), x()], ["claim", "no-claim"]),
    "a misspelled claim": ([a_class(), a_claim("data-db", **LATE), x(*using("dat-db"))], ["claim-slip", "claim"]),
    "no two claims": ([a_class(), x(*using("data", "logs"))], ["claim+claim"]),
    "no claim, no cpu": ([a_class(), x(cpu="9")], ["claim+larger-node", "claim+request"]),
    "a gate, no claim, no cpu": ([a_class(), x(cpu="9", **GATED)], ["gate+claim+larger-node", "gate+claim+request"]),
    "a gate, another scheduler": ([a_pod("x", schedulerName="y", **GATED)], ["gate+scheduler"]),
    "no ephemeral claim": ([a_class(), x(*ephemeral())], ["claim"]),
    "a claim being deleted": (
        [a_class(), a_claim(deletionTimestamp="2025-01-01T00:00:00Z", **LATE), x()],
        ["claim-anew"],
    ),
    "unbound, its class binds at once": (
        [a_class("now", mode="Immediate"), a_claim(storageClassName="now"), x()],
        ["volume"],
    ),
    "unbound, a misspelled class": (
        [a_class(), a_claim(storageClassName="lat"), x()],
        ["claim-class", "class", "volume"],
    ),
    "unbound, too small a volume": (
        [free("pv", size="4Gi", storageClassName="manual"), a_claim(size="5Gi", storageClassName="manual"), x()],
        ["claim-size", "volume-size", "volume"],
    ),
    "unbound, though they suit": (
        [free("pv", storageClassName="manual"), a_claim(storageClassName="manual"), x()],
        ["bind-claim"],
    ),
    "a volume that is gone": ([a_claim(volume="pv-7"), x()], ["restore-volume", "claim-anew"]),
    "a lost claim": ([a_claim(volume="pv-7", phase="Lost", **LATE), x()], ["restore-volume", "claim-anew"]),
    "too small": (
        [NO_PROVISIONER, free("pv", size="4Gi"), a_claim(size="5Gi", **STATIC), x()],
        ["claim-size", "volume", "volume-size"],
    ),
    "of the wrong class": (
        [NO_PROVISIONER, a_class(), free("pv", storageClassName="other"), a_claim(**STATIC), x()],
        ["claim-class", "volume-class", "volume"],
    ),
    "with the wrong access": (
        [NO_PROVISIONER, free("pv"), a_claim(accessModes=["ReadWriteMany"], **STATIC), x()],
        ["claim-modes", "volume"],
    ),
    "used before": (
        [NO_PROVISIONER, free("pv", phase="Released", claimRef=OTHER), a_claim(**STATIC), x()],
        ["volume-free", "volume"],
    ),
    "in the wrong zone": (
        [NO_PROVISIONER, free("pv", **reached(ZONE, "z9")), a_claim(**STATIC), x()],
        ["add-node", "volume", "restore-volume"],
    ),
    "on a node that is gone": (
        [a_volume("pv", **reached(HOST, "n9")), a_claim(volume="pv"), x()],
        ["add-node", "restore-volume"],
    ),
    "a class of other zones": (
        [a_class(allowedTopologies=[{"matchLabelExpressions": [FAR]}]), a_claim(**LATE), x()],
        ["class-topology"],
    ),
    "no storage left": ([a_class(), CAPACITY, TELLS, a_claim(size="5Gi", **LATE), x()], ["claim-size"]),
    "a claim for one pod": (
        [a_volume("pv", **ONE_POD), a_claim(volume="pv", **ONE_POD), USER, x()],
        ["claim-modes", "delete"],
    ),
}  # fmt: skip


def a_site(*, taints: list[Manifest] | None = None) -> list[Manifest]:
    """Three nodes in three zones."""
    more = {"taints": taints} if taints else {}
    return [with_metadata(a_node(f"n{at}", **more), labels={ZONE: f"z{at}", HOST: f"n{at}"}) for at in (1, 2, 3)]


def helpful(manifests: list[Manifest], configuration: Manifest | None = None) -> list[str]:
    """Kinds of what helps, each of which an independent run agrees with."""
    simulation = waiting(manifests, configuration)
    found = [one for one in tried(simulation) if one.result.fits]
    for one in found:
        assert lands_on(simulation, one) == one.result.node, one.fix.title
    again = [one.id for candidate in Search(simulation, "default/x").candidates for one in candidate]
    assert {one.fix.id for one in found} <= set(again), "equal states give equal candidates"
    return [one.fix.kind for one in found]


@pytest.mark.parametrize("name", CASES)
def test_a_pod_whose_claims_stand_in_its_way_is_helped(name):
    manifests, kinds = CASES[name]
    assert set(kinds) <= set(helpful([*a_site(), *manifests]))


def test_a_claim_and_a_taint_on_every_node_are_settled_together():
    manifests = [NO_PROVISIONER, free("pv", size="4Gi"), a_claim(size="5Gi", **STATIC), x()]
    assert "tolerate+claim-size" in helpful([*a_site(taints=TAINTS), *manifests])


def demanding(*values: str) -> Manifest:
    """A configuration whose only profile wants `pool` to have one of these values."""
    term = {"matchExpressions": [{"key": "pool", "operator": "In", "values": list(values)}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    added = [{"name": "NodeAffinity", "args": {"addedAffinity": required}}]
    head = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return {**head, "profiles": [{"schedulerName": "default-scheduler", "pluginConfig": added}]}


@pytest.mark.parametrize(
    ("spec", "kinds"),
    [
        ({}, ["label", "affinity-value", "no-affinity"]),
        ({"cpu": "6"}, ["affinity-value+request"]),
        ({"nodeSelector": {"disk": "ssd"}}, ["label+affinity-value", "no-selector+no-affinity"]),
    ],
)
def test_what_a_profile_adds_can_be_met_widened_or_dropped(spec, kinds):
    nodes = [with_metadata(a_node(name), labels={"pool": "web"}) for name in ("n1", "n2")]
    assert set(kinds) <= set(helpful([*nodes, a_pod("x", **spec)], demanding("batch")))


def test_another_domain_takes_a_pod_that_the_spread_keeps_out_and_it_is_called_the_same_each_time():
    rule = {
        "maxSkew": 1, "minDomains": 4, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }  # fmt: skip
    pods = [with_metadata(a_pod(f"w{at}", nodeName=f"n{at}"), labels={"app": "web"}) for at in (1, 2, 3)]
    pod = with_metadata(a_pod("x", topologySpreadConstraints=[rule]), labels={"app": "web"})
    assert "add-domain" in helpful([*a_site(), *pods, pod])
