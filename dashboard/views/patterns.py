"""Every component of the pages in every state, with data that was recorded (`scripts/record_patterns.py`)."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from dashboard.build.why.waterfall import waterfall
from dashboard.learn.lesson import library
from dashboard.learn.picture import picture
from dashboard.payloads.why import Part, Versus
from dashboard.views.common import show
from scheduler.models import Cluster

SAMPLE = Path(__file__).resolve().parent.parent / "samples" / "patterns.json"
ABOUT = "Run it: a UnitedDeployment makes pods in three zones."
PODS = [
    {"status": "Running"},
    {"status": "Completed"},
    {"status": "Pending", "queue": "active"},
    {"status": "Pending", "queue": "unschedulable"},
    {"status": "SchedulingGated"},
    {"status": "Terminating"},
    {"status": "OutOfcpu"},
]
NODES = [
    ({"ready": True}, "Ready"),
    ({"ready": True, "unschedulable": True}, "Ready,SchedulingDisabled"),
    ({"ready": False}, "NotReady"),
]
STEPS = [
    {"state": "done", "label": "Read the file", "note": "2.4 MB"},
    {"state": "run", "label": "Check fields, quantities, names and references", "note": "912 of 1,204"},
    {"state": "fail", "label": "Build the cluster", "note": "2 wrong"},
    {"state": "wait", "label": "Store it", "note": ""},
]
REPORT = {
    "fault_count": 3,
    "untold": 2,
    "faults": [
        {
            "file": "cluster.yaml",
            "line": 18422,
            "object": "Pod shop/cache-4",
            "message": 'spec.containers[0].resources.requests[memory]: Invalid value: "512mi": not a quantity',
            "excerpt": [(18420, "    resources:"), (18421, "      requests:"), (18422, "        memory: 512mi")],
        }
    ],
    "warnings": [{"objects": ["Pod ops/agent-x2f"], "count": 1, "message": "node-117 is not in the file."}],
}


def _part(algorithm: str, weight: int, here: int, there: int, flip: int | None = None) -> Part:
    points = (here - there) * weight
    return {"algorithm": algorithm, "weight": weight, "here": here, "there": there, "points": points, "flip": flip}


VERSUS: Versus = {
    "here": "node-019",
    "there": "worker-pool-general-purpose-eu-central-1a-0065",
    "sentence": "",
    "margin": 12,
    "refused": [],
    "parts": [
        _part("TaintToleration", 3, 100, 100),
        _part("NodeResourcesBalancedAllocation", 1, 98, 71, 0),
        _part("PodTopologySpread", 2, 85, 90),
        _part("ImageLocality", 1, 0, 5, 4),
    ],
    "flip": None,
}

CARDS = [
    ("paused", {"cluster": Cluster(name="demo"), "nodes": 60, "pods": 411, "waiting": 18, "cycles": 412}),
    (
        "running, with a description and a long name",
        {
            "cluster": Cluster(name="platform-team-general-purpose-eu-central-1a", wanted="running", description=ABOUT),
            "nodes": 5_000,
            "pods": 12_000,
            "waiting": 0,
            "cycles": 1_204_881,
        },
    ),
    ("empty", {"cluster": Cluster(name="new"), "nodes": 0, "pods": 0, "waiting": 0, "cycles": 0}),
]
LESSON = "taint"


@require_safe
def patterns(request: HttpRequest) -> HttpResponse:
    lesson = library()[LESSON]
    tiles, waiting, _ = picture(lesson)
    return show(
        request,
        "patterns.html",
        "patterns",
        **parts(),
        pods=PODS,
        nodes=NODES,
        steps=STEPS,
        report=REPORT,
        versus=VERSUS,
        bars=waterfall(VERSUS),
        cards=[(text, row | {"clock": "00:04:10.000"}) for text, row in CARDS],
        lesson=lesson,
        tiles=tiles,
        waiting=waiting,
        paging=Paginator(range(950), 100).page(3),
    )


@cache
def parts() -> dict[str, Any]:
    """Recorded payloads, the colours that tokens.css names, and the signs of the sprite."""
    tokens = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text()
    icons = (settings.BASE_DIR / "static" / "img" / "icons.svg").read_text()
    colours = re.findall(r"--([\w-]+):\s*(?:light-dark\(|#)", tokens)
    return {
        "sample": json.loads(SAMPLE.read_text()),
        "colours": [name for name in dict.fromkeys(colours) if not name.startswith("heat")],
        "heat": [f"heat-{step:02}" for step in range(21)],
        "icons": re.findall(r'id="i-([\w-]+)"', icons),
    }
