"""Tiles are kept from one picture to the next; what is kept must equal what is made afresh."""

import pytest

from dashboard.build import node_rows, tile_rows
from dashboard.build.tile_rows import Marks
from dashboard.build.tiles import cluster_view
from scheduler import services, store
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db


def cordoned(name, zone):
    node = a_node(name, zone=zone)
    node["spec"] = {"unschedulable": True}
    return node


CHANGES = {
    "a bound pod": lambda pk: services.objects_apply(pk, [a_pod("new", nodeName="node-1")]),
    "a cordoned node": lambda pk: services.objects_apply(pk, [cordoned("node-0", "zone-0")]),
    "a node in another zone": lambda pk: services.objects_apply(pk, [a_node("node-0", zone="zone-9")]),
    "a node that came": lambda pk: services.objects_apply(pk, [a_node("other-1", zone="zone-0")]),
    "a node that went": lambda pk: services.object_delete(pk, "Node", "", "node-1"),
}
WORDS = [Marks(), Marks({"node-0": "", "node-1": "taint"}, "node-0"), Marks({"node-0": ""}, "", frozenset({"node-0"}))]


def view(pk, marks):
    with store.reading(pk) as simulation:
        return cluster_view(simulation, pk, marks)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("marks", WORDS, ids=["silent", "lead", "tie"])
def test_kept_tiles_equal_fresh_ones(change, marks, monkeypatch):
    pk = a_cluster(nodes=6, pods=0, bound=3).pk
    before = view(pk, Marks())
    change(pk)
    kept = view(pk, marks)
    looks = node_rows._kept.get(pk).looks  # which owner came first is all that is not in the state
    monkeypatch.setattr(node_rows, "Looks", lambda infos: looks)
    node_rows._kept.clear()
    tile_rows._kept.clear()
    assert kept == view(pk, marks)
    assert kept != before


def test_tiles_of_untouched_nodes_are_the_same_objects():
    pk = a_cluster(nodes=6, pods=0, bound=0).pk
    before = [tile for group in view(pk, Marks())["groups"] for tile in group["tiles"]]
    services.objects_apply(pk, [a_pod("new", nodeName="node-1")])
    fresh = [tile for group in view(pk, Marks())["groups"] for tile in group["tiles"]]
    fresh = [tile for tile in fresh if not any(tile is past for past in before)]
    assert [tile["name"] for tile in fresh] == ["node-1"]


@pytest.mark.parametrize(
    ("names", "short"),
    [
        pytest.param(["node-007", "node-012"], ["007", "012"], id="what all begin with"),
        pytest.param(["ip-10-0-0-7.a.internal", "ip-10-0-1-12.a.internal"], ["0-7", "1-12"], id="a domain"),
        pytest.param(["x.y", "x.z.y"], ["y", "z.y"], id="something is left of each"),
        pytest.param(["one.internal"], ["one.internal"], id="one node"),
    ],
)
def test_a_tile_has_the_part_of_a_name_that_tells_it_from_others(names, short):
    cluster = a_cluster(nodes=0, pods=0, bound=0, more=[a_node(name) for name in names])
    (group,) = view(cluster.pk, Marks())["groups"]
    assert [tile["short"] for tile in group["tiles"]] == short
