"""What every node says to a waiting pod: what its attempt then finds, and without a trace in the state."""

import pytest
from django.test import Client
from django.urls import reverse

from dashboard.build.answers import answers
from dashboard.build.filters import short_reason
from dashboard.payloads.answers import Answers
from scheduler import services, store
from scheduler.engine.codec.codec import encode_checkpoint
from tests.dashboard.shapes import faults
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db

TAINTS = [{"key": "dedicated", "value": "ml", "effect": "NoSchedule"}]


def three_nodes():
    large, small, tainted = a_node("large", cpu="8"), a_node("small", cpu="1"), a_node("tainted", cpu="1")
    tainted["spec"] = {"taints": TAINTS}
    return a_cluster(nodes=0, pods=0, bound=0, more=[large, small, tainted, a_pod("big", cpu="4")])


def test_nodes_answer_with_their_first_reason_and_how_many_more_there_are():
    cluster = three_nodes()
    with store.reading(cluster.pk) as simulation:
        before = encode_checkpoint(simulation)
        found = answers(simulation, "default/big")
        assert encode_checkpoint(simulation) == before
    assert found is not None
    assert faults(found, Answers) == []
    told = {
        node: (one["word"], more)
        for one in found["refused"]
        for node, more in zip(one["nodes"], one["more"], strict=True)
    }
    assert told == {"small": ("cpu", 0), "tainted": ("taint", 1)}
    assert (found["feasible"], found["node_count"], found["error"]) == (1, 3, "")


def test_the_cause_is_the_one_that_the_page_of_the_pod_tells():
    cluster = a_cluster(nodes=2, pods=0, bound=0, more=[a_pod("big", cpu="8", memory="64Gi")])
    with store.reading(cluster.pk) as simulation:
        found = answers(simulation, "default/big")["because"]
    services.cycle_step(cluster.pk)
    page = Client(SERVER_NAME="localhost").get(reverse("pod-json", args=(cluster.name, "default", "big"))).json()
    assert found
    assert page["sentence"].startswith(f"`default/big` waits because {found}.")


def test_a_node_that_is_short_of_several_resources_says_how_many_reasons_there_are():
    cluster = a_cluster(nodes=0, pods=0, bound=0, more=[a_node("n"), a_pod("big", cpu="8", memory="64Gi")])
    with store.reading(cluster.pk) as simulation:
        [group] = answers(simulation, "default/big")["refused"]
    assert (group["word"], group["own"], group["more"]) == ("cpu", 2, [0])


@pytest.mark.parametrize(
    ("plugin", "reasons", "word"),
    [
        ("NodeResourcesFit", ("Insufficient nvidia.com/gpu",), "gpu"),
        ("NodeResourcesFit", ("Insufficient cpu", "Insufficient memory", "Too many pods"), "cpu, 2 more"),
        ("NodeResourcesFit", ("Too many pods", "Insufficient cpu"), "pod limit, 1 more"),
        ("TaintToleration", ("node(s) had untolerated taint {a: b}",), "taint"),
        ("Quiet", ("loud",), "Quiet"),
    ],
)
def test_what_a_tile_says_of_a_refusal(plugin, reasons, word):
    assert short_reason(plugin, reasons) == word


def test_the_answers_are_those_of_the_attempt_that_follows():
    browser, cluster = Client(SERVER_NAME="localhost"), three_nodes()
    address = reverse("pod-answers", args=(cluster.name, "default", "big"))
    found = browser.get(address).json()
    services.cycle_step(cluster.pk)
    cycle = browser.get(reverse("cycle-json", args=(cluster.name, 1))).json()
    assert cycle["winner"] == "large"
    assert {name for one in cycle["refusals"] for name in one["nodes"]} == {
        name for one in found["refused"] for name in one["nodes"]
    }
    gone = browser.get(address)
    assert (gone.status_code, gone.json()["error"]) == (404, "default/big does not wait to be scheduled.")
    assert browser.get(f"{address}?at={found['seq']}").json() == found
