"""What the list of cycles says of a refusal: telling reasons first, nothing of the kubectl message lost."""

import json

import pytest
from django.test import Client

from dashboard.build.results import bare, reasons
from scheduler import services
from scheduler.engine.cycle.decision import Decision, Refusal
from tests.scheduler.builders import a_node, a_pod


def a_refusal(plugin: str, reason: str, nodes: int) -> Refusal:
    return Refusal(plugin, reason, "Unschedulable", nodes)


def test_what_is_of_this_pod_comes_before_what_closes_nodes_to_most():
    taint = a_refusal("TaintToleration", "node(s) had untolerated taint {dedicated: infra}", 50)
    ports = a_refusal("NodePorts", "node(s) didn't have free ports for the requested pod ports", 2)
    cpu = a_refusal("NodeResourcesFit", "Insufficient cpu", 30)
    assert reasons(Decision("unschedulable", refusals=(taint, ports, cpu))) == [
        (30, "insufficient cpu"),
        (2, "didn't have free ports for the requested pod ports"),
        (50, "untolerated taint {dedicated: infra}"),
    ]


def test_a_refusal_before_any_node_was_looked_at_is_told_by_its_message():
    assert reasons(None) == reasons(Decision("unschedulable")) == []
    assert bare("0/3 nodes are available: pod has unbound claims.") == "pod has unbound claims."
    assert bare("0 nodes") == "0 nodes"


@pytest.mark.django_db
def test_rows_of_the_list_can_be_told_apart():
    tainted = a_node("n2") | {"spec": {"taints": [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]}}
    pk = services.cluster_create("demo", [a_node("n1"), tainted, a_pod("big", cpu="64"), a_pod("small", cpu="1")]).pk
    for _ in range(2):
        services.cycle_step(pk)
    page = Client(SERVER_NAME="localhost").get("/c/demo/cycles/").content.decode()
    assert "<b>1</b>&nbsp;insufficient cpu</span> <span" in page
    assert "<b>1</b>&nbsp;untolerated taint {gpu: yes}" in page
    assert "the only one that fitted" in page
    assert page.count('title="0/2 nodes are available: ') == 1
    told = json.loads(Client(SERVER_NAME="localhost").get("/c/demo/cycles.json").getvalue())
    assert {(row["feasible"], row["total"]) for row in told} == {(1, None), (0, None)}  # nothing was scored
