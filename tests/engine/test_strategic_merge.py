"""Strategic merge patches: what the API's documentation says of each directive, worked out by hand."""

import pytest

from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.strategic_merge import strategic_merge

MAIN = {"name": "main", "image": "nginx:1", "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]}
SIDE = {"name": "side", "image": "busybox:1"}


def containers(*patch, original=(MAIN, SIDE), **more):
    merged = strategic_merge({"spec": {"containers": list(original)}}, {"spec": {"containers": list(patch), **more}})
    return merged["spec"]["containers"]


def test_items_are_joined_by_their_key_all_the_way_down():
    assert containers({"name": "main", "env": [{"name": "B", "value": "3"}]}) == [
        {**MAIN, "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "3"}]},
        SIDE,
    ]


def test_what_is_new_stands_before_what_only_the_original_has():
    assert [one["name"] for one in containers({"name": "new"})] == ["new", "main", "side"]
    assert [one["name"] for one in containers({"name": "side"}, {"name": "new"})] == ["main", "side", "new"]


def test_an_item_can_be_deleted():
    assert containers({"name": "main", "$patch": "delete"}) == [SIDE]


def test_a_list_can_be_replaced():
    assert containers({"$patch": "replace"}, {"name": "only"}) == [{"name": "only"}]


def test_an_order_can_be_given():
    order = {"$setElementOrder/containers": [{"name": "side"}, {"name": "main"}]}
    assert [one["name"] for one in containers({"name": "main", "image": "nginx:2"}, **order)] == ["side", "main"]


def test_an_order_that_the_patch_itself_does_not_follow_is_refused():
    order = {"$setElementOrder/containers": [{"name": "side"}, {"name": "main"}]}
    with pytest.raises(Invalid, match="follow the order"):
        containers({"name": "main"}, {"name": "side"}, **order)


def test_values_can_be_deleted_from_any_list_of_values():
    merged = strategic_merge({"spec": {"args": ["a", "b", "a"]}}, {"spec": {"$deleteFromPrimitiveList/args": ["a"]}})
    assert merged == {"spec": {"args": ["b"]}}


def test_keys_can_be_retained():
    volume = {"name": "data", "emptyDir": {}, "hostPath": {"path": "/x"}}
    patch = {"name": "data", "$retainKeys": ["name", "secret"], "secret": {"secretName": "s"}}
    merged = strategic_merge({"spec": {"volumes": [volume]}}, {"spec": {"volumes": [patch]}})
    assert merged["spec"]["volumes"] == [{"name": "data", "secret": {"secretName": "s"}}]


def test_a_map_can_be_replaced_and_a_key_removed():
    original = {"spec": {"nodeSelector": {"a": "1", "b": "2"}, "securityContext": {"runAsUser": 1, "fsGroup": 2}}}
    patch = {"spec": {"nodeSelector": {"$patch": "replace", "c": "3"}, "securityContext": {"fsGroup": None}}}
    assert strategic_merge(original, patch)["spec"] == {"nodeSelector": {"c": "3"}, "securityContext": {"runAsUser": 1}}


def test_atomic_lists_are_replaced():
    original = {"spec": {"tolerations": [{"key": "a"}, {"key": "b"}]}}
    assert strategic_merge(original, {"spec": {"tolerations": [{"key": "c"}]}})["spec"]["tolerations"] == [{"key": "c"}]


@pytest.mark.parametrize(
    ("patch", "complaint"),
    [
        ("text", "a patch is an object"),
        ({"spec": {"containers": [{"image": "x"}]}}, "without its merge key 'name'"),
        ({"spec": {"$patch": "shuffle"}}, "unknown directive"),
        ({"spec": {"volumes": [{"name": "v", "$retainKeys": ["name"], "secret": {}}]}}, "must list every field"),
    ],
)
def test_a_patch_that_cannot_be_applied_is_refused(patch, complaint):
    original = {"spec": {"containers": [MAIN], "volumes": [{"name": "v"}]}}
    with pytest.raises(Invalid, match=complaint):
        strategic_merge(original, patch)
    assert original == {"spec": {"containers": [MAIN], "volumes": [{"name": "v"}]}}


@pytest.mark.parametrize(
    "patch",
    [
        {"spec": {"containers": [7]}},
        {"spec": {"containers": [True]}},
        {"spec": {"containers": [[]]}},
        {"spec": {"containers": [{"name": {}}]}},
        {"spec": {"containers": [{"name": []}]}},
        {"spec": {"$retainKeys": [{}], "nodeName": "a"}},
        {"spec": {"$setElementOrder/containers": [[]], "containers": [{"name": "a"}]}},
        {"spec": {"$patch": {}}},
        [],
    ],
    ids=str,
)
def test_a_patch_with_values_of_another_type_is_refused(patch):
    template = {"spec": {"containers": [{"name": "a", "image": "b"}], "nodeName": "x"}}
    with pytest.raises(Invalid):
        strategic_merge(template, patch)


def test_a_list_of_values_to_delete_that_is_none_deletes_nothing():
    template = {"spec": {"containers": [{"name": "a", "image": "b"}]}}
    assert strategic_merge(template, {"spec": {"$deleteFromPrimitiveList/containers": 7}}) == template
