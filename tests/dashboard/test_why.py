"""The page of a pod: its cause, every node, the message's forms, why here and not there, and the text for an issue."""

import csv
import io
import re

import pytest
import yaml

from dashboard.build.why.evidence import _kept
from dashboard.build.why.free import free_chart
from dashboard.build.why.message import messages
from dashboard.payloads.why import Why
from scheduler import services
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.explain.why.room import Room
from scheduler.models import Cluster, Event
from tests.dashboard.shapes import faults
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db

POD = "/c/why/pods/default/big/"
SECOND_US = 1_000_000
TAINT = {"spec": {"taints": [{"key": "dedicated", "value": "ml", "effect": "NoSchedule"}]}}


@pytest.fixture
def cluster():
    """`big` was refused twice; before its second attempt two nodes came."""
    cluster = a_cluster(nodes=3, pods=1, bound=3, name="why", more=[a_pod("big", cpu="9")])
    for _ in range(2):
        services.cycle_step(cluster.pk)
    services.objects_apply(cluster.pk, [a_node("extra", cpu="8"), a_node("ml-1", cpu="16") | TAINT], actor="mira")
    services.clock_advance(cluster.pk, Cluster.objects.get(pk=cluster.pk).now_us + 400 * SECOND_US)
    services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    _kept.clear()
    return cluster


def data(browser, query="", pod="big"):
    answer = browser.get(f"/c/why/pods/default/{pod}.json{query}")
    assert answer.status_code == 200
    assert faults(answer.json(), Why) == []
    return answer.json()


def test_the_sentence_tells_the_cause_and_the_facts_what_follows(browser, cluster):
    told = data(browser)
    assert told["sentence"] == (
        "`default/big` waits because none of the 4 nodes that it may use has **9 cpu**, even empty. "
        "The largest has **8 cpu** (`extra`) in all."
    )
    assert told["detail"].startswith("1 other node has room but has a taint that it does not tolerate")
    assert told["facts"][:1] == ["attempt 2, 0s ago"]
    assert any(re.fullmatch(r"flush in \w+", fact) for fact in told["facts"])
    assert any(fact.startswith("wakes on Pod/Delete, ") for fact in told["facts"])


def test_the_data_hold_what_the_page_shows_besides(browser, cluster):
    told = data(browser)
    assert told["request"][-1] == {
        "part": "the scheduler asks for",
        "note": "",
        "amounts": {"cpu": "9", "memory": "256Mi"},
        "state": "total",
    }
    assert [line["text"] for line in told["history"]][-2:] == ["To ActiveQ", "Created"]


def test_every_node_has_all_reasons_and_the_nearest_miss_is_first(browser, cluster):
    nodes = data(browser)["nodes"]
    assert (nodes["names"][0], nodes["names"][-1]) == ("extra", "ml-1")
    cpu = nodes["resources"][0]
    assert (cpu["name"], cpu["asked"], cpu["free"][0], cpu["allocatable"][0]) == ("cpu", 9000, 8000, 8000)
    assert nodes["distance"] == sorted(nodes["distance"])
    assert nodes["distance"][0] == round(1 / 9, 3)
    said = [[nodes["reasons"][number][1] for number in numbers] for numbers in nodes["of"]]
    assert said == [["Insufficient cpu"]] * 4 + [["node(s) had untolerated taint {dedicated: ml}"]]


def test_the_node_that_the_cycle_calls_closest_is_the_first_of_the_table(browser):
    """`wide` lacks the least share of cpu, `tall` the least of all."""
    nodes = [a_node("wide", "4020m", "22Gi"), a_node("tall", "3120m", "42Gi"), a_node("less", "1", "2Gi")]
    big = a_pod("big", cpu="48", memory="96Gi")
    cluster = a_cluster(nodes=0, pods=0, bound=0, name="why", more=[*nodes, big])
    services.cycle_step(cluster.pk)
    assert data(browser)["nodes"]["names"] == ["tall", "wide", "less"]
    assert "`tall` comes closest: it has" in browser.get("/c/why/cycles/1.json").json()["sentence"]


def test_what_changed_since_the_attempt_before_is_told(browser, cluster):
    told = data(browser)
    assert dict(zip(told["nodes"]["names"], told["nodes"]["before"], strict=True)) == {
        "node-0": None,
        "node-1": None,
        "node-2": None,
        "extra": [-1],
        "ml-1": [-1],
    }
    assert [(one["reason"], one["nodes"], one["printed"], one["before"]) for one in told["reasons"]] == [
        ("Insufficient cpu", 4, 4, 3),
        ("node(s) had untolerated taint {dedicated: ml}", 1, 1, 0),
    ]


def test_a_cordon_counts_once_and_nodes_that_the_pod_does_not_want_come_last(browser):
    taints = [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}]
    wanted = {**a_node("nvme", disk="nvme"), "spec": {"unschedulable": True, "taints": taints}}
    picky = a_pod("big", nodeSelector={"disk": "nvme"})
    cluster = a_cluster(nodes=2, pods=0, bound=0, name="why", more=[wanted, a_node("a"), picky])
    services.cycle_step(cluster.pk)
    nodes = data(browser)["nodes"]
    assert (nodes["names"][0], nodes["distance"]) == ("nvme", [1, 1, 1, 1])


def test_figures_say_of_which_attempt_they_are_and_that_the_pod_was_changed_since(browser, cluster):
    popped = cluster.events.filter(kind="CycleStarted").order_by("seq").last().seq
    page = browser.get(POD).content.decode()
    assert f'as at attempt 2, event <a href="?at={popped}">{popped}</a>' in page
    assert "was changed after attempt" not in page
    services.objects_apply(cluster.pk, [a_pod("big", cpu="2")], actor="mira")
    assert "The pod was changed after attempt 2" in browser.get(POD).content.decode()


def test_an_earlier_attempt_can_be_looked_at(browser, cluster):
    told = data(browser, "?attempt=1")
    assert (told["attempt"], told["nodes"]["before"]) == (1, None)
    assert told["sentence"].startswith("At attempt 1 no node took `default/big`: no node has **9 cpu**, even empty.")
    assert "You look at attempt 1" in browser.get(f"{POD}?attempt=1").content.decode()
    assert browser.get(f"{POD}?attempt=7").status_code == 404


def test_the_past_shows_what_was_known_then(browser, cluster):
    then = next(one["cycle"] for one in data(browser)["attempts"] if one["attempt"] == 1)
    seq = cluster.events.get(kind="CycleFinished", cycle=then).seq + 1
    told = data(browser, f"?at={seq}")
    assert [one["attempt"] for one in told["attempts"]] == [1]
    assert len(told["nodes"]["names"]) == 3


def test_the_table_can_be_taken_along(browser, cluster):
    text = b"".join(browser.get("/c/why/pods/default/big.csv").streaming_content).decode()
    head, first, *_ = csv.reader(io.StringIO(text))
    line = dict(zip(head, first, strict=True))
    assert (line["node"], line["cpu free"], line["cpu short by"], line["memory short by"]) == ("extra", "8", "1", "0")
    assert line["reasons"] == "Insufficient cpu"


def test_a_pod_that_was_never_tried_shows_no_box_without_content(browser):
    a_cluster(nodes=1, pods=0, bound=1, name="why", more=[a_pod("other", schedulerName="mine"), a_pod("next")])
    page = browser.get("/c/why/pods/default/other/").content.decode()
    assert "waits because it asks for the scheduler <code>mine</code>, and no profile here has that name" in page
    assert "This scheduler never tries it" in page
    assert ('id="story"' in page, "why-nodes" in page, "<fix-list" in page) == (False, False, True)
    page = browser.get("/c/why/pods/default/next/").content.decode()
    assert "waits in ActiveQ for its first attempt: " in page
    came = browser.get("/c/why/pods/default/run-0/").content.decode()
    assert ("Where would it go now?" in came, "This scheduler never tries it" in came) == (True, False)


def test_only_a_pod_that_waits_asks_for_fixes_and_only_beside_its_last_attempt(browser, cluster):
    assert '<fix-list data-pod="default/big" data-keep="fixes"></fix-list>' in browser.get(POD).content.decode()
    assert "<fix-list" not in browser.get(f"{POD}?attempt=1").content.decode()
    assert "<fix-list" not in browser.get("/c/why/pods/default/web-0/").content.decode()


def test_the_other_address_leads_to_the_page(browser, cluster):
    assert (
        browser.get("/c/why/pods/default/big/why?attempt=1&tab=reasons")["Location"] == f"{POD}?attempt=1&tab=reasons"
    )


# --- the message ------------------------------------------------------------------------------------------------------

PART = "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."


def test_the_message_has_three_forms():
    refused = Decision("unschedulable", message=f"0/1 nodes are available: 1 X. no new claims to deallocate, {PART}")
    plain = f"0/1 nodes are available: 1 X. {PART}"
    assert messages(refused) == {"1.33": plain, "1.34": refused.message, "1.37": plain}
    made = Decision(
        "unschedulable", message="0/1 nodes are available: 1 X.", nominated_node="n", victims=("a/b", "a/c")
    )
    found = "preemption: found a potential placement for pod on node n, preempting 2 victims"
    assert messages(made) == {"1.33": made.message, "1.34": made.message, "1.37": f"{made.message} {found}"}
    alone = Decision("unschedulable", message="0/1 nodes are available: 1 X. no new claims to deallocate")
    assert messages(alone)["1.33"] == "0/1 nodes are available: 1 X."


def test_the_form_is_kept_in_the_address(browser, cluster):
    shown = re.compile(r'<pre id="message-[\d.]+" data-form="([\d.]+)">')
    assert shown.findall(browser.get(POD).content.decode()) == ["1.34"]
    assert shown.findall(browser.get(f"{POD}?form=1.33").content.decode()) == ["1.33"]
    assert shown.findall(browser.get(f"{POD}?form=soon").content.decode()) == ["1.34"]


# --- why here and not there -------------------------------------------------------------------------------------------


def test_a_placed_pod_is_compared_with_the_next_best_node(browser, cluster):
    found = data(browser, pod="web-0")["versus"]
    assert found["margin"] == sum(one["points"] for one in found["parts"])
    assert found["here"] != found["there"]
    assert not found["refused"]
    page = browser.get(f"/c/why/pods/default/web-0/?vs={found['there']}").content.decode()
    assert f'value="{found["there"]}"' in page


def test_headline_podium_table_and_comparison_have_the_same_rival(browser):
    """Three nodes are second with the same total; by name `a` is the first of them, by the order of the search `z`."""
    nodes = [a_node("best", cpu="64"), a_node("z"), a_node("m"), a_node("a")]
    cluster = a_cluster(nodes=0, pods=0, bound=0, name="why", more=[*nodes, a_pod("p", cpu="1")])
    services.cycle_step(cluster.pk)
    found = data(browser, pod="p")
    cycle = browser.get("/c/why/cycles/1.json").json()
    rival = found["versus"]["there"]
    assert f"ahead of `{rival}` and 2 others with the same total; " in found["sentence"]
    most = max(found["versus"]["parts"], key=lambda one: one["points"])
    assert cycle["sentence"].partition("; ")[2].startswith(most["algorithm"])
    assert cycle["podium"][1]["node"] == found["nodes"]["names"][1] == rival != "a"


def test_what_would_turn_it_was_tried(browser, site_of_two):
    found = data(browser, "?vs=large", pod="p")["versus"]
    assert (found["here"], found["there"]) == ("small", "large")
    flip = found["flip"]
    assert (flip["algorithm"], flip["before"], flip["after"]) == ("TaintToleration", 3, 0)
    assert (flip["holds"], flip["node"]) == (True, "large")
    turns = {one["algorithm"]: one["flip"] for one in found["parts"]}
    assert (turns["TaintToleration"], turns["ImageLocality"]) == (0, None)
    page = browser.get("/c/why/pods/default/p/?vs=large").content.decode()
    assert "TaintToleration 3 → 0</b> (left out). Tried on the same state: it went to <code>large</code>" in page


@pytest.fixture
def site_of_two():
    """`large` has more room, but a taint that puts off; `closed` is tainted for good."""
    put_off = {"spec": {"taints": [{"key": "spot", "value": "", "effect": "PreferNoSchedule"}]}}
    more = [
        a_node("small", cpu="4"),
        a_node("large", cpu="64") | put_off,
        a_node("closed") | TAINT,
        a_pod("p", cpu="3"),
    ]
    cluster = a_cluster(nodes=0, pods=0, bound=0, name="why", more=more)
    services.cycle_step(cluster.pk)
    return cluster


def test_a_node_that_was_refused_says_why_and_that_no_weight_helps(browser, site_of_two):
    found = data(browser, "?vs=closed", pod="p")["versus"]
    assert found["sentence"] == "`closed` was refused: node(s) had untolerated taint {dedicated: ml}."
    assert (found["parts"], found["flip"], found["margin"]) == ([], None, None)
    assert browser.get("/c/why/pods/default/p.json?vs=nobody").status_code == 404
    page = browser.get("/c/why/pods/default/p/?vs=nobody")
    assert (page.status_code, "There was no node <code>nobody</code>" in page.content.decode()) == (200, True)


# --- free blocks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("resource", "asked", "free", "expected"),
    [
        ("x/gpu", 3, [0, 2, 2, 9], {"0 free": 1, "1 free": 0, "2 free": 2, "3 or more": 1}),
        ("cpu", 6500, [400, 6499, 6500], {"under 1": 1, "6 to 6.5": 1, "6.5 or more": 1}),
        ("memory", 3 << 30, [0, 600 << 20], {"under 0.5Gi": 1, "0.5Gi to 1Gi": 1, "3Gi or more": 0}),
    ],
)
def test_nodes_are_counted_by_what_is_free(resource, asked, free, expected):
    import numpy as np

    room = Room(resource, asked, np.array(free, np.int64), np.array(free, np.int64))
    chart = free_chart(room, np.ones(len(free), np.bool_))
    bars = {bar["label"]: bar["nodes"] for bar in chart["bars"]}
    assert bars.items() >= expected.items()
    assert sum(bars.values()) == len(free)
    assert [bar["fits"] for bar in chart["bars"]] == [False] * (len(bars) - 1) + [True]


def test_room_that_is_kept_for_a_nominated_pod_is_told_as_that(browser):
    nodes = [a_node("a", cpu="4"), a_node("b") | TAINT]
    pods = [a_pod("low", cpu="4", nodeName="a", priority=1), a_pod("high", cpu="3", priority=9), a_pod("next", cpu="2")]
    one = a_cluster(nodes=0, pods=0, bound=0, name="why", more=[*nodes, *pods])
    for _ in range(2):
        services.cycle_step(one.pk)
    table = data(browser, pod="next")["nodes"]
    assert dict(zip(table["names"], table["kept"], strict=True)) == {"a": "default/high", "b": ""}
    page = browser.get("/c/why/pods/default/next/?tab=request").content.decode()
    assert "What is free on <code>a</code> is kept for <code>default/high</code>, which preemption nominated" in page
    refused = browser.get("/c/why/cycles/2.json").json()["sentence"]
    assert "`a` comes closest: it is kept free for `default/high`, nominated there by preemption" in refused
    assert data(browser, pod="high")["nodes"]["kept"] is None


# --- the text for an issue --------------------------------------------------------------------------------------------

SECRETS = (
    "acme",
    "prod-eu",
    "payroll",
    "rack-7",
    "rack-8",
    "frankfurt",
    "registry",
    "topsecret",
    "ledger",
    "vault",
    "mallory",
    "squad",
    "tokens",
)


@pytest.fixture
def secretive():
    """Every name that a person could recognise contains one of SECRETS."""
    labels = {"app": "payroll", "zone": "frankfurt-1", "kubernetes.io/hostname": "rack-7.acme.internal"}
    taints = {"spec": {"taints": [{"key": "acme.internal/squad", "value": "topsecret", "effect": "NoSchedule"}]}}
    nodes = [
        {**a_node("rack-7.acme.internal", cpu="2"), "metadata": {"name": "rack-7.acme.internal", "labels": labels}},
        a_node("rack-8.acme.internal", cpu="16") | taints,
    ]
    for node in nodes:
        node["status"]["allocatable"]["acme.internal/tokens"] = "9"
    term = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "ledger"}}, "namespaces": ["prod-eu"]}
    expression = {"key": "zone", "operator": "In", "values": ["frankfurt-1", "frankfurt-2"]}
    pod = a_pod(
        "payroll-batch",
        cpu="4",
        nodeSelector={"app": "payroll"},
        tolerations=[{"key": "squad", "value": "mallory", "operator": "Equal", "effect": "NoSchedule"}],
        affinity={
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [{"matchExpressions": [expression]}]
                }
            },
            "podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]},
        },
        serviceAccountName="vault-reader",
    )
    pod["metadata"] |= {"namespace": "prod-eu", "labels": {"app": "payroll"}, "annotations": {"owner": "mallory"}}
    pod["spec"]["containers"][0] |= {
        "name": "ledger",
        "image": "registry.acme.internal/payroll:1",
        "env": [{"name": "KEY", "value": "topsecret"}],
    }
    pod["spec"]["containers"][0]["resources"]["requests"]["acme.internal/tokens"] = "2"
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "prod-eu"}}
    cluster = a_cluster(nodes=0, pods=0, bound=0, name="why", more=[space, *nodes, pod])
    services.cycle_step(cluster.pk)
    return cluster


def test_no_name_leaks_into_the_text_for_an_issue(browser, secretive):
    page = browser.get("/c/why/pods/prod-eu/payroll-batch/").content.decode()
    assert all(secret in page for secret in ("rack-7", "topsecret", "payroll"))
    text = browser.get("/c/why/pods/prod-eu/payroll-batch/issue.md").content.decode()
    assert [secret for secret in SECRETS if secret in text] == []
    assert "waits because the only node that it may use, `node-1`, has 2 cpu free; it asks for **4 cpu**." in text
    assert "| node-1 |" in text
    assert "{key-" in text
    assert re.search(r"\{key-\d+: value-\d+\}", text)
    assert "kube-scheduler v1.34.1" in text
    assert "no new claims" not in browser.get("/c/why/pods/prod-eu/payroll-batch/issue.md?form=1.33").content.decode()


ABSENT = {
    "a claim": {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "ledger-acme"}}]},
    "a claim's class": {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "vault"}}]},
    "a label": {"nodeSelector": {"acme.internal/squad": "topsecret"}},
    "gates": {"schedulingGates": [{"name": "acme.internal/squad"}, {"name": "mallory.io/x"}]},
    "a scheduler": {"schedulerName": "acme-scheduler"},
    "a resource": {"cpu": "1", "more": {"acme.internal/tokens": "7"}},
}


@pytest.mark.parametrize("kind", ABSENT)
def test_nothing_leaks_of_what_a_pod_asks_for_and_nobody_has(browser, kind):
    spec = {**ABSENT[kind]}
    more = spec.pop("more", {})
    claim = {
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "vault", "namespace": "default"},
        "spec": {"storageClassName": "topsecret", "accessModes": ["ReadWriteOnce"]},
    }  # fmt: skip
    pod = a_pod("payroll", **spec)
    pod["spec"]["containers"][0].setdefault("resources", {}).setdefault("requests", {}).update(more)
    cluster = a_cluster(nodes=0, pods=0, bound=0, name="why", more=[a_node("rack-7"), claim, pod])
    services.cycle_step(cluster.pk)
    text = browser.get("/c/why/pods/default/payroll/issue.md").content.decode()
    assert [secret for secret in SECRETS if secret in text] == []


def test_the_manifest_of_an_issue_schedules_alike(browser, secretive):
    text = browser.get("/c/why/pods/prod-eu/payroll-batch/issue.md").content.decode()
    made = yaml.safe_load(text.partition("```yaml\n")[2].partition("```")[0])
    assert list(made["metadata"]) == ["name", "namespace", "labels"]
    assert made["metadata"]["labels"]["app"] == made["spec"]["nodeSelector"]["app"]
    assert made["spec"]["containers"][0]["resources"]["requests"] == {
        "cpu": "4",
        "memory": "256Mi",
        "example.com/resource-1": "2",
    }
    assert "serviceAccountName" not in made["spec"]
    again = browser.get("/c/why/pods/prod-eu/payroll-batch/issue.md").content.decode()
    assert again == text


# --- where it stands --------------------------------------------------------------------------------------------------


def test_what_a_pod_waits_for_after_preemption_is_told(browser):
    held = [a_pod(f"low-{at}", nodeName="a", cpu="2", priority=1) for at in range(2)]
    more = [a_node("a", cpu="4"), a_node("b", cpu="2"), *held, a_pod("high", cpu="4", priority=100)]
    cluster = a_cluster(nodes=0, pods=0, bound=0, name="why", more=more)
    assert data(browser, pod="high")["sentence"] == (
        "`default/high` waits in ActiveQ for its first attempt: it is next, as no other pod is in ActiveQ."
    )
    services.cycle_step(cluster.pk)
    told = data(browser, pod="high")
    assert told["sentence"] == (
        "`default/high` is tried again when its backoff ends. `a` is kept free for it by preemption. No node took it "
        "at attempt 1: no node has **4 cpu** free. The largest free block is **2**, on `b`."
    )
    assert told["messages"]["1.37"].endswith("potential placement for pod on node a, preempting 2 victims")
    assert told["preemption"]["nominated"] == "a"
    services.clock_advance(cluster.pk, Cluster.objects.get(pk=cluster.pk).now_us + 60 * SECOND_US)
    services.cycle_step(cluster.pk)
    assert data(browser, pod="high")["sentence"].startswith("`default/high` went to `a`")
    assert data(browser, "?attempt=1", pod="high")["detail"].endswith("2 pods of lower priority leave `a` for it.")


def test_what_an_attempt_would_find_now_is_told(browser, cluster):
    assert data(browser)["now"] == ""
    services.objects_apply(cluster.pk, [a_node("large", cpu="64")], actor="mira")
    told = data(browser)
    assert told["now"] == "By now `large` would take it."
    assert told["sentence"].startswith(f"`{told['pod']}` fits now: `large` would take it, but its ")
    assert told["detail"].startswith("At attempt 2 no node took it: ")
    assert data(browser, f"?at={cluster.seq}")["now"] == ""
    assert data(browser, "?attempt=1")["now"] == ""
    more = [a_pod("gated", schedulingGates=[{"name": "example.com/wait"}]), a_pod("vast", cpu="900")]
    services.objects_apply(cluster.pk, more, actor="mira")
    assert data(browser, pod="gated")["now"] == "If it were tried now, 5 nodes would take it."
    assert data(browser, pod="vast")["now"] == (
        "If it were tried now, no node would take it: none of the 5 nodes that it may use has **900 cpu**, even empty."
    )


def test_how_an_attempt_that_was_open_ended_later_is_told(browser):
    cluster = a_cluster(nodes=1, pods=1, bound=0, name="why")
    services.cycle_step_phase(cluster.pk)
    opened = Cluster.objects.get(pk=cluster.pk).seq
    address = "/c/why/pods/default/web-0/"
    assert "step or run the cluster" in browser.get(address).content.decode()
    services.cycle_step(cluster.pk)
    ended = Event.objects.get(cluster=cluster, kind="CycleFinished").seq
    page = browser.get(address, {"at": opened}).content.decode()
    assert f'<a href="?at={ended}">at event {ended}</a>' in page
    assert "step or run the cluster" not in page
    history = browser.get(address, {"tab": "history"}).content.decode()
    began = f'<a href="?tab=history&amp;at={opened}" title="This page right after it began">Attempt 1 began</a>'
    assert began in " ".join(history.split())


def test_a_node_that_is_gone_is_told_so(browser):
    more = [a_pod("ghost", nodeName="nowhere"), a_pod("x")]
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="why", more=more)
    services.cycle_step(cluster.pk)
    assert data(browser, pod="ghost")["sentence"] == (
        "`default/ghost` was added with its node already set: it is on `nowhere`. The cluster has no such node now."
    )
    services.object_delete(cluster.pk, "Node", "", "node-0")
    assert data(browser, pod="x")["sentence"].endswith("passed the filters. The cluster has no such node now.")


def test_a_pod_whose_attempt_is_open_leads_to_its_cycle(browser):
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="why", more=[a_pod("next")])
    services.cycle_step_phase(cluster.pk)
    page = browser.get("/c/why/pods/default/next/").content.decode()
    assert "is being placed." in page
    assert '<a href="/c/why/cycles/1/">cycle 1</a>, which has not ended' in page


def test_a_pod_that_is_being_deleted_says_so_and_asks_for_no_change(browser):
    leaving = a_pod("leaving", cpu="9")
    leaving["metadata"] |= {"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["example.com/keep"]}
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="why", more=[leaving])
    services.cycle_step(cluster.pk)
    page = browser.get("/c/why/pods/default/leaving/").content.decode()
    assert "is being deleted, so the scheduler passes it over." in page
    assert "held by its finalizer" in page
    assert "<fix-list" not in page
