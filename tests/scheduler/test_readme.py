"""README.md and the pages say the same as the product: its commands, its numbers, and links that lead somewhere."""

import re
from pathlib import Path

import pytest

from scheduler.engine.queue.entry import ACTIVE, GATED
from scheduler.manifests.demo import demo_manifests
from scheduler.manifests.kinds import KUBECTL
from scheduler.manifests.limits import DEFAULT, MIB
from scheduler.manifests.reading import Reader
from scheduler.manifests.samples import BY_SLUG, SAMPLES
from tests.manifests.test_demo import a_simulation

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("file", ["README.md", "docs/commands.md"])
def test_the_command_that_saves_a_cluster_is_the_one_that_the_pages_show(file):
    lines = [line.strip() for line in (ROOT / file).read_text().splitlines() if "kubectl get" in line]
    assert [line for line in lines if line.startswith("kubectl")] == [KUBECTL]


def test_the_demo_holds_what_is_said_of_it():
    simulation = a_simulation()
    pending = [one for one in demo_manifests() if one["kind"] == "Pod" and "nodeName" not in one["spec"]]
    foreign = [one for one in pending if one["spec"].get("schedulerName", "default-scheduler") != "default-scheduler"]
    places = [simulation.queued(f"{one['metadata']['namespace']}/{one['metadata']['name']}") for one in pending]
    there = [one.place for one in places if one is not None]
    assert (len(pending), len(foreign), there.count(ACTIVE), there.count(GATED)) == (19, 1, 17, 1)
    told = BY_SLUG["demo"].text
    assert "Eighteen pods wait, each to teach one thing: 17 in ActiveQ, 1 gated. One more belongs to another" in told
    nodes = [one["metadata"] for one in demo_manifests() if one["kind"] == "Node"]
    pools = {node["name"].split("-")[0] for node in nodes}
    zones = {node["labels"]["topology.kubernetes.io/zone"] for node in nodes}
    assert (len(pools), len(zones)) == (6, 3)
    assert told.startswith("Six pools in three zones.")
    assert "Eighteen pods wait, each to teach something: seventeen in **ActiveQ** and one that is gated" in README
    assert "One more is pending, but belongs to another scheduler" in README


def test_the_limit_of_yaml_is_told():
    assert f"{DEFAULT.yaml_bytes // MIB} MB of YAML" in README


def test_every_link_of_the_readme_leads_to_a_file():
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert len(links) > 5
    assert [link for link in links if not (ROOT / link).is_file()] == []


@pytest.mark.parametrize("sample", [one for one in SAMPLES if one.file], ids=lambda one: one.slug)
def test_a_sample_holds_only_what_podium_knows(sample):
    reader = Reader()
    reader.read([sample.source])
    assert dict(reader.report.ignored) == {}
