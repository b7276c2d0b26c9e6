"""The true cause of a pod that waits: from everything that speaks against it on every node."""

import random
from itertools import combinations

import numpy as np
import pytest

from scheduler.engine.explain.why import cause
from scheduler.engine.explain.why.hindrances import Hindrance, cover
from scheduler.engine.objects import decode
from tests.engine.builders import a_cycle, a_node, a_pod
from tests.engine.storage_builders import a_claim, a_class, using

GPU = "example.com/gpu"
TAINT = [{"key": "dedicated", "value": "ml", "effect": "NoSchedule"}]
CORDON = [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}]
PORT = [{"containerPort": 443, "hostPort": 443, "protocol": "TCP"}]
STATIC = a_class(provisioner="kubernetes.io/no-provisioner")
HOSTNAME = "kubernetes.io/hostname"


def gpus(name, number, **more):
    return a_node(name, allocatable={GPU: str(number)}, **more)


def spread(key):
    rule = {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule"}
    return {"topologySpreadConstraints": [{**rule, "labelSelector": {"matchLabels": {"app": "web"}}}]}


def affinity(kind, **labels):
    term = {"topologyKey": HOSTNAME, "labelSelector": {"matchLabels": labels}}
    return {"affinity": {kind: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}}


def named(node):
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    return {"affinity": {"nodeAffinity": required}}


def zone(name, value, **more):
    return a_node(name, labels={"zone": value, HOSTNAME: name}, **more)


ROWS = {
    "a resource in pieces": (
        [
            a_pod(requests={GPU: "3"}),
            gpus("a", 3),
            gpus("b", 1),
            a_node("c"),
            a_pod("x", node="a", requests={GPU: "1"}),
        ],
        "no node has **3 gpu** free",
        "The largest free block is **2**, on `a`.",
        "The cluster has 3 gpu free in all, but in pieces: it is fragmented.",
    ),
    "more than there is in all": (
        [a_pod(cpu="4"), a_node("a"), a_node("b"), a_pod("x", node="a", cpu="3"), a_pod("y", node="b", cpu="3500m")],
        "no node has **4 cpu** free",
        "The largest free block is **1**, on `a`.",
        "The cluster has only 1.5 cpu free in all.",
    ),
    "larger than any node": (
        [a_pod(cpu="5", memory="9Gi"), a_node("a"), a_node("b", cpu="2")],
        "no node has **5 cpu** or **9Gi memory**, even empty",
        "The largest, `a`, has **4 cpu** and **8Gi memory** in all.",
        "",
    ),
    "a resource that nobody offers": (
        [a_pod(requests={"example.com/fpga": "1"}), a_node("a"), a_node("b", taints=TAINT), a_node("c")],
        "none of the 2 nodes that it may use offers **fpga**",
        "",
        "1 other node has a taint that it does not tolerate (`dedicated=ml:NoSchedule`).",
    ),
    "a resource that few nodes offer": (
        [
            a_pod(requests={"example.com/fpga": "2"}),
            *(a_node(name) for name in "abc"),
            a_node("f", **{"example.com/fpga": "1"}),
        ],
        "of the 4 nodes, only `f` has fpga, not **2 fpga**, even empty",
        "The largest has **1 fpga** (`f`) in all.",
        "",
    ),
    "a resource that the only node does not offer": (
        [a_pod(requests={"example.com/fpga": "1"}), a_node("a")],
        "the only node, `a`, offers no **fpga**",
        "",
        "",
    ),
    "one node is named": (
        [a_pod(**named("a")), a_node("a", unschedulable=True, taints=CORDON), a_node("b")],
        "the node that it names, `a`, **is cordoned**",
        "",
        "Nothing else speaks against that node; its cordon is a taint as well, so two filters refuse it.",
    ),
    "nothing at all is free": (
        [a_pod(cpu="1"), a_node("a", cpu="2"), a_node("b", cpu="2")]
        + [a_pod(f"x{name}", node=name, cpu="2") for name in "ab"],
        "no node has **1 cpu** free",
        "No cpu is free there at all.",
        "",
    ),
    "of those that are open to it": (
        [a_pod(cpu="3"), a_node("a", cpu="2"), a_node("b", cpu="1"), a_node("c", taints=TAINT)],
        "none of the 2 nodes that it may use has **3 cpu**, even empty",
        "The largest has **2 cpu** (`a`) in all.",
        "1 other node has room but has a taint that it does not tolerate (`dedicated=ml:NoSchedule`).",
    ),
    "the pod limit": (
        [a_pod(), a_node("a", pods="1"), a_node("b", pods="0"), a_pod("x", node="a")],
        "both nodes **hold as many pods as they may**",
        "",
        "",
    ),
    "a label that no node has": (
        [a_pod(nodeSelector={"disk": "sdd"}), a_node("a", labels={"disk": "ssd"}), a_node("b", taints=TAINT)],
        "no node has the label **`disk=sdd`**",
        "Nodes have `ssd`.",
        "1 of the 2 nodes refuses it for this alone.",
    ),
    "labels that do not meet": (
        [a_pod(nodeSelector={"a": "1", "b": "1"}), a_node("x", labels={"a": "1"}), a_node("y", labels={"b": "1"})],
        "no node has all labels that it selects: `a=1` (1 node) and `b=1` (1 node) do not meet",
        "",
        "Nothing else speaks against any of these nodes.",
    ),
    "the only match is cordoned": (
        [
            a_pod(nodeSelector={"disk": "ssd"}, cpu="9"),
            a_node("a", labels={"disk": "ssd"}, unschedulable=True, taints=CORDON),
            a_node("b"),
        ],
        "the only node with `disk=ssd`, `a`, **is cordoned**",
        "",
        "Besides, it has 4 of 9 cpu free.",
    ),
    "cordoned or tainted": (
        [a_pod(), *(a_node(f"a{at}", unschedulable=True, taints=CORDON) for at in range(3)), a_node("b", taints=TAINT)],
        "of the 4 nodes, 3 are cordoned and the other one has a taint that it does not tolerate "
        "(`dedicated=ml:NoSchedule`)",
        "",
        "Nothing else speaks against any of these nodes; a cordon is a taint as well, so two filters refuse it.",
    ),
    "a host port": (
        [a_pod(ports=PORT), a_node("a"), a_node("b"), *(a_pod(f"x{name}", node=name, ports=PORT) for name in "ab")],
        "**host port 443** is taken on both nodes",
        "Taken by `default/xa` and `default/xb`.",
        "",
    ),
    "anti-affinity": (
        [a_pod(**affinity("podAntiAffinity", app="db")), zone("a", "x"), zone("b", "x")]
        + [a_pod(f"x{name}", node=name, labels={"app": "db"}) for name in "ab"],
        "both nodes **are near a pod that its anti-affinity avoids (`app=db`)**",
        "",
        "",
    ),
    "nobody to be near to": (
        [a_pod(**affinity("podAffinity", app="db")), zone("a", "x"), zone("b", "x")],
        "no pod matches **`app=db`**, which its affinity asks for",
        "Its own labels do not match either, so it may not be the first.",
        "",
    ),
    "two things, each enough": (
        [a_pod(**affinity("podAffinity", app="db")), zone("a", "x", pods="0"), zone("b", "x", pods="0")],
        "both nodes **hold as many pods as they may**",
        "",
        "Besides, all of them are not near a pod that its affinity asks for (`app=db`).",
    ),
    "too large, and a port": (
        [a_pod(cpu="9", ports=PORT), a_node("a"), a_node("b")]
        + [a_pod(f"x{name}", node=name, ports=PORT) for name in "ab"],
        "no node has **9 cpu**, even empty",
        "The largest has **4 cpu** (`a`) in all.",
        "Besides, all of them have host port 443 taken by `default/xa` and `default/xb`.",
    ),
    "two things together": (
        [
            a_pod(cpu="1", ports=PORT),
            a_node("a", cpu="2"),
            a_node("b", cpu="500m"),
            a_node("c", cpu="600m"),
            a_pod("x", node="a", ports=PORT),
        ],
        "of the 3 nodes, 2 have at most 0.6 of 1 cpu free and the other one has host port 443 taken by `default/x`",
        "",
        "",
    ),
    "a count that the message splits among filters": (
        [
            a_pod(requests={"cpu": "5"}, nodeSelector={"pool": "x"}),
            a_node("small", cpu="4", labels={"pool": "x"}),
            a_node("wide", cpu="8"),
            a_node("shut", cpu="8", unschedulable=True),
            a_node("kept", cpu="8", taints=TAINT),
        ],
        "the only node that it may use, `small`, has 4 cpu free; it asks for **5 cpu**",
        "",
        "3 other nodes have room but do not match its node selector. "
        "The message counts only 1 of them so: the other 2 are refused by an earlier filter as well.",
    ),
    "a claim that does not exist": (
        [a_pod(volumes=using("data")), a_node("a")],
        "its claim `data` **does not exist**",
        "",
        "",
    ),
    "two claims that do not exist": (
        [a_pod(volumes=using("data", "logs")), a_node("a")],
        "its claims `data` and `logs` **do not exist**",
        "",
        "",
    ),
    "a claim that is not bound": (
        [a_pod(volumes=using("data")), a_node("a"), a_class("now", mode="Immediate"), a_claim(storageClassName="now")],
        "its claim `data` (1Gi of class `now`) **is not bound to a volume**",
        "",
        "",
    ),
    "a claim of a class that does not exist": (
        [a_pod(volumes=using("data")), a_node("a"), a_claim(storageClassName="nwo")],
        "its claim `data` **is not bound**, and its storage class `nwo` does not exist",
        "",
        "",
    ),
    "a claim whose volume is gone": (
        [a_pod(volumes=using("data")), a_node("a"), a_claim(volume="pv")],
        "the volume `pv` of its claim `data` **does not exist**",
        "",
        "",
    ),
    "a claim that is being deleted": (
        [a_pod(volumes=using("data")), a_node("a"), a_claim(deletionTimestamp="2026-01-01T00:00:00Z")],
        "its claim `data` **is being deleted**",
        "",
        "",
    ),
    "no volume for a claim": (
        [a_pod(volumes=using("data")), a_node("a"), a_node("b"), STATIC, a_claim(size="5Gi", storageClassName="late")],
        "both nodes **have no volume for its claim `data` (5Gi of class `late`)**",
        "",
        "Nothing else speaks against any of these nodes.",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_the_cause_is_told(name):
    (pod, *others), clause, more, detail = ROWS[name]
    cycle = a_cycle(pod, *others)
    assert cycle.run().node == ""
    found = cause(cycle)
    assert (found.clause, found.more, found.detail) == (clause, more, detail)


def test_a_spread_names_its_domains():
    taken = [a_pod(f"x{at}", node=node, labels={"app": "web"}) for at, node in enumerate("aab")]
    south = zone("c", "south", taints=TAINT)
    web = a_pod(labels={"app": "web"}, **spread("zone"))
    cycle = a_cycle(web, zone("a", "north"), zone("b", "east"), south, *taken)
    cycle.run()
    found = cause(cycle)
    assert found.clause.startswith("its **spread** over `zone` (at most 1 apart) would be broken on both nodes that")
    assert found.more == (
        "By `zone`, `east` has 1 pod, `north` has 2 pods and `south` has 0 pods; the least that counts is 0. "
        "Only `south` would take one more."
    )
    assert found.detail.startswith("1 other node has room but has a taint")


def test_a_node_that_is_kept_for_somebody_is_told_so():
    pod = decode("Pod", a_pod("vip", cpu="3", priority=10, uid="vip"))
    cycle = a_cycle(a_pod(cpu="3"), a_node("a"), nominated={"a": [pod]})
    assert cycle.run().node == ""
    told = "`a`, the only node, **is kept free for a pod that preemption nominated there (`default/vip`)**"
    assert cause(cycle).clause == told


def test_an_empty_cluster_is_the_cause_itself():
    cycle = a_cycle(a_pod())
    cycle.run()
    assert cause(cycle).clause == "the cluster has no nodes"


def test_the_fewest_hindrances_are_found():
    chance = random.Random(2)
    for _ in range(150):
        size, number = chance.randint(1, 7), chance.randint(1, 6)
        found = [
            Hindrance(f"P{at}", "", np.array([chance.random() < 0.5 for _ in range(size)])) for at in range(number)
        ]
        over = np.array([chance.random() < 0.8 for _ in range(size)])
        over[0] = True
        groups = [group for least in range(1, number + 1) for group in combinations(found, least)]
        fewest = next((group for group in groups if np.any([one.rows for one in group], axis=0)[over].all()), ())
        answer = cover(found, over)
        assert len(answer) == len(fewest)
        assert not answer or np.any([one.rows for one in answer], axis=0)[over].all()


def test_what_is_said_of_a_resource_is_true():
    chance, seen = random.Random(4), 0
    for _ in range(60):
        nodes = {f"n{at}": chance.randint(1, 8) for at in range(4)}
        used = {name: chance.randint(0, whole) for name, whole in nodes.items()}
        tainted = {name for name in nodes if chance.random() < 0.3}
        asked = chance.randint(1, 9)
        manifests = [
            a_node(name, cpu=str(whole), taints=TAINT if name in tainted else []) for name, whole in nodes.items()
        ]
        manifests += [a_pod(f"x{name}", node=name, cpu=str(cpu)) for name, cpu in used.items()]
        cycle = a_cycle(a_pod(cpu=str(asked)), *manifests)
        usable = {name: nodes[name] - used[name] for name in nodes if name not in tainted}
        if cycle.run().node or len(usable) < 2:
            continue
        seen += 1
        found, largest = cause(cycle), max(usable.values())
        assert (largest < asked, found.resource) == (True, "cpu")
        assert f"**{asked} cpu**" in found.clause
        if max(nodes[name] for name in usable) >= asked and largest:
            told = f"The largest free block is **{largest}**, on `"
            assert found.more.startswith(told)
            assert usable[found.more.removeprefix(told).rstrip("`.")] == largest
            assert ("it is fragmented" in found.detail) is (sum(usable.values()) >= asked)
    assert seen > 20
