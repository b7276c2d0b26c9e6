"""Every shape in which Kubernetes' tools write objects is read to the same objects."""

import gzip
import json

import pytest
import yaml

from scheduler.manifests.limits import Limits
from scheduler.manifests.reading import Reader
from scheduler.manifests.sources import Source, sources_of


def a_pod(name="web-1", **metadata):
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", **metadata},
        "spec": {"containers": [{"name": "main", "image": "nginx"}]},
    }


def a_node(name="n1"):
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": {"cpu": "4"}}}


def read(content, name="dump"):
    reader = Reader()
    reader.read([Source(name, content=content if isinstance(content, bytes) else content.encode())])
    reader.check()
    assert [str(fault) for fault in reader.report.faults] == []
    return reader


def manifests(content):
    return [entry.manifest for entry in read(content).entries.values()]


def without_type(manifest):
    return {key: value for key, value in manifest.items() if key not in ("apiVersion", "kind")}


TWO = [a_node(), a_pod()]
LIST = {"apiVersion": "v1", "kind": "List", "items": TWO, "metadata": {"resourceVersion": ""}}
NODES = {"apiVersion": "v1", "kind": "NodeList", "items": [without_type(a_node())]}
PODS = {"apiVersion": "v1", "kind": "PodList", "items": [without_type(a_pod())]}
SNAPSHOT = {"nodes": [without_type(a_node())], "pods": [without_type(a_pod())], "pvs": None, "schedulerConfig": {}}


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(json.dumps(LIST), id="JSON List"),
        pytest.param(json.dumps(LIST, indent=4), id="indented JSON"),
        pytest.param(yaml.dump(LIST), id="YAML List"),
        pytest.param(yaml.dump_all(TWO), id="YAML documents"),
        pytest.param(yaml.dump(LIST, default_flow_style=True), id="YAML in JSON's style"),
        pytest.param("".join(map(json.dumps, TWO)), id="JSON after JSON"),
        pytest.param("\n---\n".join(json.dumps(one, indent=1) for one in TWO), id="JSON between ---"),
        pytest.param("---\n# first\n" + json.dumps(LIST), id="JSON after --- and a comment"),
        pytest.param(json.dumps(NODES) + json.dumps(PODS), id="NodeList and PodList"),
        pytest.param(yaml.dump_all([NODES, PODS]), id="NodeList and PodList in YAML"),
        pytest.param(json.dumps({"apiVersion": "v1", "kind": "List", "items": [NODES, PODS]}), id="lists in a List"),
        pytest.param(json.dumps(SNAPSHOT), id="snapshot of kube-scheduler-simulator"),
        pytest.param(yaml.dump(SNAPSHOT), id="snapshot in YAML"),
        pytest.param(b"\xef\xbb\xbf" + json.dumps(LIST).encode(), id="with a byte order mark"),
        pytest.param(b"\xef\xbb\xbf" + yaml.dump(LIST).encode(), id="YAML with a byte order mark"),
        pytest.param(json.dumps(LIST, indent=1).encode("utf-16"), id="UTF-16 of a Windows shell"),
        pytest.param(yaml.dump(LIST).replace("\n", "\r\n"), id="Windows line ends"),
        pytest.param(gzip.compress(json.dumps(LIST).encode()), id="gzip"),
        pytest.param(gzip.compress(b"") + gzip.compress(yaml.dump(LIST).encode()), id="gzip in two members"),
    ],
)
def test_every_shape_gives_the_same_objects(content):
    assert manifests(content) == TWO


def test_large_files_are_mapped_and_read_alike(tmp_path):
    file = tmp_path / "big.json"
    file.write_text(json.dumps(LIST, indent=2))
    reader = Reader(Limits(in_memory_bytes=10))
    reader.read(sources_of([str(file)], Limits()))
    assert [entry.manifest for entry in reader.entries.values()] == TWO


def test_watch_is_folded_to_its_last_state():
    def event(kind, value):
        return json.dumps({"type": kind, "object": value}, indent=1)

    bookmark = {"apiVersion": "v1", "kind": "Pod", "metadata": {"resourceVersion": "9"}, "spec": {"containers": None}}
    reader = read(
        event("ADDED", a_pod("a"))
        + event("ADDED", a_pod("b"))
        + event("MODIFIED", a_pod("a", labels={"v": "2"}))
        + event("DELETED", a_pod("b"))
        + event("BOOKMARK", bookmark)
        + json.dumps(bookmark)
    )
    assert [entry.manifest for entry in reader.entries.values()] == [a_pod("a", labels={"v": "2"})]
    assert dict(reader.report.ignored) == {
        ("Pod", "deleted later in the watch"): 1,
        ("Pod", "a bookmark of a watch, not an object"): 2,
    }
    assert vars(reader.report.of("Pod")) == {"found": 4, "taken": 1, "ignored": 3, "wrong": 0}


def test_error_of_a_watch_is_told():
    status = {"kind": "Status", "code": 410, "message": "too old resource version: 1 (3178)"}
    reader = Reader()
    reader.read([Source("watch", content=json.dumps({"type": "ERROR", "object": status}).encode())])
    assert [str(fault) for fault in reader.report.faults] == [
        "error: watch:1: the watch ended with an error: too old resource version: 1 (3178)"
    ]


def test_logs_between_lists_are_passed_over():
    log = '==== START logs for container main of pod a ====\n{"level": 1\n==== END logs for container main ====\n'
    assert manifests(json.dumps(NODES) + "\n" + log + json.dumps(PODS) + log) == TWO


def test_managed_fields_are_dropped_and_unknown_fields_kept():
    pod = a_pod(managedFields=[{"manager": "kubectl"}], finalizers=["a"])
    (kept,) = manifests(json.dumps(pod | {"future": {"x": 1}}))
    assert kept == a_pod(finalizers=["a"]) | {"future": {"x": 1}}


@pytest.mark.parametrize(
    ("api_version", "kind", "why"),
    [
        ("v1", "ConfigMap", "may hold secrets and plays no part in scheduling"),
        ("v1", "Event", "plays no part in scheduling"),
        ("serving.knative.dev/v1", "Service", "Podium does not know this kind of serving.knative.dev/v1"),
        ("kustomize.io/v1", "Kustomization", "Podium does not know this kind of kustomize.io/v1"),
    ],
)  # fmt: skip
def test_other_kinds_are_ignored_with_a_reason(api_version, kind, why):
    reader = read(json.dumps({"apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}}))
    assert dict(reader.report.ignored) == {(kind, why): 1}
    assert not reader.entries


def test_yaml_words_stay_text_and_anchors_are_filled_in():
    (pod,) = manifests(
        """\
apiVersion: v1
kind: Pod
metadata:
  name: a
  labels: &labels
    a: no
    b: on
    c: y
  annotations:
    d: 12:30:45
    e: 2026-01-01
    f: 1e3
    <<: *labels
spec:
  containers: [{name: main}]
  nodeSelector: *labels
"""
    )
    assert pod["metadata"]["labels"] == {"a": "no", "b": "on", "c": "y"}
    assert pod["metadata"]["annotations"] == {
        "d": "12:30:45",
        "e": "2026-01-01",
        "f": "1e3",
        "a": "no",
        "b": "on",
        "c": "y",
    }
    assert pod["spec"]["nodeSelector"] == pod["metadata"]["labels"]
    assert pod["spec"]["nodeSelector"] is not pod["metadata"]["labels"]


def test_directories_are_read_through_and_other_files_told(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "pods.yaml").write_text(yaml.dump(a_pod()))
    (tmp_path / "nodes").write_text(json.dumps(a_node()))
    (tmp_path / "README.md").write_text("# Read me")
    (tmp_path / ".hidden").write_text("nonsense")
    reader = Reader()
    reader.read(sources_of([str(tmp_path)], Limits()))
    assert sorted(reader.entries) == [("Node", "", "n1"), ("Pod", "shop", "web-1")]
    assert dict(reader.report.ignored) == {(str(tmp_path / "README.md"), "by its name neither YAML nor JSON"): 1}


def test_progress_is_told_and_may_stop_the_work():
    class StopError(Exception):
        pass

    told = []

    def progress(stage, done, total):
        told.append((stage, done, total))
        if stage == "Checking objects":
            raise StopError

    reader = Reader(progress=progress)
    reader.read([Source("many", content=json.dumps({"items": [a_pod(f"p-{n}") for n in range(600)]}).encode())])
    with pytest.raises(StopError):
        reader.check()
    assert told == [
        ("Reading many", 0, 0),  # opened
        ("Reading many", 0, 500),  # items found
        ("Reading many", 0, 600),
        ("Reading many", 500, 600),
        ("Checking objects", 0, 600),
    ]


@pytest.mark.parametrize(
    "content",
    [
        '{"kind": "List", "apiVersion": "v1", "items": []}',
        '{"kind": "PodList", "apiVersion": "v1", "items": null}',
        "kind: List\napiVersion: v1\nitems: []\n",
        "kind: List\napiVersion: v1\nitems:\n",
    ],
)
def test_empty_list_is_no_fault(content):
    assert manifests(content) == []
