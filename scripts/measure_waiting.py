#!/usr/bin/env python
"""How a board bears waiting pods: `scripts/measure_waiting.py [--minutes 30] [--nodes 50] [--pods 10000] [--trace]`

Everything is real, as in measure_run: `manage.py up` in a temporary directory, headless Chromium on the board. No pod
fits a node, so all of them wait. The run goes at real speed, and every half minute comes a node that fits one pod: its
hint brings all that could be it back to ActiveQ, and all but one of them are refused again. Told at the end: when the
first useful picture was painted (cards and nodes, nothing in any cache), tasks of the browser longer than 50 ms (apart
from loading the page), and what lives on its heap after a collection; how much it grew is told between the medians of
five samples, as a single one is off by some per cent. On a machine that does other things too, a task lasts longer than
it works: with `--trace`, five seconds of each half minute are traced, which makes tasks longer, and the most processor
time that one took is told beside it (`busiest_ms`). Ends with status 1 where a task took more than 100 ms, or the heap
grew by 10 % or more after the fifth minute.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from measure_run import CLUSTER, PASSWORD, ROOT, free_port, podium, watch
from measure_screen import USEFUL, WAIT

SETTLE_MS = 10_000  # the page and the first picture
CHANGE_SECONDS, SAMPLE_SECONDS, STEP_MS, TRACE_MS = 30, 30, 1_000, 5_000
LONGEST_MS, GROWTH, FROM_SECOND, TOGETHER = 100, 0.10, 300, 5
KINDS, LEAST_CPU = 20, 64  # pods wait for so many different amounts of cpu, from this on

OBSERVE = """
  window.longTasks = [];
  window.collections = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.longTasks.push([entry.startTime, entry.duration]);
  }).observe({ type: 'longtask', buffered: true });
"""


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="podium-measure-") as home:
        os.environ |= {"PODIUM_HOME": home, "PODIUM_ADMIN_PASSWORD": PASSWORD, "PORT": str(free_port())}
        os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "measure"}
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's synchronous interface runs an event loop here
        for name in ("REDIS_URL", "DATABASE_URL", "HOST"):
            os.environ.pop(name, None)
        with podium(Path(home)) as (_, site):
            sys.path.insert(0, str(ROOT))
            result = measured(options, site)
    print(json.dumps(result, indent=2))
    sys.exit(bool(result["too_long"]) or result["grew"] >= GROWTH)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--pods", type=int, default=10_000)
    parser.add_argument("--nodes", type=int, default=50)
    parser.add_argument("--trace", action="store_true")
    return parser.parse_args()


def measured(options: argparse.Namespace, site: str) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    cluster_id = make_cluster(options.nodes, options.pods)
    from scheduler.services import run_start

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = watch(browser, site, OBSERVE + USEFUL)
        useful = page.evaluate(WAIT)
        page.wait_for_timeout(SETTLE_MS)
        loading = taken(page)
        run_start(cluster_id, 1)
        heap, busiest = observed(page, cluster_id, options.minutes * 60, trace=options.trace)
        tasks = taken(page)
        frames = page.evaluate("window.framesSeen")
        lanes = page.locator("[data-lane] .queue-lane-count").all_inner_texts()
        browser.close()
    seen = {"busiest_ms": busiest, "frames": frames, "lanes": lanes}
    return {"first_useful_paint_ms": round(useful)} | summary(loading, tasks, heap) | seen


def make_cluster(nodes: int, pods: int) -> int:
    import django

    django.setup()
    from scheduler import store
    from scheduler.services import cluster_create

    cluster = cluster_create(CLUSTER, [*(node(f"node-{at}", 2) for at in range(nodes)), *map(pod, range(pods))])
    store.forget()
    return int(cluster.pk)


def node(name: str, cpu: int) -> dict[str, Any]:
    labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"zone-{len(name) % 3}"}
    allocatable = {"cpu": str(cpu), "memory": "64Gi", "pods": "110"}
    metadata = {"name": name, "labels": labels}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "status": {"allocatable": allocatable}}


def pod(at: int) -> dict[str, Any]:
    requests = {"cpu": str(LEAST_CPU + at % KINDS), "memory": "1Gi"}
    spec = {"containers": [{"name": "main", "image": "img:1", "resources": {"requests": requests}}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"wait-{at}", "namespace": "shop"}, "spec": spec}


def observed(page: Any, cluster_id: int, seconds: float, *, trace: bool) -> tuple[list[float], list[float]]:
    """MiB that live on the browser's heap, at the start, each half minute and at the end; and `busiest_ms`.

    Meanwhile nodes come.
    """
    from scheduler.services import Busy, objects_apply

    began, heap, busiest, changes = time.monotonic(), [alive_mib(page)], [], 0
    while (passed := time.monotonic() - began) < seconds:
        page.wait_for_timeout(STEP_MS)
        if passed > changes * CHANGE_SECONDS:
            changes += 1
            try:
                objects_apply(cluster_id, [node(f"large-{changes}", LEAST_CPU + changes % KINDS)])
            except Busy:
                print("the cluster was busy: no change this time", file=sys.stderr)
        if passed > len(heap) * SAMPLE_SECONDS:
            heap.append(alive_mib(page))
            if trace:
                busiest.append(busiest_ms(page))
            told = f"{heap[-1]:.1f} MiB, longer than {LONGEST_MS} ms: {too_long(page)} {busiest[-1:]}"
            print(f"{passed / 60:5.1f} min  {told}", file=sys.stderr, flush=True)
    return [*heap, alive_mib(page)], busiest


def busiest_ms(page: Any) -> float:
    """The most processor time that a task of the page's main thread takes, in the next few seconds."""
    page.context.browser.start_tracing(page=page, categories=["toplevel"])
    page.wait_for_timeout(TRACE_MS)
    events = json.loads(page.context.browser.stop_tracing())["traceEvents"]
    threads = {(one["pid"], one["tid"]) for one in events if one.get("args", {}).get("name") == "CrRendererMain"}
    tasks = [one.get("tdur", 0) for one in events if one.get("ph") == "X" and (one["pid"], one["tid"]) in threads]
    return round(max(tasks, default=0) / 1000, 1)


def alive_mib(page: Any) -> float:
    """The collection that this asks for is itself a long task, which is not the board's: `taken` leaves it out."""
    session = page.context.new_cdp_session(page)
    began = page.evaluate("performance.now()")
    session.send("HeapProfiler.enable")
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    session.detach()
    page.evaluate("began => { window.collections.push([began, performance.now()]); }", began)
    return float(used) / 2**20


def taken(page: Any) -> list[float]:
    """The long tasks since the last time, in ms, without those during which the heap was collected."""
    page.wait_for_timeout(STEP_MS)  # a task is told of after it ended
    return outside(*page.evaluate("[window.longTasks.splice(0), window.collections.splice(0)]"))


def too_long(page: Any) -> list[float]:
    """What `taken` would give of the tasks above the bound; they stay where they are."""
    seen = outside(*page.evaluate("[window.longTasks, window.collections]"))
    return [task for task in seen if task > LONGEST_MS]


def outside(tasks: list[tuple[float, float]], collections: list[tuple[float, float]]) -> list[float]:
    kept = [task for task in tasks if not any(overlap(task, span) for span in collections)]
    return [duration for _, duration in kept]


def overlap(task: tuple[float, float], span: tuple[float, float]) -> bool:
    start, duration = task
    began, ended = span
    return start < ended and began < start + duration


def summary(loading: list[float], tasks: list[float], heap: list[float]) -> dict[str, Any]:
    later = heap[min(FROM_SECOND // SAMPLE_SECONDS, len(heap) - 2) :]
    first, last = median(later[:TOGETHER]), median(later[-TOGETHER:])
    return {
        "loading_longest_ms": max(loading, default=0),
        "long_tasks": len(tasks),
        "longest_ms": max(tasks, default=0),
        "too_long": [task for task in tasks if task > LONGEST_MS],
        "heap_mib": [round(one, 1) for one in heap],
        "grew": round(last / first - 1, 3),
    }


if __name__ == "__main__":
    main()
