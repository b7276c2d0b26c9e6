"""The page of the nodes: groups, sums, search, room and the headline, against a naive count over manifests."""

import csv
import io
import random
import re
from collections import Counter, defaultdict

import numpy as np
import pytest
from django.contrib.auth.models import User

from dashboard.build.nodes.fleet import fleet
from dashboard.build.nodes.groups import Group, grouped, ordered
from dashboard.build.nodes.headline import about_groups, largest_free
from dashboard.build.nodes.keys import chosen
from dashboard.build.nodes.lately import Lately, Met
from dashboard.build.nodes.picture import picture
from dashboard.build.nodes.selection import selected
from dashboard.templatetags.podium import parted, tainted
from scheduler import services, store
from scheduler.models import Cluster, Node, Pod
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db
POOLS = ("general", "spot", "arm")


def a_fleet(seed=3, nodes=40, pods=90):
    """Nodes of three pools in three zones, some cordoned, not ready, tainted or without a zone, with pods."""
    chance, made = random.Random(seed), []
    for place in range(nodes):
        pool = POOLS[place % 3]
        zone = "" if place == 7 else f"zone-{place % 4 % 3}"
        node = a_node(
            f"n-{place:02d}", cpu=str(chance.choice([2, 4, 8])), memory=f"{chance.choice([4, 16])}Gi", zone=zone
        )
        node["metadata"]["labels"]["pool"] = pool
        if pool == "spot":
            node["spec"] = {"taints": [{"key": "spot", "value": "true", "effect": "NoSchedule"}]}
        if place % 11 == 5 or place == 30:
            node["spec"] = {"unschedulable": True}
        if place % 13 == 4:
            node["status"]["conditions"] = [{"type": "Ready", "status": "False"}]
        if place % 5 == 0:
            node["status"]["allocatable"]["example.com/gpu"] = "4"
        made.append(node)
    for place in range(pods):
        cpu, where = f"{chance.randrange(100, 1500)}m", f"n-{chance.randrange(nodes):02d}"
        made.append(a_pod(f"p-{place}", cpu=cpu, memory=f"{chance.randrange(64, 3000)}Mi", nodeName=where))
    return a_cluster(nodes=0, pods=0, bound=0, name="lab", more=made)


@pytest.fixture
def lab():
    return a_fleet()


def naive(cluster, *labels):
    """{values of the labels: [names, cpu requested, cpu allocatable]}, read from the tables of nodes and pods."""
    asked = defaultdict(int)
    for pod in Pod.objects.filter(cluster=cluster).exclude(node_name=""):
        asked[pod.node_name] += pod.milli_cpu
    found = defaultdict(lambda: [[], 0, 0])
    for node in Node.objects.filter(cluster=cluster).order_by("name"):
        own = node.manifest["metadata"]["labels"]
        line = found[tuple(own.get(label, "") for label in labels)]
        line[0].append(node.name)
        line[1] += asked[node.name]
        line[2] += node.milli_cpu
    return {key: tuple(value) for key, value in found.items()}


@pytest.mark.parametrize(
    ("text", "labels"),
    [("zone", ("topology.kubernetes.io/zone",)), ("zone,pool", ("topology.kubernetes.io/zone", "pool")), ("", ())],
)
def test_groups_and_their_sums_are_those_of_a_naive_count(lab, text, labels):
    with store.reading(lab.pk) as simulation:
        whole = fleet(simulation, lab.pk)
        groups = grouped(whole, ordered(whole, whole.all, "name"), chosen(whole.rows, text), "cpu")
        flat = {}
        for outer in groups:
            for one in outer.inner or [outer]:
                key = (outer.name, one.name) if outer.inner else (one.name,)
                names = [whole.names[row] for row in one.rows]
                flat[key[: len(labels)]] = (names, one.requested, one.allocatable)
    assert flat == naive(lab, *labels)


def test_a_two_level_picture_holds_every_node_once_in_the_order_of_its_groups(lab):
    with store.reading(lab.pk) as simulation:
        whole = fleet(simulation, lab.pk)
        drawn = picture(whole, grouped(whole, whole.all, chosen(whole.rows, "zone,pool"), "cpu"), "cpu")
    assert sorted(drawn["names"]) == sorted(whole.names)
    counts = [inner["count"] for outer in drawn["blocks"] for inner in outer["blocks"]]
    assert sum(counts) == len(whole.names) == sum(outer["count"] for outer in drawn["blocks"])
    rows = {row.name: row for row in Node.objects.filter(cluster=lab)}
    shares = [round(1000 * rows[name].requested_milli_cpu / rows[name].milli_cpu) for name in drawn["names"]]
    assert drawn["share"] == shares


def spot(node):
    return node.manifest["metadata"]["labels"]["pool"] == "spot"


SEARCHES = {
    "-l pool=spot": spot,
    "--selector pool!=spot": lambda node: not spot(node),
    "pool=spot,zone=zone-1": lambda node: spot(node) and node.zone == "zone-1",
    "-l !zone": lambda node: not node.zone,
    "taint:none": lambda node: not node.taints,
    "taint:spot": lambda node: "spot" in node.taints,
    "taint:spot=true:NoSchedule": lambda node: "spot" in node.taints,
    "taint:spo": lambda node: False,
    "taint::NoSchedule": lambda node: "NoSchedule" in node.taints,
    "cordoned": lambda node: node.unschedulable,
    "NotReady": lambda node: not node.ready,
    "cpu>50%": lambda node: node.requested_milli_cpu > 0.5 * node.milli_cpu,
    "free.cpu>=2500m": lambda node: node.milli_cpu - node.requested_milli_cpu >= 2500,
    "memory<1Gi": lambda node: node.requested_memory < 2**30,
    "pods>=3": lambda node: node.pod_count >= 3,
    "no/n-1": lambda node: node.name.startswith("n-1"),
    "n-0 pool=spot": lambda node: "n-0" in node.name and spot(node),
    "over": lambda node: node.requested_milli_cpu > node.milli_cpu or node.requested_memory > node.memory,
}


@pytest.mark.parametrize("text", SEARCHES)
def test_a_search_finds_what_it_says(lab, text):
    with store.reading(lab.pk) as simulation:
        whole = fleet(simulation, lab.pk)
        found = selected(whole, text)
        names = {whole.names[row] for row in whole.all[found.mask]}
    assert found.faults == []
    assert names == {node.name for node in Node.objects.filter(cluster=lab) if SEARCHES[text](node)}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("cpu>x", "quantities must match"),
        ("gold>3", "no node offers gold"),
        ("cpu>a%", "a percentage"),
        ("moon=x", "label"),
        ("-l !=x", "a label has a key"),
    ],
)
def test_what_a_search_cannot_mean_is_told_and_narrows_nothing(lab, text, fault):
    with store.reading(lab.pk) as simulation:
        found = selected(fleet(simulation, lab.pk), text)
    assert fault in found.faults[0]
    assert found.mask.all()


def test_the_largest_free_block_is_on_a_node_that_takes_pods(lab):
    takes = [node for node in Node.objects.filter(cluster=lab) if node.ready and not node.unschedulable]
    best = max(takes, key=lambda node: node.milli_cpu - node.requested_milli_cpu)
    with store.reading(lab.pk) as simulation:
        block = largest_free(fleet(simulation, lab.pk))
    assert block["node"] in {
        node.name
        for node in takes
        if node.milli_cpu - node.requested_milli_cpu == best.milli_cpu - best.requested_milli_cpu
    }


def test_the_headline_sums_up_what_most_nodes_offer(browser, lab):
    page = browser.get("/c/lab/nodes/").content.decode()
    rows = Node.objects.filter(cluster=lab)
    cpu, memory = (
        sum(getattr(row, f"requested_{name}") for row in rows) * 100 // sum(getattr(row, name) for row in rows)
        for name in ("milli_cpu", "memory")
    )
    assert f"<b>40</b> nodes, {cpu}% of cpu, {memory}% of memory and 0% of gpu requested." in page


def test_the_headline_names_a_full_group_and_an_empty_one():
    more = [
        a_node("full", cpu="4", pool="gold"),
        a_node("empty", cpu="4", pool="iron"),
        a_pod("p", cpu="3900m", nodeName="full"),
    ]
    cluster = a_cluster(nodes=0, pods=0, bound=0, name="two", more=more)
    with store.reading(cluster.pk) as simulation:
        whole = fleet(simulation, cluster.pk)
        said = about_groups(grouped(whole, whole.all, chosen(whole.rows, "pool"), "cpu"))
    assert said == ["gold is nearly full", "iron is nearly empty"]


def test_a_node_may_be_cordoned_and_not_ready_at_once(browser, lab):
    page = browser.get("/c/lab/nodes/", {"group": "", "q": "cordoned notready"})
    assert [one["name"] for one in page.context["sections"][0]["rows"]] == ["n-30"]
    assert "NotReady, cordoned" in page.content.decode()
    rows = Node.objects.filter(cluster=lab)
    facts = page.context["facts"]
    assert facts["cordoned"] == rows.filter(unschedulable=True).count()
    assert facts["not_ready"] == rows.filter(ready=False).count()


@pytest.mark.parametrize(
    ("taken", "word"),
    [(0.04, "nearly empty"), (0.09, "a tenth taken"), (0.2, "a fifth taken"), (0.25, "a quarter taken"), (0.6, "")],
)
def test_how_full_the_emptiest_group_is_called(taken, word):
    none = np.zeros(0, np.intp)
    said = about_groups([Group("full", none, 84, 100), Group("rest", none, round(100 * taken), 100)])
    assert said == ([f"rest is {word}"] if word else [])


@pytest.mark.parametrize(("nodes", "said"), [(1, "It is cordoned: pods wait."), (3, "All are cordoned: pods wait.")])
def test_the_headline_says_that_no_node_takes_pods(browser, nodes, said):
    more = [a_node(f"n-{place}") | {"spec": {"unschedulable": True}} for place in range(nodes)]
    a_cluster(nodes=0, pods=0, bound=0, name="shut", more=more)
    assert said in browser.get("/c/shut/nodes/").content.decode()


def test_a_label_that_nodes_are_not_grouped_by_is_told(browser):
    a_cluster(nodes=0, pods=0, bound=0, name="wide", more=[a_node(f"n-{at}", rack=f"r{at}") for at in range(61)])
    assert browser.get("/c/wide/nodes/", {"group": "rack, moon,moon,,"}).context["faults"] == [
        "rack has 61 values; nodes are grouped by 60 at most. Search for some.",
        "No node has a label moon to group by.",
    ]


def copies_of(browser, cluster, fit):
    page = browser.get(f"/c/{cluster.name}/nodes/", {"view": "table", "fit": fit})
    return {row["name"]: row["copies"] for one in page.context["sections"] for row in one["rows"]}, page.context["room"]


def test_would_fit_says_what_the_scheduler_then_places(browser, lab):
    fits, told = copies_of(browser, lab, "cpu=700m,memory=512Mi")
    total = sum(fits.values())
    assert told.startswith(f"{total} more of `cpu=700m,memory=512Mi` would fit")
    services.objects_apply(lab.pk, [a_pod(f"new-{n:03d}", cpu="700m", memory="512Mi") for n in range(total + 3)])
    for _ in range(total + 3):
        services.cycle_step(lab.pk)
    placed = defaultdict(int)
    for pod in Pod.objects.filter(cluster=lab, name__startswith="new-").exclude(node_name=""):
        placed[pod.node_name] += 1
    assert {name: number for name, number in fits.items() if number} == placed


def test_would_fit_takes_a_pod_and_says_why_none_fits(browser, lab):
    services.objects_apply(lab.pk, [a_pod("big", cpu="64")])
    assert (
        copies_of(browser, lab, "default/big")[1] == "No more of `default/big` would fit: no node passes its filters."
    )
    page = browser.get("/c/lab/nodes/", {"fit": "default/nobody"})
    assert "There is no pod default/nobody" in page.content.decode()


def test_copies_that_look_at_each_other_are_tried_in_turn(browser):
    rule = {"labelSelector": {"matchLabels": {"app": "lone"}}, "topologyKey": "kubernetes.io/hostname"}
    lone = {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [rule]}}}
    a_cluster(nodes=5, pods=0, bound=0, name="demo", more=[a_pod("lone-0", nodeName="node-3", **lone)])
    fits, told = copies_of(browser, Cluster.objects.get(name="demo"), "lone-0")
    assert fits == {"node-0": 1, "node-1": 1, "node-2": 1, "node-3": 0, "node-4": 1}
    assert told.startswith("4 more of `lone-0` would fit, on 4 nodes")
    own = {"labelSelector": {"matchLabels": {"app": "wide"}}, "topologyKey": "topology.kubernetes.io/zone"}
    spread = [{"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", **own}]
    wide = a_pod("wide", cpu="500m", topologySpreadConstraints=spread)
    more = [a_node("a", cpu="1", zone="x"), a_node("b", cpu="4", zone="y"), wide]
    cluster = a_cluster(nodes=0, pods=0, bound=0, name="skew", more=more)
    fits, _ = copies_of(browser, cluster, "wide")
    services.objects_apply(
        cluster.pk, [a_pod(f"wide-{n}", cpu="500m", topologySpreadConstraints=spread) for n in range(8)]
    )
    for _ in range(9):
        services.cycle_step(cluster.pk)
    placed = Pod.objects.filter(cluster=cluster).exclude(node_name="").values_list("node_name", flat=True)
    assert fits == {"a": 2, "b": 3}
    assert sorted(placed) == ["a", "a", "b", "b", "b"]


def test_looking_changes_nothing(browser, lab):
    with store.reading(lab.pk) as simulation:
        number = simulation.cluster.snapshot_number
    for query in (
        {"view": "map"},
        {"view": "tiles"},
        {"view": "bars", "fit": "cpu=1"},
        {"view": "table", "node": "n-03"},
    ):
        assert browser.get("/c/lab/nodes/", query).status_code == 200
    with store.reading(lab.pk) as simulation:
        assert simulation.cluster.snapshot_number == number
        simulation.validate()


def test_exports_hold_what_the_search_finds(browser, lab):
    table = list(
        csv.DictReader(io.StringIO(browser.get("/c/lab/nodes.csv", {"q": "pool=arm", "sort": "name"}).content.decode()))
    )
    data = browser.get("/c/lab/nodes.json", {"q": "pool=arm", "sort": "name"}).json()
    assert [line["name"] for line in table] == [one["name"] for one in data["nodes"]]
    assert {line["pool"] for line in table} == {"arm"}
    assert sum(int(line["cpu requested"]) for line in table) == data["total"]["requested"]["cpu"]
    assert sum(one["requested"]["cpu"] for one in data["groups"]) == data["total"]["requested"]["cpu"]


@pytest.mark.parametrize("sort", ["name", "-name", "cpu", "free.memory", "zone", "age"])
def test_orders_are_total_and_can_be_turned_round(lab, sort):
    with store.reading(lab.pk) as simulation:
        whole = fleet(simulation, lab.pk)
        rows = ordered(whole, whole.all, sort).tolist()
        assert sorted(rows) == list(range(len(whole)))
        turned = sort[1:] if sort.startswith("-") else f"-{sort}"
        assert ordered(whole, whole.all, turned).tolist() == rows[::-1]


def test_how_a_node_was_met_lately_agrees_with_the_cycles_themselves(browser):
    more = [a_node("closed", cpu="8")]
    more[0]["spec"] = {"unschedulable": True}
    cluster = a_cluster(nodes=3, pods=5, bound=0, name="demo", more=more)
    for _ in range(5):
        services.cycle_step(cluster.pk)
    page = browser.get("/c/demo/nodes/node-1/lately/", {"whole": "1"})
    found = page.context["lately"]
    for one in found.met:
        view = browser.get(f"/c/demo/cycles/{one.number}.json").json()
        at = view["rows"]["names"].index("node-1")
        assert (one.total, one.best) == (view["rows"]["totals"][at], max(view["rows"]["totals"]))
    by_name = {one.name: one for one in found.algorithms}
    weighted = [view_of(browser, number, "node-1", "NodeResourcesFit") for number in range(1, 6)]
    assert by_name["NodeResourcesFit"].mean == sum(weighted) / 5
    assert found.chosen == Pod.objects.filter(cluster=cluster, node_name="node-1").count()
    refused = browser.get("/c/demo/nodes/closed/lately/").context["lately"]
    assert refused.counts == {"refused": 5}
    assert refused.refusals == [("node(s) were unschedulable", 5, 5)]


def test_reasons_of_refusals_come_most_frequent_first_with_their_pods():
    tried = [("a", "no port"), ("b", "no cpu"), ("b", "no cpu"), ("c", "no cpu"), ("c", "")]
    met = [Met(n, pod, "refused" if why else "scored", reason=why) for n, (pod, why) in enumerate(tried)]
    reasons = Counter(one.reason for one in met if one.reason).most_common()
    assert Lately(met, [], reasons=reasons).refusals == [("no cpu", 3, 2), ("no port", 1, 1)]


def view_of(browser, number, node, algorithm):
    view = browser.get(f"/c/demo/cycles/{number}.json").json()
    at = next(place for place, one in enumerate(view["algorithms"]) if one["name"] == algorithm)
    return view["rows"]["weighted"][at][view["rows"]["names"].index(node)]


def test_an_empty_cluster_says_what_to_do(browser):
    a_cluster(nodes=0, pods=0, bound=0, name="bare")
    User.objects.create_superuser("mira", password="x")
    assert "This cluster has no nodes" in browser.get("/c/bare/nodes/").content.decode()


@pytest.mark.parametrize(("nodes", "has_room"), [(3, True), (13, False)])
def test_where_nodes_are_few_the_bars_say_whose_pods_they_hold(browser, nodes, has_room):
    a_cluster(nodes=nodes, pods=0, bound=nodes, name="few")
    page = browser.get("/c/few/nodes/")
    told = [row["owners"] for section in page.context["sections"] for row in section["rows"]]
    assert len(told) == nodes
    assert all(bool(owners) == has_room for owners in told)
    assert ("node-bars-owners" in page.content.decode()) == has_room


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("web-1", ["web-1"]),
        ("ip-10-0-1-7.eu-west-1.compute.internal", ["ip-10-0-1-7.", "eu-west-1.", "compute.", "internal"]),
        ("shop/storefront", ["shop/", "storefront"]),
    ],
)
def test_names_break_between_their_parts_alone(name, pieces):
    assert parted(name) == "<wbr>".join(f'<span class="nowrap">{one}</span>' for one in pieces)
    assert re.sub("<[^>]*>", "", parted(name)) == name


def test_a_taint_breaks_behind_its_signs():
    assert tainted("a.io/b=<c>:NoExecute") == "a.io/<wbr>b=<wbr>&lt;c&gt;:<wbr>NoExecute"


def test_a_part_that_no_line_holds_may_break_and_nothing_is_taken_for_html():
    long = "a-" * 20
    assert parted(f"{long}.b") == f"{long}.<wbr>b"
    assert "<i>" not in parted("<i>.x")


@pytest.mark.parametrize(
    ("sort", "state", "words"), [("cpu", "descending", "most cpu"), ("-cpu", "ascending", "least cpu")]
)
def test_the_menu_and_the_column_say_which_way_the_table_is_sorted(browser, lab, sort, state, words):
    page = browser.get("/c/lab/nodes/", {"view": "table", "sort": sort}).content.decode()
    assert f'aria-sort="{state}"' in page
    assert re.search(rf'<option\s+value="{sort}"\s+selected>{words}</option>', page)
