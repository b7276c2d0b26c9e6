"""Files made to hurt: each ends in a fault, quickly, and never in another exception."""

import gzip
import json
import random
import tracemalloc

import pytest

from scheduler.manifests import json_reader
from scheduler.manifests.limits import MIB, Limits
from scheduler.manifests.reading import Reader
from scheduler.manifests.sources import Budget, Source

SMALL = Limits(total_bytes=2 * MIB, yaml_bytes=MIB // 4, objects=100)
LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "main"}]}}


def read(content, limits=SMALL):
    reader = Reader(limits)
    reader.read([Source("bad", content=content if isinstance(content, bytes) else content.encode())])
    reader.check()
    return reader


def nested(levels):
    return '{"a":' * levels + "1" + "}" * levels


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        pytest.param(LAUGHS, "bad:5: too many aliases, expected at most 1000 with 100000 values", id="billion laughs"),
        pytest.param("[" * 20_000, "bad:1: nested too deeply, expected at most 100 levels", id="brackets only"),
        pytest.param("a: " + "[" * 500 + "]" * 500, "bad:1: nested too deeply, expected at most 100 levels", id="deep"),
        pytest.param(
            "a: " + "[" * 20_000,
            "bad:1: malformed YAML: while increasing flow level, exceeded maximum nesting depth",
            id="very deep YAML",
        ),
        pytest.param(nested(20_000), "bad:1: nested too deeply, expected at most 100 levels", id="very deep JSON"),
        pytest.param(nested(150), "bad:1: nested too deeply, expected at most 100 levels", id="deep JSON"),
        pytest.param(
            gzip.compress(b" " * 3 * MIB), "bad: too large after decompression, expected at most 2 MiB in one import",
            id="decompression bomb",
        ),
        pytest.param(
            b"#" * (3 * MIB), "bad: too large after decompression, expected at most 2 MiB in one import", id="large"
        ),
        pytest.param(b"\0" * 100, "bad:1: not a text file (byte 0 in it), expected YAML or JSON", id="zeros"),
        pytest.param(
            json.dumps({"items": [POD | {"metadata": {"name": f"p{n}"}} for n in range(101)]}),
            "bad:1: expected at most 100 objects", id="too many objects",
        ),
        pytest.param(
            json.dumps(POD | {"metadata": {"name": "a", "labels": {"a": "x\0y"}}}),
            "bad:1: Pod default/a: a text holds the character U+0000, which no Kubernetes object may hold",
            id="NUL in JSON",
        ),
        pytest.param(
            json.dumps(POD | {"future": 2**64}),
            "bad:1: Pod default/a: a number is too large, expected at most 64 bits",
            id="huge number",
        ),
        pytest.param('a: "x\\0y"', "bad:1: a text holds the character U+0000, which no Kubernetes object may hold",
                     id="NUL in YAML"),
    ],
)  # fmt: skip
def test_bound_is_told(content, fault):
    assert [str(one) for one in read(content).report.faults] == [f"error: {fault}"]


TOO_MUCH_YAML = (
    "too much YAML, expected at most 1 MiB in a file and 3 MiB in one import: YAML reads slowly. "
    "Use JSON: kubectl get no,po,"
)
FEW = Limits(yaml_bytes=MIB, all_yaml_bytes=3 * MIB)


def test_large_yaml_is_refused_with_the_command_to_run():
    (fault,) = read("a: b\n" * MIB, FEW).report.faults
    assert fault.message.startswith(TOO_MUCH_YAML)


def test_large_yaml_is_refused_before_the_rest_of_it_is_unpacked(monkeypatch):
    spent = []
    monkeypatch.setattr(Budget, "spend", lambda self, name, amount: spent.append(amount))
    reader = Reader(FEW)
    reader.read([Source("much", content=gzip.compress(b"a: b\n" * 4 * MIB))])
    assert [fault.message.startswith(TOO_MUCH_YAML) for fault in reader.report.faults] == [True]
    assert sum(spent) <= 2 * MIB


def test_many_yaml_files_are_refused_where_they_are_too_much_together():
    reader = Reader(FEW)
    text = "apiVersion: v1\nkind: Node\nmetadata:\n  name: n\n" + "#" * (MIB - 100)
    reader.read([Source(f"file-{number}", content=text.encode()) for number in range(5)])
    assert [fault.file for fault in reader.report.faults] == ["file-3", "file-4"]


def test_utf16_of_a_windows_shell_may_be_large_json():
    reader = Reader(FEW)
    reader.read([Source("big", content=json.dumps({"items": []}, indent=MIB).encode("utf-16"))])
    assert not reader.report.faults


def test_one_value_that_is_no_list_is_bounded():
    faults = read(json.dumps({"kind": "Pod", "x": "y" * 2 * MIB}), Limits(value_bytes=MIB)).report.faults
    assert [fault.message for fault in faults] == ["one value of 2 MiB, expected at most 1 MiB that is not a list"]


VALUES = [None, True, -1, 10**400, 1e308, "", "x", "\ud7ff", [], {}, [None], {"": None}, [[[]]], {"a": {"b": []}}]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize(
    "path",
    [
        ("apiVersion",), ("kind",), ("metadata",), ("metadata", "name"), ("metadata", "namespace"),
        ("metadata", "labels"),
        ("metadata", "creationTimestamp"), ("metadata", "ownerReferences"),
        ("spec",), ("spec", "containers"),
        ("spec", "containers", 0), ("spec", "containers", 0, "resources"),
        ("spec", "affinity"), ("spec", "tolerations"),
        ("spec", "priority"), ("spec", "nodeName"), ("spec", "volumes"), ("status",),
        ("status", "conditions"), ("items",),
    ],
    ids=lambda path: ".".join(map(str, path)),
)  # fmt: skip
def test_wrong_types_anywhere_never_crash(path, value):
    broken = json.loads(json.dumps(POD))
    inner = broken
    for step in path[:-1]:
        inner = inner.setdefault(step, {}) if isinstance(inner, dict) else inner[step]
    inner[path[-1]] = value
    report = read(json.dumps(broken)).report
    total = report.total
    assert total.found == total.taken + total.ignored + total.wrong
    assert bool(total.wrong) == bool(report.faults)


def test_mutations_of_a_file_never_crash():
    chance = random.Random(7)
    texts = [
        json.dumps(POD, indent=1).encode(),
        b"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: []\n",
    ]
    for _ in range(300):
        mutated = bytearray(chance.choice(texts))
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(mutated))
            mutated[at : at + chance.randrange(3)] = bytes(
                chance.choice(b"{}[]:,\"'&*!|>-#\n\t \x00\xff0aZ") for _ in range(2)
            )
        total = read(bytes(mutated)).report.total
        assert total.found == total.taken + total.ignored + total.wrong


@pytest.mark.parametrize("between", [b" ", b"\n#", b"---\n"], ids=["space", "comments", "separators"])
def test_what_is_between_values_costs_no_memory(between):
    data = between * 200_000 + b"\n"
    tracemalloc.start()
    try:
        assert json_reader._BETWEEN.match(data).end() == len(data)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()
