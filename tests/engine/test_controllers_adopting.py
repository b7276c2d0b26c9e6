"""UnitedDeployments and workloads that others made: adopted, released, left alone; what the log says of it."""

import msgspec
import pytest

from scheduler.engine.commands import AddObject, UpdateObject
from scheduler.engine.controllers.owners import Owners
from scheduler.engine.controllers.united import planned_pass
from scheduler.engine.errors import Invalid
from tests.engine.workload_world import SUBSET, World, a_template, a_united_deployment, a_workload

KEY = ("UnitedDeployment", "default", "ud")
KINDS = {
    "cloneSet": "CloneSet",
    "deployment": "Deployment",
    "statefulSet": "StatefulSet",
    "advancedStatefulSet": "AdvancedStatefulSet",
}
OTHER = {"apiVersion": "example.org/v1", "kind": "Cell", "name": "cell", "uid": "c-1", "controller": True}


def an_orphan(kind="CloneSet", name="old-a", subset="a", namespace="default", replicas=2, **metadata):
    """A workload of its own, as somebody made it before there was a UnitedDeployment."""
    labels = {"app": "web", **({SUBSET: subset} if subset else {})}
    made = a_workload(kind, replicas, name, a_template(**labels), selector={"matchLabels": labels})
    version = "apps.kruise.io/v1beta1" if kind in ("CloneSet", "AdvancedStatefulSet") else "apps/v1"
    return {
        **made,
        "apiVersion": version,
        "metadata": {"name": name, "namespace": namespace, "labels": labels, **metadata},
    }


def add_raw(world, kind, manifest):
    """As it is, not admitted: so an object that is being deleted comes in."""
    world.do(AddObject(kind, manifest))


def names(world, kind="CloneSet"):
    return sorted(one.name for one in world.simulation.objects(kind))


def plan(world):
    return planned_pass(world.simulation, KEY, world.simulation.cluster.get(*KEY))[1]


def owner_of(world, name, kind="CloneSet", namespace="default"):
    found = world.simulation.cluster.get(kind, namespace, name).metadata.owner_references or []
    return [(one.kind, one.name, one.controller) for one in found]


def happenings(world, *kinds):
    """(kind of event, what happened), of these kinds or of all."""
    return [(one.kind, one.happening) for one in world.log if one.kind in kinds or not kinds]


def updates_of(world, name):
    found = [one.manifest for _, one in happenings(world, "ObjectUpdated")]
    return [manifest for manifest in found if manifest["metadata"]["name"] == name]


@pytest.mark.parametrize(("template", "kind"), KINDS.items())
def test_an_orphan_is_adopted_and_is_its_subset(template, kind):
    world = World()
    world.add(kind, an_orphan(kind))
    world.run(5)
    world.add("UnitedDeployment", a_united_deployment(4, kind=template))
    dry = plan(world)
    assert ([one.name for one in dry.adopted], [one.subset for one in dry.creates]) == (["old-a"], ["b"])
    assert owner_of(world, "old-a", kind) == []
    world.run(15)
    assert owner_of(world, "old-a", kind) == [("UnitedDeployment", "ud", True)]
    first = updates_of(world, "old-a")[0]
    assert first["metadata"]["ownerReferences"] == [
        {
            "apiVersion": "apps.kruise.io/v1beta1",
            "kind": "UnitedDeployment",
            "name": "ud",
            "uid": world.simulation.cluster.get(*KEY).uid,
            "controller": True,
            "blockOwnerDeletion": True,
        }
    ]
    assert first["spec"]["template"] == an_orphan(kind)["spec"]["template"]
    assert len(names(world, kind)) == 2
    assert world.counts() == {"a": 2, "b": 2}
    assert world.status("UnitedDeployment", "ud")["replicas"] == 4
    assert msgspec.json.encode(world.folded().cluster.objects) == msgspec.json.encode(world.simulation.cluster.objects)


def test_it_is_adopted_before_the_pass_writes_anything_else():
    world = World(nodes=0)
    world.add("CloneSet", an_orphan())
    world.add("UnitedDeployment", a_united_deployment(4))
    world.run(0.15)
    found = happenings(world)
    start = next(at for at, (kind, one) in enumerate(found) if kind == "Reconciled" and one.name == "ud")
    kind, adopted = found[start + 1]
    assert (kind, adopted.manifest["metadata"]["name"]) == ("ObjectUpdated", "old-a")


def test_one_that_does_not_match_any_more_is_left_with_its_pods_and_a_new_one_made():
    world = World()
    world.add("UnitedDeployment", a_united_deployment(4))
    world.run(8)
    old = next(one for one in world.simulation.objects("CloneSet") if one.labels[SUBSET] == "a")
    pods = {one.name for one in world.pods if one.name.startswith(old.name)}
    plain = msgspec.to_builtins(old)
    labels = {**plain["metadata"]["labels"], "app": "quarantine"}
    world.do(UpdateObject("CloneSet", {**plain, "metadata": {**plain["metadata"], "labels": labels}}))
    dry = plan(world)
    assert ([one.name for one in dry.released], [one.subset for one in dry.creates]) == ([old.name], ["a"])
    world.run(10)
    assert owner_of(world, old.name) == []
    assert "ownerReferences" not in updates_of(world, old.name)[-1]["metadata"]
    assert pods <= set(world.names())
    assert len(pods) == 2
    assert world.counts() == {"a": 4, "b": 2}
    assert len(names(world)) == 3
    world.delete("UnitedDeployment", "ud")
    assert set(world.names()) == pods


@pytest.mark.parametrize("template", ["cloneSet", "deployment"])
def test_a_matching_orphan_without_the_label_of_a_subset_fails_every_pass(template):
    """Of the template's kind before anything is done, of another one in provisioning; it is adopted all the same."""
    world = World()
    world.add("CloneSet", an_orphan(subset=""))
    world.add("UnitedDeployment", a_united_deployment(2, kind=template))
    world.run(2)
    assert owner_of(world, "old-a") == [("UnitedDeployment", "ud", True)]
    told = f"CloneSet old-a has no label {SUBSET}"
    if template == "cloneSet":
        assert world.said("ud")[:2] == [f"Warning {why}: {told}" for why in ("FailedFindSubsets", "Failed FindSubsets")]
        assert names(world) == ["old-a"]
    else:
        assert f"fail to list Subset of other type CloneSet for UnitedDeployment default/ud: {told}" in "".join(
            world.said("ud")
        )
        assert len(names(world, "Deployment")) == 2
    assert world.status("UnitedDeployment", "ud") == {}


def test_an_orphan_of_another_kind_is_adopted_and_deleted():
    world = World()
    world.add("StatefulSet", an_orphan("StatefulSet", "old"))
    world.add("UnitedDeployment", a_united_deployment(2))
    assert [(one.kind.label, one.name) for one in plan(world).adopted] == [("StatefulSet", "old")]
    world.run(8)
    assert names(world, "StatefulSet") == []
    assert owned_by(updates_of(world, "old")[-1]) == ["ud"]
    gone = [(one.name, one.cause, one.by) for _, one in happenings(world, "ObjectDeleted") if one.name == "old"]
    assert gone == [("old", "other kind", "UnitedDeployment/ud")]
    assert world.counts() == {"a": 1, "b": 1}


def owned_by(manifest):
    return [one["name"] for one in manifest["metadata"].get("ownerReferences", ()) if one.get("controller")]


def test_a_second_workload_of_a_subset_goes_whoever_made_it():
    """The first by name stays: here the orphan."""
    world = World()
    world.add("UnitedDeployment", a_united_deployment(2))
    world.run(6)
    world.add("CloneSet", an_orphan(name="a-first", replicas=1))
    world.run(5)
    assert owner_of(world, "a-first") == []  # nothing has told the UnitedDeployment of it
    world.update("UnitedDeployment", a_united_deployment(4))
    world.run(10)
    assert "a-first" in names(world)
    assert len(names(world)) == 2
    assert world.counts() == {"a": 2, "b": 2}


@pytest.mark.parametrize(
    "metadata",
    [
        {"ownerReferences": [OTHER]},
        {"deletionTimestamp": "2023-11-14T22:13:20Z"},
        {"labels": {"app": "else", SUBSET: "a"}},
    ],
    ids=["controlled by another", "being deleted", "not matching"],
)
def test_others_are_ignored(metadata):
    world = World()
    add_raw(world, "CloneSet", an_orphan(**metadata))
    before = world.simulation.cluster.get("CloneSet", "default", "old-a").metadata
    world.add("UnitedDeployment", a_united_deployment(2))
    assert not plan(world).adopted
    world.run(6)
    assert world.simulation.cluster.get("CloneSet", "default", "old-a").metadata == before
    assert len(names(world)) == 3


def test_one_that_is_being_deleted_adopts_and_makes_nothing():
    world = World()
    world.add("CloneSet", an_orphan())
    ud = a_united_deployment(2)
    add_raw(
        world, "UnitedDeployment", {**ud, "metadata": {**ud["metadata"], "deletionTimestamp": "2023-11-14T22:13:20Z"}}
    )
    world.run(5)
    assert (names(world), owner_of(world, "old-a"), world.said("ud")) == (["old-a"], [], [])
    with pytest.raises(Invalid, match="is being deleted"):
        plan(world)


def test_an_orphan_in_another_namespace_stops_it_and_the_others_are_adopted():
    world = World()
    world.add("CloneSet", an_orphan(namespace="other"))
    world.add("CloneSet", an_orphan(name="old-b", subset="b"))
    world.add("UnitedDeployment", a_united_deployment(2))
    world.run(2)
    assert (
        "cross-namespace owner references are disallowed, owner's namespace default, obj's namespace other"
        in (world.said("ud")[0])
    )
    assert owner_of(world, "old-b") == [("UnitedDeployment", "ud", True)]
    assert names(world) == ["old-a", "old-b"]


def test_a_plain_reference_to_it_becomes_the_controllers_and_others_stay():
    plain = {"apiVersion": "apps.kruise.io/v1alpha1", "kind": "UnitedDeployment", "name": "ud", "uid": "x"}
    friend = {"apiVersion": "v1", "kind": "ConfigMap", "name": "notes", "uid": "n-1"}
    world = World()
    world.add("CloneSet", an_orphan(ownerReferences=[plain, friend]))
    world.add("UnitedDeployment", a_united_deployment(2))
    world.run(0.15)
    found = updates_of(world, "old-a")[0]["metadata"]["ownerReferences"]
    assert [(one["kind"], one.get("controller")) for one in found] == [("UnitedDeployment", True), ("ConfigMap", None)]


def test_one_whose_owner_reference_was_taken_away_is_adopted_again():
    world = World()
    world.add("UnitedDeployment", a_united_deployment(2))
    world.run(6)
    first, *_ = names(world)
    plain = msgspec.to_builtins(world.simulation.cluster.get("CloneSet", "default", first))
    del plain["metadata"]["ownerReferences"]
    world.do(UpdateObject("CloneSet", plain))
    world.run(3)
    assert owner_of(world, first) == [("UnitedDeployment", "ud", True)]
    assert len(names(world)) == 2
    kept, fresh = world.simulation.owners, Owners(world.simulation.cluster.objects)
    assert sorted(kept.of(KEY, "CloneSet")) == sorted(fresh.of(KEY, "CloneSet"))
    assert kept.orphans("CloneSet") == fresh.orphans("CloneSet") == []
