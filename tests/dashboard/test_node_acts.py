"""What one does with a node: previews tell exactly what then happens, deeds are checked, each can be undone."""

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from dashboard.build.nodes.leaving import BLOCKED, delete_preview, drain_preview
from dashboard.build.nodes.rehearsal import COMMANDS
from dashboard.build.rehearsal import come_to_rest
from scheduler import services, store
from scheduler.engine.codec.codec import decode_checkpoint, encode_checkpoint
from scheduler.engine.commands import AdvanceToNextTimer, Schedule
from scheduler.engine.errors import Refused
from scheduler.models import Cluster, Event, Node, Pod
from scheduler.services.imports import rollout_create
from tests.scheduler.builders import a_cluster, a_node, a_pod
from tests.scheduler.test_controllers_tables import run as run_rollout

pytestmark = pytest.mark.django_db


def owned(name, kind="ReplicaSet", **more):
    pod = a_pod(name, **more)
    pod["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": kind, "name": name.rsplit("-", 1)[0], "uid": "u", "controller": True}
    ]
    return pod


def a_budget(name, allowed, **labels):
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"selector": {"matchLabels": labels}},
        "status": {"disruptionsAllowed": allowed},
    }


@pytest.fixture
def lab():
    """node-0 holds pods of every fate: some fit elsewhere, one is too big, one is bare, one is a DaemonSet's, three
    have a budget that allows one disruption."""
    on = {"nodeName": "node-0"}
    more = [
        a_node("node-1", cpu="2"),
        a_node("node-2", cpu="2"),
        a_node("node-0", cpu="16"),
        *(owned(f"web-{n}", cpu="500m", **on) for n in range(3)),
        owned("huge-1", cpu="6", **on),
        a_pod("bare-1", **on),
        owned("log-1", kind="DaemonSet", **on),
        *(owned(f"db-{n}", cpu="100m", **on) for n in range(3)),
        a_budget("db", 1, app="db"),
    ]
    return a_cluster(nodes=0, pods=0, bound=0, name="lab", more=more)


@pytest.fixture
def mira():
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.create_superuser("mira", password="x"))
    return client


def lines(preview):
    return {part.fate[1]: {line.pod: line.node for line in part.lines} for part in preview.parts}


def preview_of(cluster, **options):
    with store.reading(cluster.pk) as simulation:
        return drain_preview(simulation, cluster.pk, "node-0", **options)


def settle(cluster):
    """The cluster itself goes on as the copy did."""
    with store.reading(cluster.pk) as simulation:
        copy = decode_checkpoint(encode_checkpoint(simulation))
    commands = []
    handle = copy.handle
    copy.handle = lambda command: commands.append(command) or handle(command)
    come_to_rest(copy, COMMANDS)
    for command in commands:
        assert isinstance(command, Schedule | AdvanceToNextTimer)
        services.execute(cluster.pk, command)


def where(cluster):
    return dict(Pod.objects.filter(cluster=cluster).values_list("name", "node_name"))


@pytest.mark.parametrize("ignore", [False, True], ids=["budgets respected", "budgets ignored"])
def test_a_drain_does_what_its_preview_says(lab, ignore):
    told = lines(preview_of(lab, ignore_budgets=ignore))
    assert "default/log-1" in told["stay"]
    assert set(told["are lost"]) == {"default/bare-1"}
    assert set(told["would stay Pending"]) == {"default/huge-1"}
    assert len(told.get(BLOCKED[1], ())) == (0 if ignore else 2)
    services.nodes_drain(lab.pk, ["node-0"], "mira", ignore_budgets=ignore)
    settle(lab)
    now = where(lab)
    assert "bare-1" not in now
    assert now["huge-1"] == ""
    assert now["log-1"] == "node-0"
    for key, node in told["find another node"].items():
        assert node in ("node-1", "node-2")
        assert now[key.partition("/")[2]] == node
    for key in told.get(BLOCKED[1], ()):
        assert now[key.partition("/")[2]] == "node-0"
    assert Node.objects.get(cluster=lab, name="node-0").unschedulable


def test_a_preview_of_no_pod_and_of_one_speaks_of_no_pod_and_of_one(lab):
    def sentence(node):
        with store.reading(lab.pk) as simulation:
            found = drain_preview(simulation, lab.pk, node, ignore_budgets=False)
        return found.sentence, [part.title for part in found.parts]

    assert sentence("node-1") == ("Draining `node-1` would evict no pod.", [])
    services.objects_apply(lab.pk, [owned("solo-1", cpu="100m", nodeName="node-1")])
    said = "Draining `node-1` would evict 1 pod; it would return to the queue."
    assert sentence("node-1") == (said, ["1 pod finds another node"])
    services.objects_apply(lab.pk, [a_node("node-3", cpu="16"), owned("vast-1", cpu="15", nodeName="node-3")])
    said = "Draining `node-3` would evict 1 pod; it would return to the queue; it would find no node."
    assert sentence("node-3") == (said, ["1 pod would stay Pending"])


def test_what_is_only_foretold_is_called_so(lab, mira):
    page = mira.get("/c/lab/nodes/node-0/drain/").content.decode()
    assert "Where pods go is a forecast" in page
    assert "Where pods go" not in mira.get("/c/lab/nodes/node-1/drain/").content.decode()
    cluster = rollout_create()
    run_rollout(cluster.pk, 15)
    with store.reading(cluster.pk) as simulation:
        preview = drain_preview(simulation, cluster.pk, "a-1", ignore_budgets=False)
    new = {one.key.partition("/")[2] for one in preview.rehearsed.landings.values()}
    notes = " ".join(line.note for part in preview.parts for line in part.lines)
    assert new
    assert not any(name in notes for name in new)  # a draw names them


def test_a_deletion_does_what_its_preview_says(lab):
    with store.reading(lab.pk) as simulation:
        told = lines(delete_preview(simulation, lab.pk, "node-0"))
    assert set(told["are lost"]) == {"default/bare-1", "default/log-1"}
    services.node_delete(lab.pk, "node-0")
    settle(lab)
    now = where(lab)
    assert not Node.objects.filter(cluster=lab, name="node-0").exists()
    assert {key.partition("/")[2]: node for key, node in told["find another node"].items()} == {
        name: node for name, node in now.items() if node
    }
    assert {name for name, node in now.items() if not node} == {"huge-1"}


def test_with_controllers_new_pods_land_where_the_preview_says():
    cluster = rollout_create()
    run_rollout(cluster.pk, 15)
    node = Pod.objects.filter(cluster=cluster, owner__startswith="CloneSet").exclude(node_name="").first().node_name
    with store.reading(cluster.pk) as simulation:
        preview = drain_preview(simulation, cluster.pk, node, ignore_budgets=False)
    expected = sorted((one.key, one.node) for one in preview.rehearsed.landings.values())
    assert expected
    services.nodes_drain(cluster.pk, [node], ignore_budgets=False)
    settle(cluster)
    rows = Pod.objects.filter(cluster=cluster)
    assert expected == sorted((row.key, row.node_name) for row in rows if row.key in dict(expected))


def test_the_preview_writes_nothing_and_is_held_to(mira, lab):
    before = Cluster.objects.get(pk=lab.pk).seq
    page = mira.get("/c/lab/nodes/node-0/drain/")
    assert "would evict 6 pods" in page.content.decode()
    assert Cluster.objects.get(pk=lab.pk).seq == before
    services.objects_apply(lab.pk, [a_pod("later")])
    answer = mira.post("/c/lab/nodes/node-0/drain/", {"seen": before}, follow=True)
    assert "Something else has happened meanwhile" in answer.content.decode()
    assert not Node.objects.get(cluster=lab, name="node-0").unschedulable


DEEDS = {
    "cordon": ("nodes/node-0/", {"form": "cordon"}),
    "drain": ("nodes/node-0/drain/", {"budgets": "ignore"}),
    "delete": ("nodes/node-0/delete/", {}),
    "clone": ("nodes/node-1/clone/", {"copies": "3"}),
    "edit": ("nodes/node-0/edit/", {"label-key": "pool", "label-value": "gold"}),
}


def tables(cluster):
    nodes = (
        Node.objects.filter(cluster=cluster)
        .order_by("name")
        .values_list("name", "labels", "taints", "unschedulable", "pod_count")
    )
    return list(nodes), sorted(where(cluster).items())


@pytest.mark.parametrize("deed", DEEDS)
def test_every_deed_is_an_event_of_its_actor_and_can_be_undone(mira, lab, deed):
    path, form = DEEDS[deed]
    before = tables(lab)
    answer = mira.post(f"/c/lab/{path}", form, follow=True)
    assert tables(lab) != before
    assert Event.objects.filter(cluster=lab).order_by("-seq").values_list("actor", flat=True)[0] == "mira"
    events = re.search(r'name="range" value="([\d-]+)"', answer.content.decode()).group(1)
    undone = mira.post("/c/lab/undo/", {"range": events}, follow=True)
    assert "Undone" in undone.content.decode()
    assert tables(lab) == before
    again = mira.post("/c/lab/undo/", {"range": events}, follow=True)
    assert "nothing was undone" in again.content.decode()


@pytest.mark.parametrize("deed", ["drain", "delete"])
def test_one_undo_takes_back_all_that_went_with_a_node(lab, deed):
    before = tables(lab)
    services.nodes_drain(lab.pk, ["node-0"]) if deed == "drain" else services.node_delete(lab.pk, "node-0")
    found, _ = services.undo(lab.pk)
    assert found.text.startswith("Node node-0")
    assert tables(lab) == before


@pytest.mark.parametrize("deed", DEEDS)
def test_who_may_not_write_does_nothing(lab, deed):
    path, form = DEEDS[deed]
    reader = Client(SERVER_NAME="localhost")
    before = tables(lab)
    assert reader.post(f"/c/lab/{path}", form)["Location"].startswith("/login/")
    half = User.objects.create_user("half", password="x")
    half.user_permissions.add(Permission.objects.get(codename="change_cluster"))
    reader.force_login(half)
    if deed in ("drain", "delete", "clone"):
        assert reader.post(f"/c/lab/{path}", form).status_code == 403
    strict = Client(SERVER_NAME="localhost", enforce_csrf_checks=True)
    strict.force_login(User.objects.create_superuser("mira", password="x"))
    assert strict.post(f"/c/lab/{path}", form).status_code == 403
    assert tables(lab) == before


def test_in_the_past_nothing_is_written(mira, lab):
    assert "Cordon" not in mira.get("/c/lab/nodes/node-0/?at=5").content.decode()
    for path, form in DEEDS.values():
        assert mira.post(f"/c/lab/{path}?at=5", form).status_code == 403


def test_at_the_side_of_the_list_its_acts_come_before_what_is_told_of_it(mira, lab):
    side = mira.get("/c/lab/nodes/", {"node": "node-0", "part": "drawer"}).content.decode()
    assert side.index("Drain…") < side.index('class="node-side-res"')
    reader = Client(SERVER_NAME="localhost").get("/c/lab/nodes/", {"node": "node-0", "part": "drawer"}).content.decode()
    assert reader.index("Log in with the permission") > reader.index('id="side-lately"')


def test_clones_are_empty_open_and_have_names_of_their_own(mira, lab):
    services.nodes_cordon(lab.pk, ["node-0"])
    mira.post("/c/lab/nodes/node-0/clone/", {"copies": "2"})
    made = Node.objects.filter(cluster=lab, name__in=("node-3", "node-4"))
    assert [(row.milli_cpu, row.pod_count, row.unschedulable, row.taints) for row in made] == [
        (16_000, 0, False, "")
    ] * 2
    assert {row.manifest["metadata"]["labels"]["kubernetes.io/hostname"] for row in made} == {"node-3", "node-4"}
    assert mira.post("/c/lab/nodes/node-0/clone/", {"copies": "501"}).status_code == 200
    assert Node.objects.filter(cluster=lab).count() == 5


def test_labels_and_taints_are_rows_and_faults_are_told(mira, lab):
    form = {"label-key": ["pool", ""], "label-value": ["gold", ""], "taint-key": ["t", "t"], "taint-value": ["", "v"]}
    wrong = mira.post("/c/lab/nodes/node-1/edit/", {**form, "taint-effect": ["NoSchedule", "NoSchedule"]})
    assert wrong.status_code == 400
    assert "The taint t:NoSchedule is given twice." in wrong.content.decode()
    bad = mira.post("/c/lab/nodes/node-1/edit/", {"label-key": "-x", "label-value": "1"})
    assert (bad.status_code, "metadata.labels" in bad.content.decode()) == (400, True)
    mira.post("/c/lab/nodes/node-1/edit/", {**form, "taint-effect": ["NoSchedule", "PreferNoSchedule"]})
    row = Node.objects.get(cluster=lab, name="node-1")
    assert row.manifest["metadata"]["labels"] == {"pool": "gold"}
    assert row.taints == "t:NoSchedule, t=v:PreferNoSchedule"


def test_two_budgets_on_one_pod_forbid_its_eviction(lab):
    services.objects_apply(lab.pk, [a_budget("all", 9, app="web"), a_budget("more", 9, app="web")])
    blocked = next(part for part in preview_of(lab, ignore_budgets=False).parts if "blocked" in part.title)
    notes = {line.pod: line.note for line in blocked.lines}
    assert {pod for pod in notes if "web" in pod} == {"default/web-0", "default/web-1", "default/web-2"}
    assert notes["default/web-0"].startswith("more than one budget protects it (all, more)")


def test_what_is_true_of_each_of_several_is_said_once(mira, lab):
    parts = {part.fate[1]: part for part in preview_of(lab, ignore_budgets=False).parts}
    assert parts[BLOCKED[1]].note == "budget db allows no disruption now"
    assert (parts["are lost"].note, parts["find another node"].note) == ("", "")
    page = mira.get("/c/lab/nodes/node-0/drain/").content.decode()
    assert page.count("budget db allows no disruption now") == 1


def test_a_form_of_the_past_says_so_and_leads_to_the_node(mira, lab):
    page = mira.get("/c/lab/nodes/node-0/drain/?at=5").content.decode()
    assert 'href="/c/lab/nodes/node-0/">The node node-0' in page
    assert "Ask for the permission" not in page


def test_a_node_that_was_not_there_yet_leads_to_those_that_were(mira, lab):
    page = mira.get("/c/lab/nodes/node-0/?at=2").content.decode()
    assert "had no node <code>node-0</code> at event 2." in page
    assert 'href="/c/lab/nodes/?at=2"' in page
    assert 'href="/c/lab/nodes/node-0/">The node now' in page


@pytest.mark.parametrize(
    ("copies", "names"), [(1, "node-3"), (4, "node-3 node-4 node-5 node-6"), (9, "node-3 node-4 node-5 node-11")]
)
def test_of_many_clones_the_first_and_the_last_are_named(mira, lab, copies, names):
    page = mira.get("/c/lab/nodes/node-0/clone/", {"copies": copies}).content.decode()
    told = page.partition("names of their own: ")[2].partition("</p>")[0]
    assert re.sub("<[^>]*>|[,….]", "", told).split() == names.split()


def test_a_node_that_is_not_there_is_refused():
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="one")
    with pytest.raises(Refused):
        services.node_delete(cluster.pk, "ghost")
    with pytest.raises(Refused, match="There is no Node ghost"):
        services.node_clone(cluster.pk, "ghost", 1)
