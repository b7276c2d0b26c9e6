"""Words and numbers for people."""

import pytest

from dashboard.templatetags.imports import column, marked
from dashboard.text import age, clock, count, listed, memory_about, microseconds, percent, quantity, readable

SECOND = 1_000_000


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (-5, "0s"),
        (119, "119s"),
        (120, "2m"),
        (192, "3m12s"),
        (599, "9m59s"),
        (600, "10m"),
        (179 * 60 + 59, "179m"),
        (180 * 60, "3h"),
        (3 * 3600 + 20 * 60, "3h20m"),
        (8 * 3600 + 59, "8h"),
        (26 * 3600, "26h"),
        (48 * 3600, "2d"),
        (3 * 86400 + 4 * 3600, "3d4h"),
        (8 * 86400 + 3600, "8d"),
        (729 * 86400, "729d"),
        (730 * 86400, "2y"),
        (760 * 86400, "2y30d"),
        (8 * 365 * 86400 + 86400, "8y"),
    ],
)
def test_ages_are_kubectls(seconds, text):
    assert age(seconds * SECOND) == text


@pytest.mark.parametrize(
    ("resource", "amount", "text"),
    [
        ("cpu", 250, "250m"),
        ("cpu", 2000, "2"),
        ("memory", 1536 << 20, "1536Mi"),
        ("memory", 2 << 30, "2Gi"),
        ("memory", 0, "0"),
        ("nvidia.com/gpu", 3, "3"),
    ],
)
def test_quantities_are_kubernetes_own(resource, amount, text):
    assert quantity(resource, amount) == text


def test_large_memory_is_told_in_whole_units():
    assert memory_about(212 * (1 << 30) + 12345) == "≈212Gi"
    assert memory_about(17920 << 20) == "17.5Gi"
    assert memory_about(-(17920 << 20)) == "-17.5Gi"
    assert memory_about(700 << 20) == "700Mi"
    assert memory_about(8 << 30) == "8Gi"
    assert memory_about(17) == "17"


@pytest.mark.parametrize(
    ("resource", "amount", "text"),
    [
        ("memory", 16393244 << 10, "16009Mi"),
        ("memory", 30464 << 20, "30464Mi"),
        ("memory", -(8004636 << 10), "-7818Mi"),
        ("memory", 5 << 10, "5Ki"),
        ("hugepages-2Mi", 12345678901, "11773Mi"),
        ("cpu", 1234567, "1234567m"),
        ("example.com/ids", 1234567890, "1234567890"),
    ],
)
def test_bytes_that_kubelets_count_in_kibibytes_are_told_in_mebibytes(resource, amount, text):
    assert readable(resource, amount) == text


def test_percent_is_rounded_down_and_silent_without_a_whole():
    assert percent(999, 1000) == "99%"
    assert percent(1, 0) == ""


def test_clock_and_time_stamps():
    assert clock(192_480_000, 0) == "00:03:12.480"
    assert microseconds("1970-01-01T00:00:02Z") == 2 * SECOND
    assert microseconds("soon") is None
    assert microseconds(None) is None


def test_words():
    assert count(1, "node") == "1 node"
    assert count(1200, "node") == "1,200 nodes"
    assert listed(["a", "b", "c"], "or") == "a, b or c"
    assert listed(["a"]) == "a"
    assert listed([]) == ""


@pytest.mark.parametrize(
    ("line", "message", "mark"),
    [
        (
            "spec: {a: 1, resources: {requests: {cpu: lots}}}",
            "spec.resources.requests[cpu]: Invalid value",
            "cpu: lots",
        ),
        ('  {"name": "x", "replicas": "many"}', "items[3].spec.replicas: expected a number", '"replicas": "many"'),
        ("    cpu: lots,", "spec.requests[cpu]: Invalid value", "cpu: lots,"),
        ("{a: {cpu: 1}, b: {cpu: lots}}", "spec.b[cpu]: Invalid value", "{a: {cpu: 1}, b: {cpu: lots}}"),
        ("  - name: x", "malformed YAML: did not find it", "- name: x"),
        ("title: ''", "title: has 0 characters", "title: ''"),
    ],
)
def test_a_fault_marks_the_field_that_it_is_about(line, message, mark):
    before, marked_part, after = marked(line, message)
    assert (marked_part, before + marked_part + after) == (mark, line)
    assert column({"message": message, "excerpt": [[4, line]]}) == line.index(mark) + 1
