"""Whatever the checks let through can be stored, scheduled and exported: odd values in every place of every kind."""

import copy
import json

import pytest

from scheduler import services
from scheduler.manifests.export import cluster_objects
from scheduler.manifests.sources import Source
from scheduler.models import Cluster
from scheduler.services.imports import cluster_import

VALUES = [
    None,
    True,
    -1,
    0,
    2**40,
    2**63,
    10**25,
    1.5,
    "",
    "x",
    "y" * 3000,
    "\ud7ff\U0001f600",
    [],
    {},
    [None],
    {"": None},
    [[]],
    {"a": {"b": []}},
]
TERM = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}
SELECTOR = {"nodeSelectorTerms": [TERM]}
CONTAINER = {
    "name": "main",
    "image": "nginx",
    "ports": [{"containerPort": 80, "hostPort": 80, "protocol": "TCP", "hostIP": "1.2.3.4"}],
    "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "1"}},
}
SAMPLES = {
    "Node": {
        "spec": {"unschedulable": False, "taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]},
        "status": {
            "allocatable": {"cpu": "4", "pods": "9"},
            "capacity": {"cpu": "4"},
            "images": [{"names": ["nginx"], "sizeBytes": 5}],
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    },
    "Pod": {
        "spec": {
            "containers": [CONTAINER],
            "initContainers": [{**CONTAINER, "name": "setup", "restartPolicy": "Always"}],
            "nodeName": "",
            "priority": 1,
            "nodeSelector": {"a": "b"},
            "tolerations": [{"key": "a", "operator": "Exists", "effect": "NoSchedule"}],
            "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": SELECTOR}},
            "topologySpreadConstraints": [
                {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}
            ],
            "schedulingGates": [{"name": "g"}],
            "overhead": {"cpu": "1"},
            "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}],
        },
        "status": {"phase": "Running", "startTime": "2026-01-01T00:00:00Z", "nominatedNodeName": "n", "conditions": []},
    },
    "PriorityClass": {"value": 5, "globalDefault": False, "preemptionPolicy": "Never"},
    "Service": {"spec": {"selector": {"a": "b"}}},
    "ReplicaSet": {"spec": {"replicas": 1, "selector": {"matchLabels": {"a": "b"}}}},
    "PersistentVolumeClaim": {"spec": {"resources": {"requests": {"storage": "1Gi"}}, "accessModes": ["x"]}},
    "PersistentVolume": {"spec": {"capacity": {"storage": "1Gi"}, "nodeAffinity": {"required": SELECTOR}}},
    "PodDisruptionBudget": {"spec": {"selector": {"matchLabels": {"a": "b"}}}, "status": {"disruptionsAllowed": 1}},
    "UnitedDeployment": {"spec": {
        "replicas": 3,
        "selector": {"matchLabels": {"a": "b"}},
        "template": {"cloneSetTemplate": {"metadata": {"labels": {"a": "b"}}}},
        "topology": {"subsets": [{"name": "a", "replicas": 1}, {"name": "b"}]},
    }},
    "Deployment": {"spec": {"replicas": 3, "selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {}}}},
    "StorageClass": {"provisioner": "p", "volumeBindingMode": "Immediate"},
}  # fmt: skip
API_VERSIONS = {
    "PriorityClass": "scheduling.k8s.io/v1",
    "ReplicaSet": "apps/v1",
    "PodDisruptionBudget": "policy/v1",
    "UnitedDeployment": "apps.kruise.io/v1alpha1",
    "Deployment": "apps/v1",
    "StorageClass": "storage.k8s.io/v1",
}

PLAIN = [
    {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "plain", "labels": {"zone": "a", "a": "b"}},
        "status": {"allocatable": {"cpu": "400", "memory": "1Ti", "pods": "900"}},
    },
    {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "plain", "labels": {"a": "b"}},
        "spec": {"containers": [{"name": "main"}]},
    },
]
CYCLES = 25


def places(value, path=()):
    """The path of everything in a value."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield (*path, key)
        yield from places(child, (*path, key))


def with_value(manifest, path, value):
    broken = copy.deepcopy(manifest)
    inner = broken
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return broken


def variants(kind):
    sample = {"apiVersion": API_VERSIONS.get(kind, "v1"), "kind": kind, **SAMPLES[kind]}
    number = 0
    for path in places(SAMPLES[kind]):
        for value in VALUES:
            number += 1
            yield with_value({**sample, "metadata": {"name": f"x-{number}", "labels": {"a": "b"}}}, path, value)
    for field in ("labels", "annotations", "creationTimestamp", "ownerReferences", "uid", "deletionTimestamp"):
        for value in VALUES:
            number += 1
            yield {**sample, "metadata": {"name": f"x-{number}", field: value}}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", SAMPLES)
def test_whatever_is_taken_can_be_stored_scheduled_and_exported(kind):
    objects = [*variants(kind), *PLAIN]
    dump = json.dumps({"kind": "List", "apiVersion": "v1", "items": objects}).encode()
    imported = cluster_import("odd", [Source("odd.json", content=dump)], skip_invalid=True)
    counts = imported.report.of(kind)
    assert imported.report.total.found == len(objects) == imported.report.total.taken + imported.report.total.wrong
    assert counts.taken > 0
    assert counts.wrong > 0
    assert sum(one["kind"] == kind for one in cluster_objects(Cluster.objects.get())) == counts.taken
    for _ in range(CYCLES):
        services.cycle_step(imported.cluster.pk)
