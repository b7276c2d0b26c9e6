"""import_cluster, export_cluster and demo, from the files to the tables."""

import io
import json
from pathlib import Path

import pytest
import yaml
from django.core.management import CommandError, call_command

from scheduler.models import Cluster, KubeObject, Node, Pod, QueueEntry

pytestmark = pytest.mark.django_db

NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n1"},
    "status": {"allocatable": {"cpu": "4", "pods": "9"}},
}


def a_pod(name, created="2026-01-01T12:00:00Z", cpu="1", **spec):
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "shop",
            "creationTimestamp": created,
            "labels": {"on": "y", "n": "1e3"},
        },
        "spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": cpu}}}], **spec},
    }


@pytest.fixture
def file(tmp_path):
    def write(*objects):
        path = tmp_path / "cluster.yaml"
        path.write_text(yaml.dump_all(objects))
        return str(path)

    return write


def line_of(text, path):
    lines = Path(path).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def run(*arguments, **options):
    """Exit code, standard output, standard error."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(*arguments, stdout=out, stderr=err, **options)
    except SystemExit as stop:
        return stop.code, out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def test_import_stores_everything_and_says_what(file):
    code, out, err = run("import_cluster", "a", "-f", file(NODE, a_pod("run", nodeName="n1"), a_pod("wait")))
    assert (code, err) == (0, "")
    assert out.splitlines()[:4] == [
        "kind     found     taken   ignored     wrong",
        "Node         1         1         0         0",
        "Pod          2         2         0         0",
        "all          3         3         0         0",
    ]
    assert out.splitlines()[-1] == "Imported 3 objects as cluster a."
    assert Pod.objects.get(name="run").node_name == "n1"
    assert Node.objects.get().pod_count == 1
    assert list(QueueEntry.objects.values_list("pod", flat=True)) == ["shop/wait"]


def test_waiting_pods_queue_by_creation_then_file_order_a_microsecond_apart(file):
    pods = [a_pod("c", "2026-01-01T12:00:05Z"), a_pod("b"), a_pod("a")]
    run("import_cluster", "a", "-f", file(NODE, *pods))
    start = Cluster.objects.get().start_us
    assert start == 1_767_268_805 * 1_000_000
    rows = QueueEntry.objects.order_by("timestamp_us").values_list("pod", "timestamp_us")
    assert [(pod, at - start) for pod, at in rows] == [("shop/b", 1), ("shop/a", 2), ("shop/c", 3)]


def test_anything_wrong_stores_nothing(file):
    path = file(NODE, a_pod("good"), a_pod("bad", cpu="lots"))
    code, out, err = run("import_cluster", "a", "-f", path)
    assert code == 1
    place = f"{path}:{line_of('cpu: lots', path)}"
    assert err.startswith(f"error: {place}: Pod shop/bad: spec.containers[0].resources.requests[cpu]: Invalid value")
    assert out.splitlines()[-1] == "Nothing was stored. To take the 2 valid objects, add --skip-invalid."
    assert not Cluster.objects.exists()


def test_the_valid_rest_is_taken_by_choice(file):
    code, out, err = run(
        "import_cluster", "a", "-f", file(NODE, a_pod("good"), a_pod("bad", cpu="x")), "--skip-invalid"
    )
    assert code == 0
    assert "Pod shop/bad" in err
    assert out.splitlines()[-1] == "Imported 2 objects as cluster a. 1 wrong one was left out."
    assert list(Pod.objects.values_list("name", flat=True)) == ["good"]


def test_taken_name_is_refused_and_replaced_by_choice(file):
    path = file(NODE)
    run("import_cluster", "a", "-f", path)
    code, _, err = run("import_cluster", "a", "-f", path)
    assert (code, err) == (1, "error: There is a cluster a already.\n")
    before = Cluster.objects.get().pk
    assert run("import_cluster", "a", "-f", file(NODE, a_pod("p")), "--replace")[0] == 0
    assert Cluster.objects.get().pk != before
    assert Pod.objects.count() == 1


def test_failed_replacement_keeps_what_was(file):
    run("import_cluster", "a", "-f", file(NODE, a_pod("old")))
    assert run("import_cluster", "a", "-f", file(NODE, a_pod("new", cpu="x")), "--replace")[0] == 1
    assert Pod.objects.get().name == "old"


def test_bad_name_and_missing_file_are_told_before_anything_is_read(file):
    assert run("import_cluster", "A b", "-f", file(NODE))[::2] == (
        1,
        "error: name: Use lower-case letters, digits and '-', at most 63, "
        "beginning and ending with a letter or digit.\n",
    )
    assert run("import_cluster", "a", "-f", "/no/such")[::2] == (1, "error: /no/such: no such file or directory\n")


def test_json_output_is_for_scripts(file):
    path = file(NODE, a_pod("bad", cpu="lots"))
    code, out, _ = run("import_cluster", "a", "-f", path, "-o", "json")
    told = json.loads(out)
    assert code == 1
    assert told["cluster"] is None
    assert told["total"] == {"found": 2, "taken": 1, "ignored": 0, "wrong": 1}
    assert [(fault["line"], fault["object"]) for fault in told["faults"]] == [
        (line_of("cpu: lots", path), "Pod shop/bad")
    ]


def test_node_beyond_its_size_is_told(file):
    _, out, _ = run("import_cluster", "a", "-f", file(NODE, a_pod("big", cpu="5", nodeName="n1")))
    assert "warning: Nodes whose pods request more than 100 %: 1." in out


@pytest.mark.parametrize("output", ["yaml", "json"])
def test_export_imports_to_the_same_objects(file, tmp_path, output):
    quota = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}, "future": {"x": [1, None, "no"]}}
    run("import_cluster", "a", "-f", file(quota, NODE, a_pod("run", nodeName="n1"), a_pod("wait")))
    code, out, _ = run("export_cluster", "a", output=output)
    assert code == 0
    (tmp_path / "again").write_text(out)
    assert run("import_cluster", "b", "-f", str(tmp_path / "again"))[0] == 0
    for model in (Node, Pod, KubeObject):
        first, second = (
            list(model.objects.filter(cluster__name=name).values_list("manifest", flat=True)) for name in "ab"
        )
        assert first
        assert first == second


def test_yaml_export_keeps_texts_that_look_like_something_else(file):
    run("import_cluster", "a", "-f", file(NODE, a_pod("p")))
    out = run("export_cluster", "a")[1]
    assert "'on': 'y'" in out
    assert "'n': '1e3'" in out
    assert yaml.safe_load(out)["items"][-1]["metadata"]["labels"] == {"on": "y", "n": "1e3"}


def test_export_of_an_unknown_cluster_is_refused():
    with pytest.raises(CommandError, match="There is no cluster x"):
        call_command("export_cluster", "x")


def test_demo_is_created_once():
    assert run("demo")[1] == "Created cluster demo.\n"
    assert Node.objects.count() == 60
    with pytest.raises(CommandError, match="There is a cluster demo already"):
        call_command("demo")
    assert run("demo", "--replace")[0] == 0


def test_interrupted_import_says_so(file, monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("scheduler.management.commands.import_cluster.cluster_import", interrupted)
    assert run("import_cluster", "a", "-f", file(NODE)) == (130, "", "Stopped. Nothing was stored.\n")


def test_progress_is_written_over_on_a_terminal_and_silent_elsewhere(file):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    call_command("import_cluster", "a", "-f", file(NODE), stdout=io.StringIO(), stderr=terminal)
    assert terminal.getvalue().startswith("\r\x1b[KReading ")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_an_unknown_field_is_a_warning_with_its_line(file):
    path = file(NODE, a_pod("web", nodeSelectr={"disk": "ssd"}))
    code, out, err = run("import_cluster", "typo", "-f", path)
    assert (code, err, Pod.objects.count()) == (0, "", 1)
    place = f"{path}:{line_of('nodeSelectr', path)}"
    assert 'warning: Pod shop/web: unknown field "spec.nodeSelectr", did you mean nodeSelector? ' in out
    assert f"({place})" in out
