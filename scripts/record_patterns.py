"""Records the sample of the patterns page anew: `.venv/bin/python scripts/record_patterns.py`.

A small cluster is made in a throwaway database and stepped; its payloads go into `dashboard/samples/patterns.json`.
Times are set to fixed figures, so that the file changes only where a payload does.
"""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "dashboard" / "samples" / "patterns.json"
START_US = 1_767_225_600_000_000
CLUSTER = "patterns"
MAP_MS, REDUCE_MS, PHASE_MS = 2.4, 0.6, 0.12


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="podium-patterns-") as home:
        os.environ |= {"PODIUM_HOME": home, "DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "patterns"}
        os.environ.pop("DATABASE_URL", None)
        sys.path.insert(0, str(ROOT))
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        text = json.dumps(sample(), indent=1, ensure_ascii=False)
    OUT.write_text(text + "\n")
    print(f"{OUT.relative_to(ROOT)}: {len(text) // 1024} KiB")


def sample() -> dict[str, Any]:
    """{board, flow, rules, cycles: {placed, tied, refused, preempting}, cell, topology}."""
    from dashboard.build.board import board_state
    from scheduler import services
    from scheduler.models import Cluster

    pk = services.cluster_create(CLUSTER, manifests(), start_us=START_US).pk
    for _ in range(9):
        services.cycle_step(pk)
    cluster = Cluster.objects.get(pk=pk)
    board = dict(board_state(cluster))
    board["cycle"] = timed(board["cycle"])
    cycles, numbers = cycles_of(cluster)
    return {"board": board, **queue_of(cluster), "cycles": cycles, **details_of(cluster, numbers["placed"], cycles)}


def cycles_of(cluster: Any) -> tuple[dict[str, Any], dict[str, int]]:
    """The cycle of each pod that shows something, by what it shows."""
    from dashboard.build.records import cycle_record
    from dashboard.build.source import drawn

    shown = {"shop/web-7": "placed", "shop/even-1": "tied", "shop/huge": "refused", "shop/vip": "preempting"}
    found: dict[str, Any] = {}
    numbers: dict[str, int] = {}
    for number in range(1, 10):
        record = cycle_record(cluster.pk, number, cluster.seq)
        if record and record.pod in shown and shown[record.pod] not in found:
            name = shown[record.pod]
            found[name], numbers[name] = timed(dict(drawn(cluster, record).view)), number
    assert found.keys() == set(shown.values()), found.keys()
    return found, numbers


def timed(view: dict[str, Any]) -> dict[str, Any]:
    """With figures for the times, and the work shared by two workers."""
    view["phases"] = [phase | {"ms": PHASE_MS if phase["ms"] is not None else None} for phase in view["phases"]]
    tasks, at_ms = [], 0.0
    for place, task in enumerate(view["tasks"]):
        ms = {"map": MAP_MS, "reduce": REDUCE_MS}.get(task["kind"], PHASE_MS)
        worker = "core" if task["kind"] == "phase" else f"w{place % 2 + 1}"
        tasks.append(task | {"worker": worker, "start_ms": round(at_ms, 2), "ms": ms})
        at_ms += ms * (1 if worker == "core" else 0.6)
    view["tasks"] = tasks
    return view


def queue_of(cluster: Any) -> dict[str, Any]:
    from dashboard.build.flow import flow, rules
    from scheduler import store

    with store.reading(cluster.pk) as simulation:
        return {"flow": flow(simulation), "rules": rules(simulation)}


def details_of(cluster: Any, number: int, cycles: dict[str, Any]) -> dict[str, Any]:
    from dashboard.build.explain import explain_cell
    from dashboard.build.records import cycle_record
    from dashboard.build.source import attempt_of
    from dashboard.build.topology import topology

    record = cycle_record(cluster.pk, number, cluster.seq)
    assert record is not None
    with attempt_of(cluster, record) as made:
        cell = explain_cell(made, cycles["placed"]["winner"], "NodeResourcesFit")
        return {"cell": cell, "topology": topology(made)}


def manifests() -> list[dict[str, Any]]:
    nodes = [node(f"node-{at:03d}", zone="ab"[at % 2], disk="ssd" if at % 3 == 0 else "hdd") for at in range(1, 9)]
    nodes[2]["spec"] = {"taints": [{"key": "spot", "value": "true", "effect": "PreferNoSchedule"}]}
    nodes[3]["status"]["images"] = [{"names": ["example.org/web:7"], "sizeBytes": 900_000_000}]
    nodes[5]["spec"] = {"unschedulable": True}
    nodes[6]["spec"] = {"taints": [{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}]}
    nodes[7]["status"]["conditions"] = [{"type": "Ready", "status": "False", "reason": "KubeletNotReady"}]
    nodes[7]["spec"] = {"taints": [{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]}
    placed = [
        pod(f"{app}-{at}", app=app, cpu=cpu, nodeName=f"node-{at % 5 + 1:03d}")
        for app, cpu, pods in (("web", "600m", 6), ("db", "1", 3), ("agent", "100m", 8))
        for at in range(pods)
    ]
    placed.append(pod("over", app="batch", cpu="9", nodeName="node-007"))
    return [*nodes, *placed, *waiting()]


def waiting() -> list[dict[str, Any]]:
    zone = {
        "topologyKey": "topology.kubernetes.io/zone",
        "maxSkew": 1,
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    near = {"topologyKey": "topology.kubernetes.io/zone", "labelSelector": {"matchLabels": {"app": "db"}}}
    ssd = {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}
    affinity = {
        "nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 40, "preference": ssd}]},
        "podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 60, "podAffinityTerm": near}]},
    }
    spread = [zone | {"whenUnsatisfiable": "ScheduleAnyway"}]
    web = pod("web-7", app="web", cpu="500m", priority=900, affinity=affinity, topologySpreadConstraints=spread)
    web["spec"]["containers"][0]["image"] = "example.org/web:7"
    return [
        web,
        pod("vip", app="vip", cpu="3500m", priority=1000),
        pod("even-1", app="even", cpu="100m", priority=1100, nodeSelector={"pair": "true"}),
        pod("huge", app="huge", cpu="64", priority=700),
        pod("picky", app="picky", cpu="100m", priority=600, nodeSelector={"disk": "nvme"}),
        pod("held", app="held", schedulingGates=[{"name": "example.com/quota"}]),
        *(pod(f"job-{at}", app="job", cpu="200m", priority=10 - at) for at in range(8)),
    ]


def node(name: str, zone: str, disk: str) -> dict[str, Any]:
    labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"zone-{zone}", "disk": disk}
    if name in ("node-004", "node-005"):
        labels["pair"] = "true"
    allocatable = {"cpu": "4", "memory": "16Gi", "pods": "110"}
    status = {"allocatable": allocatable, "capacity": allocatable}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "status": status}


def pod(name: str, app: str, cpu: str = "100m", **spec: Any) -> dict[str, Any]:
    requests = {"cpu": cpu, "memory": "256Mi"}
    container = {"name": "main", "image": "example.org/main:1", "resources": {"requests": requests}}
    metadata = {"name": name, "namespace": "shop", "labels": {"app": app}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [container], **spec}}


if __name__ == "__main__":
    main()
