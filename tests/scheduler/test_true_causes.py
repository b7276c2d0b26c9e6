"""The cause that is told of every pod that waits in the public cases and in the demo cluster."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from scheduler.engine.explain.why import cause
from scheduler.management.offline import read
from scheduler.management.simulating import attempts, prepare
from scheduler.manifests.demo import demo_manifests
from tests.scheduler.cases import TESTS

SPREAD = "its **spread** over `topology.kubernetes.io/zone` (at most 1 apart)"
EIGHT = ("no node has **8 gpu** free", "The largest free block is **7**, on `node-081`.")
NO_GPU = ("none of the 16 nodes that it may use has **1 gpu** free", "No gpu is free there at all.")
EXPECTED = {
    "cases/01-fragmented-cpu": {
        "default/wants-two": ("no node has **2 cpu** free", "The largest free block is **1**, on `n1`.")
    },
    "cases/02-one-node-two-reasons": {
        "default/replica": ("no node has **400m cpu** free", "The largest free block is **240m**, on `n1`.")
    },
    "cases/03-control-plane-and-memory": {
        "default/small": (
            "none of the 3 nodes that it may use has **500Mi memory** free",
            "The largest free block is **292Mi**, on `w-1`.",
        )
    },
    "cases/07-init-container-dominates": {
        "default/job": ("the only node, `n1`, has 500m cpu free; it asks for **800m cpu**", "")
    },
    "cases/13-cordoned-node": {"default/needs-ssd": ("the only node with `disk=ssd`, `n1`, **is cordoned**", "")},
    "cases/22-spread-rollout-matchlabelkeys": {
        "default/new-3": (
            "of the 2 nodes, one has 50m of 100m cpu free and the other one would break its spread over "
            "`topology.kubernetes.io/zone`",
            "",
        )
    },
    "cases/25-spread-min-domains": {
        "default/web-3": (
            f"{SPREAD} would be broken on both nodes",
            "By `topology.kubernetes.io/zone`, `zone-a` has 1 pod and `zone-b` has 1 pod; fewer than 3 domains count, "
            "so the least is taken as 0. No domain takes one more.",
        )
    },
    "cases/27-antiaffinity-rollout-deadlock": {
        "default/surge": ("all 3 nodes **are near a pod that its anti-affinity avoids (`app=db`)**", "")
    },
    "cases/30-affinity-cycle": {
        f"default/{name}": (
            f"no pod matches **`app={other}`**, which its affinity asks for",
            "Its own labels do not match either, so it may not be the first.",
        )
        for name, other in (("left", "right"), ("right", "left"))
    },
    "cases/39-preemption-not-helpful": {
        "default/vip": ("no node has the label **`disk=ssd`**", "No node has a label `disk` at all.")
    },
    "cases/45-volume-in-other-zone": {
        "default/db-0": ("the only node that it may use, `c`, has 0 cpu free; it asks for **500m cpu**", "")
    },
    "data/golden/openb-slice-90-nodes": {
        **dict.fromkeys(("default/new-09", "default/new-10", "default/new-12"), EIGHT),
        **dict.fromkeys(("default/new-07", "default/new-08"), NO_GPU),
        "default/new-11": (
            "none of the 8 nodes that it may use has **120 cpu** or **720Gi memory**, even empty",
            "The largest, `node-010`, has **96 cpu** and **384Gi memory** in all.",
        ),
    },
}
DEMO = {
    "data/warehouse-load": (
        "none of the 51 nodes that it may use has **6.5 cpu** free",
        "The largest free block is **4.62**, on `memory-a-02`.",
    ),
    "ml/embed-catalog": (
        "all 6 nodes with `example.com/pool=gpu` **have a taint that it does not tolerate "
        "(`nvidia.com/gpu=present:NoSchedule`)**",
        "",
    ),
    "ml/pretrain": (
        "of the 57 nodes that it may use, 6 have gpu, and none of these has **4 gpu** free",
        "The largest free block is **3**, on `gpu-b-04`.",
    ),
    "shop/storefront-canary": (
        "no node has the label **`topology.kubernetes.io/zone=north-1d`**",
        "Nodes have `north-1a`, `north-1b` and `north-1c`.",
    ),
    "data/disk-benchmark": ("the only node with `example.com/local-disk=nvme`, `nvme-c-01`, **is cordoned**", ""),
}


@cache
def told(path: Path) -> dict[str, tuple[str, str]]:
    """Of every pod's last attempt, where it was refused."""
    run = prepare(read([str(path)], None), seed=1)

    def look(cycle, opened):
        found = None if cycle.decision.node else cause(cycle)
        return cycle.pod.key, found and (found.clause, found.more)

    last = dict(attempts(run, look, smallest_name=True, together=False))
    return {key: found for key, found in last.items() if found}


AMOUNT = re.compile(r"\b(?!0 )[\d.]+(m|[KMGT]i|)\b(?:\*\*)? (cpu|memory)\b")


def units(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for unit, resource in AMOUNT.findall(text):
        found.setdefault(resource, set()).add(unit)
    return found


@pytest.mark.parametrize("case", EXPECTED)
def test_what_one_cause_compares_is_in_one_unit(case):
    for clause, more in told(TESTS / f"{case}.yaml").values():
        assert all(len(one) == 1 for one in units(f"{clause}. {more}").values()), (clause, more)


@pytest.mark.parametrize("case", EXPECTED)
def test_the_cause_of_every_refused_pod_of_a_case(case):
    assert told(TESTS / f"{case}.yaml") == EXPECTED[case]


def test_the_causes_in_the_demo_cluster(tmp_path):
    file = tmp_path / "demo.json"
    file.write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": list(demo_manifests())}))
    found = told(file)
    assert {key: found[key] for key in DEMO} == DEMO
    assert found["ops/ingress-canary"][0] == "**host port 443** is taken on both nodes that it may use"
    assert (
        found["shop/year-report"][0]
        == "none of the 51 nodes that it may use has **48 cpu** or **96Gi memory**, even empty"
    )
    assert found["shop/year-report"][1].startswith("The largest have **7.86 cpu** (")
    assert len(found) == len(DEMO) + 2
