"""The builders of tests take what they are given, or say what is wrong with it: nothing is dropped in silence."""

import pytest

from tests.engine.builders import a_cycle, a_node, a_pod


def test_a_pod_states_its_resources_as_a_node_does():
    cycle = a_cycle(a_pod(cpu="500m", memory="1Gi", requests={"example.com/gpu": "2"}), a_node())
    assert cycle.pod.requests == {"cpu": 500, "memory": 2**30, "example.com/gpu": 2}


def test_a_pod_that_asks_for_nothing_has_no_requests():
    assert a_cycle(a_pod(), a_node()).pod.requests == {}


def test_a_node_may_offer_resources_of_any_name():
    columns = a_cycle(a_pod(), a_node(cpu="2", allocatable={"example.com/gpu": "3"})).snapshot.columns
    assert [columns[("allocatable", name)].tolist() for name in ("cpu", "example.com/gpu")] == [[2000], [3]]


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: a_pod(node_name="n1"), "no node_name here; is nodeName meant?"),
        (lambda: a_pod(gpu="1"), "no gpu here; a resource goes into requests="),
        (lambda: a_pod(cpu="1", containers=[{"name": "main"}]), "in `containers`, or leave them out"),
        (lambda: a_node(capacity={"cpu": "1"}), "a_node: capacity is taken for a resource"),
    ],
)
def test_what_a_builder_does_not_know_is_an_error(build, words):
    with pytest.raises(TypeError, match=words.replace("?", r"\?")):
        build()
