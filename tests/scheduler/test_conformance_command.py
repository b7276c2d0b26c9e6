"""`manage.py conformance`: recordings that agree, a recording that was tampered with, and files that are none."""

import gzip
import json

import pytest
from django.core.management import CommandError, call_command

from scheduler.management.conformance.compare import first_difference
from tests.engine.vectors import ROOT

VECTORS = ROOT / "kube-scheduler"


def run(capsys, *arguments):
    """Exit status and output. Without the `django_db` mark: any use of the database would fail."""
    status = 0
    try:
        call_command("conformance", *map(str, arguments))
    except SystemExit as exit_:
        status = exit_.code
    return status, capsys.readouterr().out


@pytest.mark.parametrize(
    ("folder", "passed"),
    [(VECTORS / "quantity", 272), (VECTORS / "config", 60), (ROOT / "numeric", 6198)],
    ids=["quantity", "config", "numeric"],
)
def test_every_recorded_row_is_answered_alike(capsys, folder, passed):
    status, output = run(capsys, folder)
    assert output.splitlines()[-1] == f"{passed} passed, 0 failed"
    assert status == 0


def test_a_difference_is_shown_and_fails_the_run(capsys, tmp_path):
    rows = json.loads((VECTORS / "tables/num_feasible_nodes.json").read_text())[:10]
    rows[3]["find"] += 1
    (tmp_path / "num_feasible_nodes.json").write_text(json.dumps(rows))
    status, output = run(capsys, tmp_path)
    assert "tables num_feasible_nodes[3]: find: expected 100, found 99" in output
    assert output.splitlines()[-1] == "9 passed, 1 failed"
    assert status == 1


def test_json_output_names_kinds_and_failures(capsys, tmp_path):
    vector = json.loads((VECTORS / "config/ok-weights.json").read_text())
    vector["profiles"][0]["plugins"]["score"][0]["weight"] = 8
    with gzip.open(tmp_path / "ok-weights.json.gz", "wt") as file:
        json.dump(vector, file)
    status, output = run(capsys, tmp_path, "-o", "json")
    report = json.loads(output)
    assert (status, report["passed"], report["failed"]) == (1, 0, 1)
    assert report["kinds"]["config"] == {"passed": 0, "failed": 1, "skipped": 0}
    assert report["failures"][0]["difference"] == "profiles[0].plugins.score[0].weight: expected 8, found 9"


@pytest.mark.parametrize("content", ["{", "[1]", "{}", '{"kind": "cycle", "objects": 1}', "\x00"])
def test_a_file_that_is_no_vector_fails_the_run_and_no_more(capsys, tmp_path, content):
    (tmp_path / "a.json").write_text(content)
    (tmp_path / "gates.json").write_text('{"PodLevelResources": true}')
    status, output = run(capsys, tmp_path)
    assert (status, output.splitlines()[-1]) == (1, "1 passed, 1 failed")


def test_a_kind_that_is_not_modelled_is_left_out_and_said_so(capsys, tmp_path):
    (tmp_path / "a.json").write_text('{"kind": "weather", "expected": {}}')
    (tmp_path / "gates.json").write_text('{"PodLevelResources": true}')
    status, output = run(capsys, tmp_path)
    assert "Skipped: what this command cannot replay yet." in output
    assert (status, output.splitlines()[-1]) == (0, "1 passed, 0 failed")


def test_a_run_that_compared_nothing_does_not_pass(capsys, tmp_path):
    (tmp_path / "a.json").write_text('{"kind": "weather", "expected": {}}')
    assert run(capsys, tmp_path)[0] == 1


@pytest.mark.parametrize("folder", ["missing", "."])
def test_without_a_file_there_is_one_clear_line(tmp_path, folder):
    with pytest.raises(CommandError, match=r"no such file|there is no \.json"):
        call_command("conformance", str(tmp_path / folder))


@pytest.mark.parametrize(
    ("expected", "found", "difference"),
    [
        ({"a": [1, 2]}, {"a": [1, 2]}, ""),
        ({"a": [1, 2]}, {"a": [1]}, "a[1]: expected 2, found nothing"),
        ({"a": 1}, {"a": 1, "b": None}, "b: expected nothing, found null"),
        ({"a": True}, {"a": 1}, "a: expected true, found 1"),
        ([], {}, "outcome: expected [], found {}"),
        (1, 1.0, ""),
    ],
)
def test_the_first_difference(expected, found, difference):
    assert first_difference(expected, found) == difference
