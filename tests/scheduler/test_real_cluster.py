"""A dump of a real control plane (a later Kubernetes): every pending pod is refused for the same reasons.

Needs PODIUM_DATA_DIR. A condition is the word of the pod's last attempt, so pods that were bound later are left out.
Not compared: taints, which v1.36 does not name any more; resource claims, which are not modelled; and what PreBind
waited for. Of a gated pod only that it is gated.
"""

import json
import os
import re
from functools import cache
from pathlib import Path

import pytest

from scheduler.engine.simulation.clock import from_rfc3339
from scheduler.management.explaining import explain
from scheduler.management.offline import Input, read

REAL = Path(os.environ.get("PODIUM_DATA_DIR") or "/nonexistent") / "real-1.36"
pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="PODIUM_DATA_DIR is not set")

WITH_CLAIMS, GATED, IN_PRE_BIND, NOT_OURS = (
    "ml/too-many-devices", "stuck/gated", "stuck/waiting-for-provisioner", "stuck/other-scheduler",
)  # fmt: skip
_AFTER_THE_REASONS = re.compile(r"\. (no new claims|still not schedulable|preemption:|not found)")


@cache
def dump() -> Input:
    return read([str(REAL / "all.json.gz")], REAL / "manifests/scheduler-config.yaml")


def truth() -> dict[str, dict]:
    return json.loads((REAL / "ground-truth.json").read_text())["pending"] if REAL.is_dir() else {}


def explained(key: str):
    """The attempt on the cluster of the pod's last word."""
    events = [from_rfc3339(event["time"]) for event in truth()[key]["events"]]
    last = max(events, default=None)
    known = [one for one in dump().manifests if last is None or bound_us(one) <= last]
    (one,) = explain(Input(known, dump().configuration, dump().profiles, []), key, sample=False)
    return one


def bound_us(manifest: dict) -> int:
    if manifest["kind"] != "Pod" or not manifest["spec"].get("nodeName"):
        return 0
    conditions = manifest["status"].get("conditions", [])
    times = [one["lastTransitionTime"] for one in conditions if one["type"] == "PodScheduled"]
    return max(map(from_rfc3339, times), default=0)


def reasons(message: str) -> set[str]:
    """Without the number of nodes, what follows the reasons, and the taints' names."""
    told = _AFTER_THE_REASONS.split(message.partition(" available: ")[2])[0].rstrip(".")
    parts = (re.sub(r"^\d+ ", "", part) for part in re.split(r", (?=\d+ )", told))
    return {re.sub(r"untolerated taint \{.*\}", "untolerated taint(s)", part) for part in parts}


COMPARED = [key for key in truth() if key not in (WITH_CLAIMS, GATED, IN_PRE_BIND, NOT_OURS)]


@pytest.mark.parametrize("key", COMPARED)
def test_every_pending_pod_is_refused_for_the_recorded_reasons(key):
    found = explained(key).cycle.decision
    assert found.outcome == "unschedulable"
    assert reasons(found.message) == reasons(truth()[key]["condition"]["message"]) != {""}


def test_all_but_four_are_compared():
    assert len(COMPARED) == len(truth()) - 4 == 41


def test_the_gated_pod_is_gated():
    assert explained(GATED).held.plugin == "SchedulingGates"


def test_the_pod_with_resource_claims_is_told_what_is_not_modelled():
    assert "resource claims are not modelled" in explained(WITH_CLAIMS).cycle.decision.message


def test_the_pod_that_prebind_held_up_finds_its_node():
    assert explained(IN_PRE_BIND).cycle.decision.node == truth()[IN_PRE_BIND]["nominatedNodeName"] == "small-04"


def test_the_pod_of_another_scheduler_is_not_ours():
    assert not explained(NOT_OURS).is_ours
