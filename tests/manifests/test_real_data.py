"""Dumps of real control planes import whole. Needs PODIUM_DATA_DIR; the samples that are shipped need nothing."""

import os
from pathlib import Path

import pytest

from scheduler.manifests.limits import Limits
from scheduler.manifests.reading import Reader
from scheduler.manifests.samples import SAMPLES
from scheduler.manifests.sources import sources_of
from scheduler.services.imports import cluster_import

DATA = Path(os.environ.get("PODIUM_DATA_DIR") or "/nonexistent")
REAL = DATA / "real-1.36"
needs_data = pytest.mark.skipif(not REAL.is_dir(), reason="PODIUM_DATA_DIR is not set")


def read(*paths):
    reader = Reader()
    reader.read(sources_of([str(path) for path in paths], Limits()))
    reader.check()
    return reader


@needs_data
@pytest.mark.parametrize("name", ["all.json.gz", "all.yaml.gz"])
def test_whole_cluster(name):
    report = read(REAL / name).report
    assert not report.faults
    assert (report.of("Node").taken, report.of("Pod").taken, report.total.taken) == (42, 239, 442)


@needs_data
def test_json_and_yaml_of_one_cluster_are_the_same_objects():
    json_entries, yaml_entries = (read(REAL / name).entries for name in ("all.json.gz", "all.yaml.gz"))
    assert {key: entry.manifest for key, entry in json_entries.items()} == {
        key: entry.manifest for key, entry in yaml_entries.items()
    }


@needs_data
def test_every_file_by_kind():
    files = sorted((REAL / "by-kind").iterdir())
    assert len(files) >= 28
    for file in files:
        report = read(file).report
        assert not report.faults, file.name
        assert report.total.found == report.total.taken + report.total.ignored > 0, file.name


@needs_data
def test_folder_by_kind_takes_each_object_once():
    report = read(REAL / "by-kind").report
    assert not report.faults
    assert (report.of("Pod").found, report.of("Pod").taken) == (478, 239)


@needs_data
@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("raw-podlist.json.gz", 239),
        ("raw-nodelist.json.gz", 42),
        ("pods-with-managed-fields.json.gz", 239),
        ("session-pods-watch.json.gz", 239),
        ("session-nodes-watch.json.gz", 42),
        ("events.json.gz", 0),
    ],
)
def test_other_shapes(name, taken):
    reader = read(REAL / name)
    assert not reader.report.faults
    assert reader.report.total.taken == taken
    assert not any("managedFields" in entry.manifest["metadata"] for entry in reader.entries.values())


@needs_data
def test_dump_of_cluster_info_with_logs_between():
    assert read(REAL / "cluster-info-dump.txt.gz").report.of("Pod").taken == 239


@needs_data
@pytest.mark.parametrize("folder", ["golden", "openb", "kruise/apps_v1alpha1_uniteddeployment.yaml"])
def test_other_public_data(folder):
    report = read(DATA / folder).report
    assert [str(fault) for fault in report.faults] == []


@pytest.mark.django_db
@pytest.mark.parametrize("sample", [sample for sample in SAMPLES if sample.file], ids=lambda sample: sample.slug)
def test_shipped_sample_imports_without_fault(sample):
    imported = cluster_import("a", [sample.source])
    assert not imported.report.faults
    nodes, pods = (int(word) for word in sample.facts.replace("·", "").split() if word.isdigit())
    assert (imported.report.of("Node").taken, imported.report.of("Pod").taken) == (nodes, pods)
