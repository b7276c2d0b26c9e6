"""Every fault names its file and line, what is wrong and what was expected."""

import gzip
import json

import pytest

from scheduler.manifests.limits import Limits
from scheduler.manifests.reading import Reader
from scheduler.manifests.sources import Source

POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: web-1
  namespace: shop
spec:
  containers:
  - name: main
    image: nginx
    resources:
      requests:
        cpu: 500m
"""


def reader_of(text, name="pods.yaml", limits=None):
    reader = Reader(limits or Limits())
    reader.read([Source(name, content=text if isinstance(text, bytes) else text.encode())])
    reader.check()
    return reader


def faults_of(text, **options):
    return [str(fault) for fault in reader_of(text, **options).report.faults]


def changed(old, new):
    assert old in POD
    return POD.replace(old, new, 1)


def as_list(*pods):
    lines = ["apiVersion: v1", "kind: List", "items:"]
    for pod in pods:
        first, *rest = pod.splitlines()
        lines += [f"- {first}", *(f"  {line}" for line in rest)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param(
            changed("500m", "512mi"),
            "12: Pod shop/web-1: spec.containers[0].resources.requests[cpu]: Invalid value: \"512mi\": unable to parse "
            "quantity's suffix, expected one such as 500m, 2 or 512Mi",
            id="a field, at the line of the field",
        ),
        pytest.param(
            as_list(POD, changed("500m", "512mi").replace("web-1", "web-2")),
            "27: Pod shop/web-2: spec.containers[0].resources.requests[cpu]: Invalid value: \"512mi\": unable to parse "
            "quantity's suffix, expected one such as 500m, 2 or 512Mi",
            id="a field of a list's second item",
        ),
        pytest.param(
            "# first\n---\n" + changed("500m", "512mi") + "---\n" + POD.replace("web-1", "web-2"),
            "14: Pod shop/web-1: spec.containers[0].resources.requests[cpu]: Invalid value: \"512mi\": unable to parse "
            "quantity's suffix, expected one such as 500m, 2 or 512Mi",
            id="a field of a document between others",
        ),
        pytest.param(
            changed("spec:\n", "  labels:\n    tier: front\n    version: 1\nspec:\n"),
            "8: Pod shop/web-1: metadata.labels[version]: expected text, got a number",
            id="a label that YAML reads as a number",
        ),
        pytest.param(
            changed("spec:\n", "  annotations:\n    on: true\nspec:\n"),
            "7: Pod shop/web-1: metadata.annotations[on]: expected text, got a boolean",
            id="an annotation that YAML reads as a boolean",
        ),
        pytest.param(
            changed("  - name: main", "    name: main"),
            "7: Pod shop/web-1: spec.containers: expected a list, got an object",
            id="a mapping instead of a list",
        ),
        pytest.param(
            changed("spec:", "  creationTimestamp: yesterday\nspec:"),
            '6: Pod shop/web-1: metadata.creationTimestamp: "yesterday" is not a time, expected one like '
            "2026-01-31T12:00:00Z",
            id="a time that is none",
        ),
        pytest.param(
            changed("spec:", '  creationTimestamp: "9999-12-31T23:59:59-23:59"\nspec:'),
            '6: Pod shop/web-1: metadata.creationTimestamp: "9999-12-31T23:59:59-23:59" is not a time, expected one '
            "like 2026-01-31T12:00:00Z",
            id="a time of the year 10000",
        ),
        pytest.param(
            POD + "status:\n  startTime: soon\n",
            '14: Pod shop/web-1: status.startTime: "soon" is not a time, expected one like 2026-01-31T12:00:00Z',
            id="a start that is none",
        ),
        pytest.param(
            POD + "  priorityClassName: gold\n",
            "13: Pod shop/web-1: spec.priorityClassName: no PriorityClass with name gold was found",
            id="an unknown priority class",
        ),
        pytest.param(
            changed("    image: nginx\n", "    image: nginx\n    image: other\n"),
            '10: Pod shop/web-1: the key "image" was given in line 9, expected each key once',
            id="a key twice",
        ),
        pytest.param(
            POD + "---\n" + changed("500m", "600m"),
            "14: Pod shop/web-1: differs from the one in pods.yaml:1, expected each object once",
            id="an object twice",
        ),
        pytest.param(changed("kind: Pod\n", ""), "1: has no kind, expected one, such as kind: Pod", id="no kind"),
        pytest.param(
            changed("apiVersion: v1\n", ""),
            "1: Pod shop/web-1: has no apiVersion, expected one, such as apiVersion: v1",
            id="no version",
        ),
        pytest.param(changed("  name: web-1\n", ""), "3: Pod: metadata.name: is missing, expected a name",
            id="no name"),
        pytest.param(changed("web-1", "7"), "4: Pod: metadata.name: expected text, got a number", id="number name"),
        pytest.param(
            changed("  name: web-1", "\tname: web-1"),
            "4: malformed YAML: while scanning for the next token, found character that cannot start any token; "
            "indent with blanks, not with tabs",
            id="a tab",
        ),
        pytest.param(
            changed("    image", "     image"),
            "9: malformed YAML: mapping values are not allowed in this context",
            id="an indent that does not fit",
        ),
        pytest.param(POD + "---\na: *b\n", "14: the alias *b has no anchor, expected &b before it", id="no anchor"),
        pytest.param("a: &b [*b]", "1: the alias *b stands inside what it names", id="an alias of itself"),
        pytest.param("? [a]\n: b", "1: a key is not a plain word, expected text", id="a list as a key"),
        pytest.param(
            "a: !!python/object:os.system x",
            "1: the tag tag:yaml.org,2002:python/object:os.system is not supported, expected plain YAML",
            id="a tag of a programming language",
        ),
        pytest.param("<<: 3", "1: `<<` merges something that is no mapping, expected an alias of one", id="merge"),
        pytest.param(
            "just words", "1: expected an object, got text: save it with kubectl get -o yaml or -o json", id="prose"
        ),
        pytest.param(
            "Name:      web\nLabels:    a=b\n           c: d\n",
            "3: malformed YAML: mapping values are not allowed in this context; this is what kubectl prints for "
            "people: save it with -o yaml or -o json",
            id="kubectl describe",
        ),
        pytest.param(
            "NAME   READY   STATUS\nweb    0/1     Pending\n",
            "1: expected an object, got text: save it with kubectl get -o yaml or -o json",
            id="kubectl get",
        ),
        pytest.param(
            '[{"kind": "Node"}]',
            "1: expected an object, got a list: write its objects as the items of a List",
            id="a list of objects",
        ),
        pytest.param(
            b"PK\x03\x04\x14\x00a.yaml",
            "1: a zip archive, expected YAML or JSON: unpack it, or compress the file with gzip",
            id="zip",
        ),
        pytest.param('{"a": "\\ud800"}', "1: malformed JSON: half of a surrogate pair stands alone", id="surrogate"),
        pytest.param('{"a": 1', "1: malformed JSON: the file ends too early, expected ',' delimiter", id="truncated"),
        pytest.param('{\n"a": 1,\n}', "3: malformed JSON: expected property name", id="JSON with a comma too many"),
        pytest.param('{"a": "\udcff"}'.encode(errors="surrogateescape"), "1: malformed JSON: not UTF-8 text", id="8"),
        pytest.param(
            '{"kind": "PodList", "apiVersion": "v1",\n "items": "x"}', "2: items: expected a list, got text",
            id="items that are no list",
        ),
        pytest.param(
            '{"apiVersion":"v1","kind":"Pod",\n"metadata":{"name":"a",\n"name" :"b"}}',
            '3: Pod default/b: the key "name" was given in line 2, expected each key once',
            id="a key twice in JSON",
        ),
    ],
)  # fmt: skip
def test_fault_is_told_with_its_line(text, fault):
    assert faults_of(text) == [f"error: pods.yaml:{fault}"]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        pytest.param(b"", "is empty, expected Kubernetes objects as YAML or JSON", id="empty"),
        pytest.param(b"# nothing\n---\n", "is empty, expected Kubernetes objects as YAML or JSON", id="comments only"),
        pytest.param(b"~\n", "holds no object, expected Kubernetes objects as YAML or JSON", id="null"),
        pytest.param(
            gzip.compress(POD.encode())[:-20], "the gzip data ends too early, expected a complete file", id="cut"
        ),
        pytest.param(
            b"\x1f\x8b\x08\0\0\0\0\0\0\0" + b"\xff" * 40,
            "damaged gzip data: Error -3 while decompressing data: invalid block type",
            id="damaged gzip",
        ),
    ],
)
def test_fault_of_a_whole_file_has_no_line(content, fault):
    assert faults_of(content, name="dump.gz") == [f"error: dump.gz: {fault}"]


def test_fault_in_a_json_item_is_at_the_line_of_its_field():
    pods = [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": f"web-{index}"},
            "spec": {"containers": [{"name": "main", "ports": [{"containerPort": port}]}]},
        }
        for index, port in enumerate((80, 99_999))
    ]
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": pods}, indent=2)
    line = text[: text.index("99999")].count("\n") + 1
    assert faults_of(text, name="a.json") == [
        f"error: a.json:{line}: Pod default/web-1: spec.containers[0].ports[0].containerPort: "
        "Invalid value: 99999: must be between 1 and 65535, inclusive"
    ]


def test_wrong_items_are_all_told_and_the_others_taken():
    reader = reader_of(as_list(POD) + "\n- null\n- 3\n- apiVersion: v1\n")
    assert [str(fault) for fault in reader.report.faults] == [
        "error: pods.yaml:16: expected an object, got null",
        "error: pods.yaml:17: expected an object, got a number",
        "error: pods.yaml:18: has no kind, expected one, such as kind: Pod",
    ]
    assert list(reader.entries) == [("Pod", "shop", "web-1")]


def test_what_was_read_before_a_syntax_error_is_kept():
    reader = reader_of(POD + "---\nkind: [\n")
    assert [fault.line for fault in reader.report.faults] == [15]
    assert reader.report.of("Pod").taken == 1


def test_faults_are_counted_beyond_those_that_are_kept():
    reader = reader_of("[" + ",".join(["null"] * 50) + "]", limits=Limits(faults=5))
    wide = reader_of('{"items":[' + ",".join(["null"] * 50) + "]}", limits=Limits(faults=5))
    assert reader.report.faults.count == 1
    assert (wide.report.faults.count, len(list(wide.report.faults)), wide.report.faults.untold) == (50, 5, 45)


def test_faults_of_several_files_are_sorted():
    reader = Reader()
    reader.read([Source(name, content=b"x") for name in ("b.yaml", "a.yaml")])
    assert [fault.file for fault in reader.report.faults] == ["a.yaml", "b.yaml"]


def test_every_object_is_found_taken_ignored_or_wrong():
    secret = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n"
    report = reader_of("---\n".join([POD, POD, changed("500m", "x").replace("web-1", "web-2"), secret])).report
    assert {kind: tuple(vars(count).values()) for kind, count in report.kinds.items()} == {
        "Pod": (3, 1, 1, 1),
        "Secret": (1, 0, 1, 0),
    }
    assert dict(report.ignored) == {
        ("Pod", "the same object a second time"): 1,
        ("Secret", "may hold secrets and plays no part in scheduling"): 1,
    }


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("before", [0, 1, 2])
@pytest.mark.parametrize("after", [0, 1, 2])
@pytest.mark.parametrize("form", ["documents", "list"])
def test_line_of_a_field_is_right_wherever_its_object_stands(newline, before, after, form):
    bad = changed("500m", "lots")
    pods = [POD.replace("web-1", f"web-{n + 2}") for n in range(before + after)]
    pods.insert(before, bad)
    text = as_list(*pods) if form == "list" else "---\n".join(pods)
    (fault,) = reader_of(text.replace("\n", newline)).report.faults
    assert "lots" in text.splitlines()[fault.line - 1]
