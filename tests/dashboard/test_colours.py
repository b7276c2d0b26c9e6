"""Looks of owners: one each while there are enough, no two alike on one node, and the same for good."""

from types import SimpleNamespace

import pytest

from dashboard.build.colours import LOOKS, Looks
from scheduler.engine.objects import decode


def placed(*owners: str):
    """A pod of each of these owners, as a node's list of pods."""
    return [SimpleNamespace(pod=owned(name, at)) for at, name in enumerate(owners)]


def owned(name: str, at: int):
    reference = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": name, "uid": name, "controller": True}
    metadata = {"name": f"{name}-{at}", "namespace": "a", "ownerReferences": [reference]}
    return decode("Pod", {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": []}})


def a_node(*owners: str):
    return SimpleNamespace(pods=placed(*owners))


NAMES = [f"owner-{at}" for at in range(LOOKS + 16)]


def test_as_many_owners_as_there_are_looks_have_one_each():
    looks = Looks([a_node(*NAMES[: LOOKS - 1])])
    given = {look for name in NAMES[:LOOKS] for look in looks.on_node(placed(name)).values()}
    assert given == set(range(1, LOOKS + 1))


def test_the_largest_come_first_and_the_first_are_solid():
    looks = Looks([a_node(*NAMES, *NAMES[-8:])])
    assert {looks.on_node(placed(name))[f"a/{name}"] for name in NAMES[-8:]} == set(range(1, 9))


@pytest.mark.parametrize("seen", [0, 3, len(NAMES)])
def test_no_two_on_a_node_look_alike(seen):
    looks = Looks([a_node(*NAMES[:seen])])
    for name in NAMES:
        looks.on_node(placed(name))
    for first in range(len(NAMES) - LOOKS):
        found = looks.on_node(placed(*NAMES[first : first + LOOKS]))
        assert len(set(found.values())) == LOOKS


def test_an_owner_keeps_its_look_whoever_comes_later():
    looks = Looks()
    before = looks.on_node(placed(*NAMES[:10]))
    looks.on_node(placed(*NAMES))
    assert looks.on_node(placed(*NAMES[:10])) == before


def test_squares_count_pods_by_look_most_first():
    looks = Looks()
    assert [count for _, count in looks.squares(placed("x", "y", "x", "z", "x", "y"))] == [3, 2, 1]
    assert looks.squares([]) == []
