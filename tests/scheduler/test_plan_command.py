"""`manage.py plan`: what a UnitedDeployment would do, from files alone."""

import json

import pytest
import yaml
from django.core.management import CommandError, call_command

from tests.scheduler.cases import TESTS, load

CASES = [case for case in load("cases") if "ud" in case.path.stem.split("-")]


def run(capsys, *arguments):
    """Exit status, output, complaints. Without the `django_db` mark: any use of the database would fail."""
    status = 0
    try:
        call_command("plan", *map(str, arguments))
    except SystemExit as exit_:
        status = exit_.code
    return status, *capsys.readouterr()


def planned(capsys, *arguments):
    _, output, _ = run(capsys, *arguments, "-o", "json")
    return json.loads(output)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path.stem)
def test_subsets_of_public_questions_get_the_settled_numbers(capsys, case):
    expected = case.spec["expect"]
    report = planned(capsys, "-f", case.path)
    if "error" in expected:
        assert report["error"] == expected["error"]
        return
    subsets = expected["subsets"].get("before", expected["subsets"])
    assert (report["error"], report["next_replicas"]) == (None, subsets)
    if "at4" in expected:
        assert planned(capsys, "-f", case.path, "--replicas", "4")["next_replicas"] == expected["at4"]


def test_there_are_six_such_questions():
    assert len(CASES) == 6


def test_people_see_numbers_reasons_and_actions(capsys):
    status, output, _ = run(capsys, "-f", TESTS / "cases/47-ud-fixed-percent-rest.yaml")
    assert status == 0
    assert "subset-b         3          0" in output
    assert "2. subset-b gets 3: its replicas are 50% of 6; 2 left" in output
    assert "batch 2: create subset-c with 2 replicas" in output


def test_what_the_webhook_refuses_is_told_and_fails_the_command(capsys):
    status, output, _ = run(capsys, "-f", TESTS / "cases/52-ud-over-specified.yaml")
    assert status == 1
    assert "spec.topology.subsets: Invalid value" in output
    assert "The controller fails: specified subsets' replica (6) is greater" in output
    assert "Nothing is created, updated or deleted" in output
    assert "The manual says that such numbers are ignored" in output


OWNER = {"apiVersion": "apps.kruise.io/v1beta1", "kind": "UnitedDeployment", "name": "web", "controller": True}
LABELS = {"app": "web", "apps.kruise.io/subset-name": "a", "apps.kruise.io/controller-revision-hash": "old"}


def a_united_deployment(**spec):
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"template": {"metadata": {"labels": {"app": "web"}}}}}
    template["spec"]["template"]["spec"] = {"containers": [{"name": "main", "image": "x"}]}
    return {
        "apiVersion": "apps.kruise.io/v1beta1",
        "kind": "UnitedDeployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {"deploymentTemplate": template},
            "topology": {"subsets": [{"name": "a"}, {"name": "b"}]},
            **spec,
        },
    }


def a_workload(subset, replicas):
    metadata = {"name": f"web-{subset}", "namespace": "default", "ownerReferences": [OWNER]}
    metadata["labels"] = {**LABELS, "apps.kruise.io/subset-name": subset}
    status = {"replicas": replicas, "readyReplicas": replicas}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata} | {
        "spec": {"replicas": replicas, "selector": {"matchLabels": LABELS}},
        "status": status,
    }


def write(path, *objects):
    path.write_text(yaml.safe_dump_all(objects))
    return path


def test_workloads_that_are_there_are_updated_or_deleted(capsys, tmp_path):
    known = {"status": {"subsetStatuses": [{"name": "a"}, {"name": "gone"}]}}
    objects = ({**a_united_deployment(), **known}, a_workload("a", 2), a_workload("gone", 1))
    report = planned(capsys, "-f", write(tmp_path / "all.yaml", *objects))
    assert report["next_replicas"] == {"a": 2, "b": 1}
    assert [(one["subset"], one["reason"]) for one in report["updates"]] == [("a", "revision")]
    assert [(one["subset"], one["reason"]) for one in report["deletes"]] == [("gone", "removed")]
    assert [one["manifest"]["metadata"]["generateName"] for one in report["creates"]] == ["web-b-"]


def test_somebody_elses_workload_does_not_count(capsys, tmp_path):
    other = a_workload("a", 5)
    other["metadata"]["ownerReferences"] = [{**OWNER, "name": "other"}]
    report = planned(capsys, "-f", write(tmp_path / "all.yaml", a_united_deployment(), other))
    assert [one["subset"] for one in report["creates"]] == ["a", "b"]


def test_orphans_that_match_are_adopted_and_those_that_match_no_more_released(capsys, tmp_path):
    orphan, lost = a_workload("a", 2), a_workload("b", 1)
    del orphan["metadata"]["ownerReferences"]
    lost["metadata"]["labels"]["app"] = "else"
    path = write(tmp_path / "all.yaml", a_united_deployment(), orphan, lost)
    report = planned(capsys, "-f", path)
    assert report["adopts"] == [{"kind": "Deployment", "workload": "web-a"}]
    assert report["releases"] == [{"kind": "Deployment", "workload": "web-b"}]
    assert [one["subset"] for one in report["creates"]] == ["b"]
    assert [one["workload"] for one in report["updates"]] == ["web-a"]
    lines = run(capsys, "-f", path)[1].splitlines()
    at = lines.index("What a pass would do")
    assert lines[at + 1 : at + 3] == [
        "  adopt Deployment web-a (it matches the selector, nobody controls it)",
        "  release Deployment web-b (it does not match the selector any more)",
    ]


def test_what_cannot_be_taken_over_is_an_error(capsys, tmp_path):
    nameless, far = a_workload("a", 2), a_workload("a", 2)
    del nameless["metadata"]["ownerReferences"], nameless["metadata"]["labels"]["apps.kruise.io/subset-name"]
    del far["metadata"]["ownerReferences"]
    far["metadata"]["namespace"] = "far"
    for one, why in ((nameless, "has no label apps.kruise.io/subset-name"), (far, "cross-namespace owner references")):
        status, _, complaints = run(capsys, "-f", write(tmp_path / "x.yaml", a_united_deployment(), one))
        assert (status, why in complaints) == (1, True)


def test_a_file_without_one_is_an_error(capsys, tmp_path):
    status, output, complaints = run(capsys, "-f", write(tmp_path / "x.yaml", a_workload("a", 1)))
    assert (status, output) == (1, "")
    assert "no UnitedDeployment among the objects" in complaints


def test_a_field_of_the_wrong_type_is_told_with_its_place(capsys, tmp_path):
    status, _, complaints = run(capsys, "-f", write(tmp_path / "x.yaml", a_united_deployment(replicas="many")))
    assert status == 1
    assert "replicas" in complaints


@pytest.mark.parametrize("number", ["-1", "x", "99999999999"])
def test_only_numbers_of_replicas_are_taken(number):
    with pytest.raises(CommandError, match="no number of replicas"):
        call_command("plan", "-f", "x.yaml", f"--replicas={number}")
