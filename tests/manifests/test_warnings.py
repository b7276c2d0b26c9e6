"""What a dump lacks is told before its verdicts mislead; what it has is not warned about."""

import pytest

from scheduler.manifests.warnings import HOSTNAME, OLD_ZONE, ZONE, notices, overfull


def a_node(name="n1", labels=(HOSTNAME, ZONE), **status):
    status = status or {"allocatable": {"cpu": "4"}}
    return {"kind": "Node", "metadata": {"name": name, "labels": dict.fromkeys(labels, "x")}, "status": status}


def a_pod(name="p", namespace="kube-system", phase="Running", deleted=None, **spec):
    metadata = {"name": name, "namespace": namespace} | ({"deletionTimestamp": deleted} if deleted else {})
    return {"kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": phase}}


def an_object(kind, name, namespace=None):
    return {"kind": kind, "metadata": {"name": name} | ({"namespace": namespace} if namespace else {})}


def a_claim(name):
    return [{"name": "data", "persistentVolumeClaim": {"claimName": name}}]


WELL = [a_node(), a_pod()]
DEVICE = [{"name": "m", "resources": {"requests": {"example.com/gpu": "1"}}}]
LIMITED = [{"name": "m", "resources": {"requests": {"example.com/gpu": "1"}, "limits": {"example.com/gpu": "1"}}}]


@pytest.mark.parametrize(
    ("objects", "told"),
    [
        pytest.param(WELL, [], id="nothing to say"),
        pytest.param([a_pod()], ["There is no node: nothing can be scheduled until one is added."], id="no node"),
        pytest.param(
            [a_node(), a_pod(namespace="default")],
            ["No pod of namespace kube-system: system pods take room on every node; without them verdicts can differ."],
            id="no system pods",
        ),
        pytest.param(
            [*WELL, a_node("n2", labels=[ZONE])],
            [f"Nodes without the label {HOSTNAME}: 1. Rules that spread over nodes pass them over. (n2)"],
            id="no hostname",
        ),
        pytest.param(
            [*WELL, a_node("n2", labels=[HOSTNAME])],
            [f"Nodes without a zone (label {ZONE}): 1. Rules that spread over zones pass them over. (n2)"],
            id="no zone",
        ),
        pytest.param(
            [*WELL, a_node("n2", labels=[HOSTNAME, OLD_ZONE])],
            [f"Nodes with the old label {OLD_ZONE} only: 1. Today's rules read {ZONE}. (n2)"],
            id="old zone",
        ),
        pytest.param([*WELL, a_node("n2", labels=[HOSTNAME, OLD_ZONE, ZONE])], [], id="both zones"),
        pytest.param(
            [*WELL, a_node("n2", capacity={"cpu": "4"})],
            ["Nodes without status.allocatable: 1. Capacity is taken instead, so they seem larger than they are. (n2)"],
            id="no allocatable",
        ),
        pytest.param(
            [*WELL, *(a_pod(f"p{n}", nodeName="gone") for n in range(5))],
            [
                "Pods on a node that is not in the file: 5. They take room on no node that is. "
                "(kube-system/p0, kube-system/p1, kube-system/p2 and 2 more)"
            ],
            id="node is missing",
        ),
        pytest.param([*WELL, a_pod("a", nodeName="n1")], [], id="node is there"),
        pytest.param(
            [*WELL, a_pod("a", phase="Succeeded"), a_pod("b", phase="Failed", schedulerName="x")],
            [
                "Finished pods (Succeeded or Failed): 2. Kept for the lists, left out of scheduling. "
                "(kube-system/a, kube-system/b)"
            ],
            id="finished",
        ),
        pytest.param(
            [*WELL, a_pod("a", deleted="2026-01-01T00:00:00Z")],
            ["Pods that are being deleted: 1. They take room until they are gone. (kube-system/a)"],
            id="terminating",
        ),
        pytest.param(
            [*WELL, a_pod("a", schedulerName="x"), a_pod("b", schedulerName="x", nodeName="n1")],
            [
                "Waiting pods that ask for another scheduler (spec.schedulerName): 1. This one never takes them. "
                "(kube-system/a)"
            ],
            id="another scheduler",
        ),
        pytest.param(
            [*WELL, a_pod("a", containers=DEVICE), a_pod("b", containers=LIMITED)],
            [
                "Pods that request devices without a limit: 1. An API server would refuse them; here their requests "
                "count. (kube-system/a)"
            ],
            id="devices",
        ),
        pytest.param(
            [*WELL, an_object("PersistentVolumeClaim", "c", "kube-system"), a_pod("a", volumes=a_claim("c"))],
            [],
            id="claim is there",
        ),
        pytest.param(
            [*WELL, an_object("PersistentVolumeClaim", "c", "default"), a_pod("a", volumes=a_claim("c"))],
            [
                "PersistentVolumeClaims that waiting pods name and that are not in the file: 1. Those pods cannot be "
                "placed. (kube-system/c)"
            ],
            id="claim is in another namespace",
        ),
        pytest.param(
            [*WELL, a_pod("a", priorityClassName="gold"), a_pod("b", priorityClassName="system-node-critical")],
            [
                "PriorityClasses that pods name and that are not in the file: 1. The pods' own spec.priority is used. "
                "(gold)"
            ],
            id="priority class",
        ),
        pytest.param(
            [*WELL, a_pod("a", namespace="shop"), a_pod("b", namespace="data"), an_object("Namespace", "data")],
            [
                "Namespaces that pods are in and that are not in the file: 1. Selectors of namespaces see no labels "
                "there. (shop)"
            ],
            id="namespace",
        ),
    ],
)  # fmt: skip
def test_warning(objects, told):
    assert [str(notice) for notice in notices(objects)] == told


def test_nodes_beyond_their_size_are_told():
    assert str(overfull(["n1"])) == (
        "Nodes whose pods request more than 100 %: 1. The pods stay; nothing more fits there. (n1)"
    )
    assert overfull([]) is None
