"""Pods queue as they did in their cluster, and the clock starts where the dump ends."""

import pytest

from scheduler.engine.simulation.clock import LATEST_US
from scheduler.manifests.order import newest_us, order_of

SECOND = 1_000_000
NOON_US = 1_767_268_800 * SECOND  # 2026-01-01T12:00:00Z


def a_pod(name, created=None, node=None):
    spec = {"nodeName": node} if node else {}
    return {"kind": "Pod", "metadata": {"name": name, "creationTimestamp": created}, "spec": spec}


def names(manifests):
    return [manifest["metadata"]["name"] for manifest in sorted(manifests, key=order_of)]


def test_waiting_pods_come_last_oldest_first_then_in_file_order():
    late, early = "2026-01-01T12:00:01Z", "2026-01-01T12:00:00Z"
    node = {"kind": "Node", "metadata": {"name": "n"}}
    pods = [
        a_pod("late", late),
        a_pod("placed", late, "n"),
        a_pod("early-b", early),
        a_pod("early-a", early),
        a_pod("new"),
    ]
    assert names([*pods, node]) == ["n", "placed", "early-b", "early-a", "late", "new"]


def test_times_with_fractions_and_zones_are_compared_as_moments():
    pods = [a_pod("b", "2026-01-01T12:00:00.5Z"), a_pod("a", "2026-01-01T14:00:00+02:00")]
    assert names(pods) == ["a", "b"]


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        ({"metadata": {"creationTimestamp": "2026-01-01T12:00:00Z"}}, NOON_US),
        ({"metadata": {}, "status": {"startTime": "2026-01-01T12:00:00Z"}}, NOON_US),
        ({"metadata": {}, "status": {"conditions": [{"lastTransitionTime": "2026-01-01T12:00:00Z"}]}}, NOON_US),
        ({"metadata": {}, "status": {"conditions": [{"lastHeartbeatTime": "2026-01-01T12:00:00Z"}]}}, NOON_US),
        ({"metadata": {"creationTimestamp": "9999-12-31T23:59:59Z"}}, LATEST_US),
        ({"metadata": {"deletionTimestamp": "2026-01-01T12:00:00Z"}}, None),
        ({"metadata": {"creationTimestamp": None}, "status": {"conditions": "odd", "startTime": "never"}}, None),
    ],
)
def test_newest_moment(manifest, expected):
    older = {"metadata": {"creationTimestamp": "2025-12-31T00:00:00Z"}}
    assert newest_us([manifest]) == expected
    assert newest_us([older, manifest]) == (expected or NOON_US - 36 * 3600 * SECOND)
