#!/usr/bin/env python
"""States of the past, from the database: `scripts/measure_fold.py [--nodes N] [--bound B] [--pods M]`.

A cluster is made in a temporary directory (SQLite) and run flat out in this process. Then states at random events are
loaded as by a process that has just started (nearest checkpoint, decoded, and the events since, applied), and the last
100 and 10,000 events are undone, tables included. One line of JSON: seconds, of the clock and of the processor.
"""

import argparse
import json
import os
import random
import time
from collections.abc import Callable
from typing import Any

from temporary import temporary_site


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=5_000)
    parser.add_argument("--bound", type=int, default=50_000)
    parser.add_argument("--pods", type=int, default=10_000)
    parser.add_argument("--states", type=int, default=20)
    options = parser.parse_args()
    with temporary_site():
        print(json.dumps(measured(options)))


def measured(options: argparse.Namespace) -> dict[str, Any]:
    from scheduler import store
    from scheduler.management.benchmark import WORKLOADS, Size
    from scheduler.models import Checkpoint, Cluster
    from scheduler.services import cluster_create, cluster_reset

    size = Size(options.nodes, options.pods, options.bound)
    made = cluster_create("measured", WORKLOADS["simple"].manifests(size))
    first = made.seq
    run(made.pk)
    cluster = Cluster.objects.get(pk=made.pk)
    chance = random.Random(1)
    seqs = [chance.randint(first, cluster.seq) for _ in range(options.states)]
    loads = sorted(cold(lambda seq=seq: store.borrow(cluster.pk, seq)) for seq in seqs)  # type: ignore[misc]
    undos = {
        f"undo_{count}": cold(lambda count=count: cluster_reset(cluster.pk, cluster.seq - count))  # type: ignore[misc]
        for count in (100, 10_000)
        if cluster.seq - count > first
    }
    return {
        "nodes": options.nodes,
        "pods": options.bound + options.pods,
        "events": cluster.seq,
        "checkpoints": Checkpoint.objects.filter(cluster=cluster).count(),
        "load": round(os.getloadavg()[0], 1),
        "state_p50": loads[len(loads) // 2],
        "state_max": loads[-1],
        **undos,
    }


def run(cluster_id: int) -> None:
    from scheduler.runner.run import Run
    from scheduler.services import run_start

    run_start(cluster_id, 0)
    runner = Run(cluster_id, "measure")
    while runner.advance():
        pass


def cold(work: Callable[[], object]) -> tuple[float, float]:
    from scheduler import store

    store.forget()
    began, used = time.perf_counter(), time.process_time()
    work()
    return round(time.perf_counter() - began, 3), round(time.process_time() - used, 3)


if __name__ == "__main__":
    main()
