#!/usr/bin/env python
"""From Step button to painted heatmap, and the first useful paint of the board: `scripts/measure_screen.py [NODES…]`.

Everything is real: `manage.py up` in a temporary directory (SQLite, embedded broker, workers, uvicorn), Chromium. Every
node is scored (percentageOfNodesToScore 100), in as many map ranges as the settings say, with a reduce per algorithm.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import quantiles
from typing import Any

from measure_run import free_port, wait_for

ROOT = Path(__file__).resolve().parents[1]
STEPS, WARM_UP, LOADS = 30, 3, 10
PASSWORD = "only-to-measure-1"
TARGETS = {1_000: 200, 5_000: 350}

STEP = """async () => {
  const image = () => document.querySelector('score-matrix .heatmaplayer image')?.getAttribute('href');
  const title = () => document.querySelector('cycle-head h2')?.textContent;
  const frame = () => new Promise(requestAnimationFrame);
  const [before, picture] = [title(), image()];
  const drawn = new Promise((done, fail) => {
    const look = () => title() !== before && image() && image() !== picture && done();
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributeFilter: ['href'] });
    setTimeout(() => fail(new Error('no new heatmap within ten seconds')), 10000);
  });
  const began = performance.now();
  document.querySelector('run-controls [data-command=step]').click();
  await drawn;
  await frame(); await frame();  // what is in the document now is on the screen then
  return performance.now() - began;
}"""

# Useful: cards in the queues and nodes in the cluster pane.
USEFUL = """
  (function look() {
    const ready = document.querySelector('.pod-card[data-key]') && document.querySelector('node-grid a');
    if (!ready) return requestAnimationFrame(look);
    requestAnimationFrame(() => requestAnimationFrame(() => { window.usefulAt = performance.now(); }));
  })();
"""

WAIT = """() => new Promise((done) => {
  const look = () => (window.usefulAt ? done(window.usefulAt) : setTimeout(look, 10));
  look();
})"""


def main(sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory(prefix="podium-measure-") as home:
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        os.environ |= {"PODIUM_HOME": home, "PORT": str(port), "PODIUM_ADMIN_PASSWORD": PASSWORD}
        os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "measure"}
        for name in ("REDIS_URL", "DATABASE_URL", "HOST"):
            os.environ.pop(name, None)
        log = (Path(home) / "up.log").open("w")
        podium = subprocess.Popen([sys.executable, "manage.py", "up"], cwd=ROOT, stdout=log, stderr=log)
        try:
            wait_for(address + "/healthz")
            for nodes in sizes:
                make_cluster(nodes)
            in_browser(address, sizes)
        finally:
            podium.send_signal(signal.SIGINT)
            podium.wait(30)
            log.close()


def make_cluster(nodes: int) -> None:
    sys.path.insert(0, str(ROOT))
    import django

    django.setup()
    from scheduler.services import cluster_create

    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "percentageOfNodesToScore": 100,
    }
    manifests = [node_manifest(i) for i in range(nodes)]
    manifests += [pod_manifest(f"run-{i}", i, node=f"node-{i % nodes:05d}") for i in range(nodes * 5)]
    manifests += [pod_manifest(f"web-{i}", i) for i in range(STEPS + WARM_UP + 50)]
    cluster_create(f"measure-{nodes}", manifests, configuration=configuration)


def node_manifest(i: int) -> dict[str, Any]:
    labels = {"topology.kubernetes.io/zone": f"zone-{i % 5}", "kubernetes.io/hostname": f"node-{i:05d}"}
    allocatable = {"cpu": str(8 + i % 3 * 4), "memory": f"{32 + i % 2 * 32}Gi", "pods": "110"}
    metadata = {"name": f"node-{i:05d}", "labels": labels}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "status": {"allocatable": allocatable}}


def pod_manifest(name: str, i: int, node: str = "") -> dict[str, Any]:
    requests = {"cpu": f"{100 + i % 7 * 50}m", "memory": f"{128 + i % 5 * 128}Mi"}
    spec: dict[str, Any] = {"containers": [{"name": "main", "image": "img:1", "resources": {"requests": requests}}]}
    if node:
        spec["nodeName"] = node
    metadata = {"name": name, "namespace": "default", "labels": {"app": f"app-{i % 20}"}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def in_browser(address: str, sizes: list[int]) -> None:
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        print("nodes   step → heatmap painted: p50  p95  target    first useful paint: cold  p50")
        for nodes in sizes:
            loads = first_paints(browser, f"{address}/c/measure-{nodes}/")
            steps = step_times(browser, address, nodes)
            median, high = percentile(steps, 50), percentile(steps, 95)
            target = TARGETS.get(nodes, 0)
            print(
                f"{nodes:>5}   {median:>27.0f} {high:>4.0f}  {target or '–':>6}"
                f"    {loads[0]:>24.0f} {percentile(loads[1:], 50):>4.0f}   ms"
            )
        browser.close()


def first_paints(browser: Any, address: str) -> list[float]:
    """Milliseconds from the navigation's start; the first load has an empty cache."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    times = []
    for _ in range(LOADS + 1):
        page = context.new_page()
        page.add_init_script(USEFUL)
        page.goto(address)
        times.append(page.evaluate(WAIT))
        page.close()
    context.close()
    return times


def step_times(browser: Any, address: str, nodes: int) -> list[float]:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.add_init_script("localStorage.setItem('podium-tour', 'seen')")
    page.goto(f"{address}/login/?next=/c/measure-{nodes}/")
    page.fill("[name=username]", "admin")
    page.fill("[name=password]", PASSWORD)
    page.locator("form").get_by_role("button", name="Log in").click()
    page.wait_for_selector("connection-chip [data-state=live]")
    times = []
    for _ in range(STEPS + WARM_UP):
        times.append(page.evaluate(STEP))
        page.wait_for_timeout(400)
    executor = page.evaluate(
        f"fetch('/c/measure-{nodes}/state.json').then(r => r.json()).then(s => s.cluster.executor)"
    )
    assert executor == "celery", f"map and reduce ran {executor}"
    page.context.close()
    return times[WARM_UP:]


def percentile(times: list[float], share: int) -> float:
    return quantiles(times, n=100, method="inclusive")[share - 1]


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [1_000, 5_000])
