"""Kinds of one name in two API groups are kept apart, by their controllers as well."""

import pytest

from scheduler.engine.codec.codec import decode_checkpoint, encode_checkpoint
from scheduler.engine.objects import KINDS, api_kind, kind_of
from scheduler.engine.objects.groups import GROUPS
from tests.engine.workload_world import World, a_template, a_workload

KRUISE = "apps.kruise.io/v1beta1"


@pytest.mark.parametrize(
    ("api_version", "kind", "kept"),
    [
        ("apps/v1", "StatefulSet", "StatefulSet"),
        ("", "StatefulSet", "StatefulSet"),
        ("apps.kruise.io/v1alpha1", "StatefulSet", "AdvancedStatefulSet"),
        (KRUISE, "StatefulSet", "AdvancedStatefulSet"),
        (KRUISE, "CloneSet", "CloneSet"),
        (KRUISE, "DaemonSet", "DaemonSet.apps.kruise.io"),
        ("batch.volcano.sh/v1alpha1", "Job", "Job.batch.volcano.sh"),
        ("serving.knative.dev/v1", "Service", "Service.serving.knative.dev"),
        ("extensions/v1beta1", "Deployment", "Deployment"),
        ("v1", "Pod", "Pod"),
        ("example.org/v1", "Widget", "Widget"),
    ],
)
def test_a_kind_is_kept_by_itself_only_in_its_own_group(api_version, kind, kept):
    assert kind_of(api_version, kind) == kept
    assert api_kind(kept) == kind


def test_every_kind_that_algorithms_read_has_a_group():
    assert KINDS.keys() <= GROUPS.keys()


def both(**more):
    world = World()
    world.add("StatefulSet", {**a_workload("StatefulSet", 2, **more), "apiVersion": "apps/v1"})
    world.add("AdvancedStatefulSet", {**a_workload("AdvancedStatefulSet", 2), "apiVersion": KRUISE})
    return world


def test_both_stateful_sets_of_one_name_keep_their_own_pods():
    """Their templates are the same, and so would be the names of their revisions."""
    world = both(ordinals={"start": 5})
    world.run(10)
    owners = {pod.name: pod.metadata.owner_references[0].api_version for pod in world.pods}
    assert owners == {"web-0": KRUISE, "web-1": KRUISE, "web-5": "apps/v1", "web-6": "apps/v1"}
    for kind in ("StatefulSet", "AdvancedStatefulSet"):
        assert world.status(kind, "web")["readyReplicas"] == 2
    assert len(list(world.simulation.objects("ControllerRevision"))) == 2
    assert not any("Failed" in line for line in world.said())
    world.delete("StatefulSet", "web")
    world.run(5)
    assert world.names() == ["web-0", "web-1"]
    assert len(list(world.simulation.objects("ControllerRevision"))) == 1


def test_a_pod_whose_name_is_taken_is_told_and_made_once_it_is_free():
    world = both()
    world.run(10)
    told = "Warning FailedCreate: Error creating: pods 'web-0' already exists"
    assert told in world.said("web")
    world.delete("StatefulSet", "web")
    world.run(30)
    assert {pod.metadata.owner_references[0].api_version for pod in world.pods} == {KRUISE}
    assert world.names() == ["web-0", "web-1"]


def test_a_log_from_before_kinds_were_told_apart_still_reads():
    """What was kept as a StatefulSet then stays one."""
    world = World()
    world.add("StatefulSet", {**a_workload("StatefulSet", 1), "apiVersion": KRUISE})
    world.run(3)
    assert world.names() == ["web-0"]
    assert encode_checkpoint(world.folded()) == encode_checkpoint(decode_checkpoint(world.checkpoint()))


def test_a_pod_of_another_groups_kind_is_nobodys_here():
    """A pod of a Volcano job is not one of the batch Job of that name."""
    world = World()
    world.add("Job", a_workload("Job", parallelism=1))
    reference = {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "name": "web",
        "uid": "u",
        "controller": True,
    }
    metadata = {"name": "stranger", "ownerReferences": [reference]}
    world.add("Pod", {"metadata": metadata, "spec": a_template()["spec"]})
    world.run(5)
    world.delete("Job", "web")
    assert world.names() == ["stranger"]
