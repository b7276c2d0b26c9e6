#!/usr/bin/env python
"""A run flat out, as the product does it, with a browser watching: `scripts/measure_run.py [--nodes N] [--pods M] …`.

Everything is real: `manage.py up` in a temporary directory (web, runner, worker, broker), SQLite or a throwaway
PostgreSQL, headless Chromium on the board. The clock runs from the command to the last binding in the database. Then
random pages of cycles and pods are opened, and the board as it was 10,000 events ago.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CLUSTER, PASSWORD = "measured", "only-to-measure-1"
LOOK_MS, BACK, FRESH = 50, 10_000, 5
COUNT_FRAMES = """
  localStorage.setItem('podium-tour', 'seen');
  window.framesSeen = 0;
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...given) { super(...given); this.addEventListener('message', () => { window.framesSeen += 1; }); }
  };
"""


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="podium-measure-") as home, database(options.database) as address:
        os.environ |= {"PODIUM_HOME": home, "PODIUM_ADMIN_PASSWORD": PASSWORD, "PORT": str(free_port())}
        os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "measure", **address}
        for name in {"REDIS_URL", "DATABASE_URL", "HOST"} - address.keys():
            os.environ.pop(name, None)
        with podium(Path(home)) as (process, site):
            sys.path.insert(0, str(ROOT))
            given = {"database": options.database, "load": round(os.getloadavg()[0], 1)}  # of others, before it begins
            result = given | measured(options, process, site)
    print(json.dumps(result))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=1_000)
    parser.add_argument("--pods", type=int, default=10_000)
    parser.add_argument("--workload", default="simple", help="one of manage.py benchmark's")
    parser.add_argument("--openb", action="store_true", help="the openb trace in PODIUM_DATA_DIR instead")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--pages", type=int, default=30, help="of cycles, and of pods, to open afterwards")
    parser.add_argument("--watchers", type=int, default=1, help="browsers on the board (0 = none)")
    return parser.parse_args()


# --- what it runs on --------------------------------------------------------------------------------------------------


@contextmanager
def database(kind: str) -> Iterator[dict[str, str]]:
    """Its address, as an environment. PostgreSQL waits for the disk at every commit, as it does by default."""
    if kind == "sqlite":
        yield {}
        return
    script = "source scripts/postgres.sh; start_postgres >&2; echo $TEST_POSTGRES_URL; read; stop_postgres"
    shell = subprocess.Popen(
        ["bash", "-c", script],
        cwd=ROOT,
        env={**os.environ, "POSTGRES_FSYNC": "on"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert shell.stdout is not None
    try:
        yield {"DATABASE_URL": shell.stdout.readline().strip()}
    finally:
        shell.communicate("\n")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def podium(home: Path) -> Iterator[tuple[int, str]]:
    """`manage.py up`, its process id and the address of the site."""
    site = f"http://127.0.0.1:{os.environ['PORT']}"
    log = home / "up.log"
    with log.open("w") as said:
        up = subprocess.Popen([sys.executable, "manage.py", "up"], cwd=ROOT, stdout=said, stderr=said)
    try:
        wait_for(site + "/healthz")
        yield up.pid, site
    finally:
        up.send_signal(signal.SIGINT)
        up.wait(30)
        if "Traceback" in log.read_text():
            print(log.read_text(), file=sys.stderr)


def wait_for(address: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(address, timeout=2).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            time.sleep(3)  # the workers report themselves
            return


# --- what is measured -------------------------------------------------------------------------------------------------


def measured(options: argparse.Namespace, up: int, site: str) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's synchronous interface runs an event loop here
    cluster_id = make_cluster(options)
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        launch = partial(playwright.chromium.launch, executable_path=found, args=["--no-sandbox"])
        browser = launch()
        pages = [watch(browser, site) for _ in range(options.watchers)]
        before = cpu_seconds(up)
        result = run(cluster_id, pages)
        used = {name: round(seconds - before[name], 1) for name, seconds in cpu_seconds(up).items()}
        result |= {"cpu_seconds": used, "rss_mib": memory(up)}
        context = pages[0].context if pages else browser.new_context(viewport={"width": 1440, "height": 900})
        result |= opened(context.new_page(), site, cluster_id, options.pages)
        result |= first_cycle_page(launch, site, cluster_id)
        result |= {"rss_mib_after_pages": memory(up)}
        browser.close()
    return result


def make_cluster(options: argparse.Namespace) -> int:
    import django

    django.setup()
    from scheduler import store
    from scheduler.management.benchmark import WORKLOADS, Size
    from scheduler.services import cluster_create

    if options.openb:
        from openb import manifests

        made = list(manifests(Path(os.environ["PODIUM_DATA_DIR"]) / "openb"))
    else:
        made = list(WORKLOADS[options.workload].manifests(Size(options.nodes, options.pods)))
    cluster = cluster_create(CLUSTER, made)
    store.forget()
    return int(cluster.pk)


def watch(browser: Any, site: str, script: str = "") -> Any:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.add_init_script(COUNT_FRAMES + script)
    page.goto(f"{site}/c/{CLUSTER}/")
    page.wait_for_selector("connection-chip [data-state=live]")
    page.wait_for_timeout(1_000)
    return page


def run(cluster_id: int, pages: list[Any]) -> dict[str, Any]:
    """From the command to the last change in the database, to within `LOOK_MS`."""
    from scheduler.models import Cluster, Event, Pod
    from scheduler.services import run_start

    row = Cluster.objects.filter(pk=cluster_id)
    frames = [page.evaluate("window.framesSeen") for page in pages]
    first, began = row.values_list("seq", flat=True).get(), time.monotonic()
    last, changed, running = first, began, True
    run_start(cluster_id, 0)
    while running:
        pages[0].wait_for_timeout(LOOK_MS) if pages else time.sleep(LOOK_MS / 1000)
        seq, wanted = row.values_list("seq", "wanted").get()
        if seq != last:
            last, changed = seq, time.monotonic()
        running = wanted == Cluster.Wanted.RUNNING
    seconds, pods = changed - began, Pod.objects.filter(cluster=cluster_id)
    for page in pages:
        page.wait_for_function(SHOWN, arg=f"{last:,}")
    painted = time.monotonic()
    bound = pods.exclude(node_name="").count()
    return {
        "nodes": row.get().node_set.count(),
        "pods": pods.count(),
        "bound": bound,
        "attempts": Event.objects.filter(cluster=cluster_id, kind="CycleFinished").count(),
        "events": last - first,
        "seconds": round(seconds, 2),
        "pods_per_second": round(bound / seconds),
        "frames": [page.evaluate("window.framesSeen") - before for page, before in zip(pages, frames, strict=True)],
        "painted_after_ms": round((painted - changed) * 1000) if pages else None,
    }


# Nothing of what it shows is in the browser's caches yet, Plotly's code is not compiled.
FIRST_PICTURE = """
  const look = () => requestAnimationFrame(() => {
    const there = document.querySelector('canvas.plot-first, .js-plotly-plot');
    if (there) requestAnimationFrame(() => { window.firstPictureMs = performance.now(); });
    else look();
  });
  look();
"""
SHOWN = "count => document.querySelector('cluster-clock').textContent.includes(`event ${count}`)"


def opened(page: Any, site: str, cluster_id: int, count: int) -> dict[str, Any]:
    """p50 and p95 in ms: the whole page in a browser until its load event, each address for the first time."""
    from scheduler.models import Cluster, Pod

    cluster, draw = Cluster.objects.get(pk=cluster_id), random.Random(1)
    numbers = draw.sample(range(1, cluster.cycle + 1), min(count, cluster.cycle))
    keys = list(Pod.objects.filter(cluster=cluster).order_by("pk").values_list("namespace", "name"))
    back = min(BACK, cluster.seq // 2)
    return {
        "cycle_page_ms": loads(page, [f"{site}/c/{CLUSTER}/cycles/{number}/" for number in numbers]),
        "pod_page_ms": loads(
            page, [f"{site}/c/{CLUSTER}/pods/{'/'.join(key)}/" for key in draw.sample(keys, min(count, len(keys)))]
        ),
        "back_ms": loads(page, [f"{site}/c/{CLUSTER}/state.json?at={cluster.seq - back - at * 13}" for at in range(3)]),
        "head_ms": loads(page, [f"{site}/c/{CLUSTER}/"]),
    }


def first_cycle_page(launch: Callable[[], Any], site: str, cluster_id: int) -> dict[str, list[int]]:
    """The first page that a browser opens here, of as many browsers, in ms: until its load event, and its heatmap."""
    from scheduler.models import Cluster

    last = Cluster.objects.get(pk=cluster_id).cycle
    found: dict[str, list[int]] = {"first_page_loaded_ms": [], "first_heatmap_ms": []}
    for at in range(FRESH):
        browser = launch()
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script(FIRST_PICTURE)
        began = time.perf_counter()
        page.goto(f"{site}/c/{CLUSTER}/cycles/{last * (at + 1) // (FRESH + 1)}/")
        found["first_page_loaded_ms"].append(round((time.perf_counter() - began) * 1000))
        page.wait_for_function("window.firstPictureMs")
        found["first_heatmap_ms"].append(page.evaluate("Math.round(window.firstPictureMs)"))
        browser.close()
    return found


def loads(page: Any, addresses: list[str]) -> dict[str, int]:
    times = []
    for address in addresses:
        began = time.perf_counter()
        answer = page.goto(address)
        times.append((time.perf_counter() - began) * 1000)
        assert answer.status == 200, (address, answer.status)
        page.wait_for_load_state("networkidle")  # Plotly comes after the load event: nobody leaves before that
    times = times if len(times) > 1 else times * 2
    shares = quantiles(times, n=100, method="inclusive")
    return {"p50": round(shares[49]), "p95": round(shares[94]), "max": round(max(times))}


def memory(up: int) -> dict[str, list[int]]:
    """Now and at most, MiB, of every process of `up` by its command; a worker with its children."""
    found: dict[str, list[int]] = {}
    for name, process in processes(up):
        status, sizes = (process / "status").read_text(), found.setdefault(name, [0, 0])
        for place, word in enumerate(("VmRSS", "VmHWM")):
            sizes[place] += int(re.search(rf"{word}:\s+(\d+)", status)[1]) // 1024  # type: ignore[index]
    return found


def cpu_seconds(up: int) -> Counter[str]:
    """Used so far, in user and system mode, by command."""
    used: Counter[str] = Counter()
    for name, process in processes(up):
        fields = (process / "stat").read_text().rpartition(")")[2].split()
        used[name] += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # type: ignore[assignment]
    return used


def processes(up: int) -> Iterator[tuple[str, Path]]:
    """Of `manage.py up`: the command (web, runner, worker) and where Linux tells about each of its processes."""
    for process in descendants(up):
        words = Path(f"/proc/{process}/cmdline").read_text().split("\0")
        if len(words) > 2 and words[1].endswith("manage.py"):
            yield words[2], Path(f"/proc/{process}")


def descendants(process: int) -> Iterator[int]:
    for child in Path(f"/proc/{process}/task").glob("*/children"):
        for one in map(int, child.read_text().split()):
            yield one
            yield from descendants(one)


if __name__ == "__main__":
    main()
