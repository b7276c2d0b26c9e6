#!/usr/bin/env python
"""How long a step takes through Celery, from the command to the committed decision: `scripts/measure_step.py [NODES…]`.

Everything is real and made for the occasion in a temporary directory: SQLite, the embedded server, one worker process
pair, a cluster whose every node is scored (percentageOfNodesToScore 100), as many map ranges as the settings say.
"""

import subprocess
import sys
import time
from collections import defaultdict

from temporary import ROOT, temporary_site

STEPS = 30
WARM_UP = 3


def main(sizes: list[int]) -> None:
    with temporary_site():
        from django.conf import settings

        from scheduler.management.embedded import server_command, wait_for_redis

        server = subprocess.Popen(server_command(settings.REDIS_SOCKET))
        worker = None
        try:
            assert not wait_for_redis(settings.REDIS_URL, 10)
            worker = subprocess.Popen([sys.executable, "manage.py", "worker"], cwd=ROOT)
            wait_for_worker()
            print("nodes  steps  executor    median ms  p95 ms   median ms by phase")
            for nodes in sizes:
                measure(nodes)
        finally:
            for process in (worker, server):
                if process is not None:
                    process.terminate()
                    process.wait()


def wait_for_worker() -> None:
    from scheduler.execution import alive

    while not alive("worker"):
        time.sleep(0.05)


def measure(nodes: int) -> None:
    from scheduler.execution import report_of
    from scheduler.services import cluster_create, cycle_step

    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "percentageOfNodesToScore": 100,
    }
    manifests = [node_manifest(i) for i in range(nodes)] + [pod_manifest(i) for i in range(STEPS + WARM_UP)]
    cluster = cluster_create(f"measure-{nodes}", manifests, configuration=configuration)
    times: list[float] = []
    phases: defaultdict[str, list[float]] = defaultdict(list)
    executors = set()
    for _ in range(STEPS + WARM_UP):
        began = time.perf_counter()
        stepped = cycle_step(cluster.pk)
        times.append((time.perf_counter() - began) * 1000)
        assert stepped is not None
        assert stepped.decision is not None
        assert stepped.decision.feasible == nodes, stepped.decision
        report = report_of(cluster.pk, stepped.number)
        assert report is not None
        executors.add(report["executor"])
        for name, ms in report["phases"].items():
            phases[name].append(ms)
    times = sorted(times[WARM_UP:])
    parts = ", ".join(f"{name} {sorted(ms)[len(ms) // 2]:.1f}" for name, ms in phases.items())
    print(
        f"{nodes:5}  {STEPS:5}  {'+'.join(sorted(executors)):10}  {times[len(times) // 2]:9.1f}  "
        f"{times[int(len(times) * 0.95)]:6.1f}   {parts}"
    )


def node_manifest(index: int) -> dict:
    name = f"node-{index:05}"
    labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"zone-{index % 5}"}
    capacity = {"cpu": "16", "memory": "64Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "status": {"capacity": capacity, "allocatable": capacity},
    }


def pod_manifest(index: int) -> dict:
    requests = {"cpu": "100m", "memory": "128Mi"}
    container = {"name": "c", "image": "registry.example/app:1", "resources": {"requests": requests}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"pod-{index}", "namespace": "default"},
        "spec": {"containers": [container]},
    }


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [1000, 5000])
