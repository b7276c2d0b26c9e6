"""Write a large `kubectl get … -o json` dump, to measure the import: make_big_dump.py NODES PODS [PENDING] > FILE."""

import json
import sys
from collections.abc import Iterator
from typing import Any

ZONES = ("zone-a", "zone-b", "zone-c")
CREATED = "2026-03-01T08:{:02}:{:02}Z"


def a_node(index: int) -> dict[str, Any]:
    name = f"node-{index:05}"
    sizes = {
        "cpu": "16",
        "memory": "65806992Ki",
        "ephemeral-storage": "98831908Ki",
        "pods": "110",
        "hugepages-2Mi": "0",
    }
    conditions = [
        {
            "lastHeartbeatTime": CREATED.format(50, 0),
            "lastTransitionTime": CREATED.format(0, index % 60),
            "message": f"kubelet has no {kind}",
            "reason": f"KubeletHasNo{kind}",
            "status": "True" if kind == "Ready" else "False",
            "type": kind,
        }
        for kind in ("MemoryPressure", "DiskPressure", "PIDPressure", "Ready")
    ]
    images = [
        {
            "names": [f"registry.example.com/app-{(index + other) % 60}:1.{other}"],
            "sizeBytes": 40_000_000 + other * 9_000_000,
        }
        for other in range(20)
    ]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "annotations": {"node.alpha.kubernetes.io/ttl": "0"},
            "creationTimestamp": CREATED.format(0, index % 60),
            "labels": {
                "kubernetes.io/arch": "amd64",
                "kubernetes.io/hostname": name,
                "kubernetes.io/os": "linux",
                "topology.kubernetes.io/zone": ZONES[index % 3],
            },
            "name": name,
            "resourceVersion": str(1000 + index),
            "uid": f"00000000-0000-4000-8000-{index:012}",
        },
        "spec": {"podCIDR": f"10.{index // 256}.{index % 256}.0/24", "providerID": f"example:///{name}"},
        "status": {
            "allocatable": sizes,
            "capacity": sizes,
            "conditions": conditions,
            "images": images,
            "nodeInfo": {"architecture": "amd64", "kubeletVersion": "v1.34.1", "operatingSystem": "linux"},
        },
    }


def a_pod(index: int, node: str | None) -> dict[str, Any]:
    app = f"app-{index % 60}"
    name, created = f"{app}-7d9c5b6f4-{index:05}", CREATED.format(index // 60 % 60, index % 60)
    mount = {"mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "name": "kube-api-access", "readOnly": True}
    fields = [{"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}, "path": "namespace"}]
    token = {
        "defaultMode": 420,
        "sources": [
            {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
            {"configMap": {"items": [{"key": "ca.crt", "path": "ca.crt"}], "name": "kube-root-ca.crt"}},
            {"downwardAPI": {"items": fields}},
        ],
    }
    spec: dict[str, Any] = {
        "containers": [
            {
                "env": [{"name": f"SETTING_{other}", "value": f"value-{other}"} for other in range(8)],
                "image": f"registry.example.com/{app}:1.{index % 20}",
                "imagePullPolicy": "IfNotPresent",
                "livenessProbe": {"httpGet": {"path": "/healthz", "port": 8080}, "periodSeconds": 10},
                "name": "main",
                "ports": [{"containerPort": 8080, "protocol": "TCP"}],
                "resources": {"limits": {"memory": "512Mi"}, "requests": {"cpu": "250m", "memory": "512Mi"}},
                "volumeMounts": [mount],
            }
        ],
        "dnsPolicy": "ClusterFirst",
        "enableServiceLinks": True,
        "priority": 0,
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "securityContext": {},
        "serviceAccountName": app,
        "tolerations": [
            {"effect": "NoExecute", "key": f"node.kubernetes.io/{key}", "operator": "Exists", "tolerationSeconds": 300}
            for key in ("not-ready", "unreachable")
        ],
        "volumes": [{"name": "kube-api-access", "projected": token}],
    }
    status: dict[str, Any] = {"phase": "Pending", "qosClass": "Burstable"}
    if node is not None:
        spec["nodeName"] = node
        conditions = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")
        status = {
            "conditions": [
                {"lastProbeTime": None, "lastTransitionTime": created, "status": "True", "type": kind}
                for kind in conditions
            ],
            "containerStatuses": [{"name": "main", "ready": True, "restartCount": 0, "started": True}],
            "hostIP": "10.0.0.1",
            "phase": "Running",
            "podIP": f"10.{index >> 16 & 255}.{index >> 8 & 255}.{index & 255}",
            "qosClass": "Burstable",
            "startTime": created,
        }
    owner = {"apiVersion": "apps/v1", "controller": True, "kind": "ReplicaSet", "name": f"{app}-7d9c5b6f4"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "creationTimestamp": created,
            "generateName": f"{app}-7d9c5b6f4-",
            "labels": {"app": app, "pod-template-hash": "7d9c5b6f4"},
            "name": name,
            "namespace": f"team-{index % 12}" if index % 40 else "kube-system",
            "ownerReferences": [
                owner | {"blockOwnerDeletion": True, "uid": f"00000000-0000-4000-9000-{index % 60:012}"}
            ],
            "resourceVersion": str(100_000 + index),
            "uid": f"00000000-0000-4000-a000-{index:012}",
        },
        "spec": spec,
        "status": status,
    }


def objects(nodes: int, pods: int, pending: int) -> Iterator[dict[str, Any]]:
    for index in range(12):
        name = f"team-{index}"
        yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": {"team": str(index)}}}
    yield from map(a_node, range(nodes))
    for index in range(pods):
        yield a_pod(index, f"node-{index % nodes:05}" if index < pods - pending else None)


def main() -> None:
    nodes, pods, pending = (int(argument) for argument in (*sys.argv[1:], "200")[:3])
    write = sys.stdout.write
    write('{\n    "apiVersion": "v1",\n    "items": [')
    for index, one in enumerate(objects(nodes, pods, pending)):
        text = json.dumps(one, indent=4).replace("\n", "\n        ")
        write(f"{',' if index else ''}\n        {text}")
    write('\n    ],\n    "kind": "List",\n    "metadata": {"resourceVersion": ""}\n}\n')


if __name__ == "__main__":
    main()
