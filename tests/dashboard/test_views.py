"""Pages, their data, and commands over HTTP."""

import csv
import io
import re
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import Permission, User
from django.template.loader import render_to_string
from django.test import Client

from dashboard.build import source
from dashboard.payloads.board import BoardState
from dashboard.payloads.cycle import CycleView
from dashboard.payloads.queue import Lane
from dashboard.views import refusals
from scheduler import services, store
from scheduler.models import Cluster, Pod
from tests.dashboard.shapes import faults
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db

SPREAD = {"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}]}


@pytest.fixture
def browser():
    return Client(SERVER_NAME="localhost")


@pytest.fixture
def cluster():
    cluster = a_cluster(nodes=3, pods=2, bound=2, name="demo", more=[a_pod("big", cpu="99", **SPREAD)])
    for _ in range(3):
        services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    return cluster


PAGES = [
    "/",
    "/c/demo/",
    "/c/demo/?at=3",
    "/c/demo/cycles/",
    "/c/demo/cycles/?outcome=bound",
    "/c/demo/cycles/?pod=default/big",
    "/c/demo/cycles/1/",
    "/c/demo/queue/",
    "/c/demo/queue/?at=20",
    "/c/demo/moves/",
    "/c/demo/moves/?lane=unschedulable&event=ScheduleAttemptFailure",
    "/c/demo/pods/",
    "/c/demo/pods/?q=-n+default+-l+app%3Dweb&sort=-age&page=7",
    "/c/demo/pods/default/big/",
    "/c/demo/pods/default/web-0/",
    "/c/demo/pods/default/run-1/",
    "/c/demo/nodes/?sort=cpu&state=ready",
    "/c/demo/nodes/node-0/",
    "/c/demo/profiles/",
    "/login/",
    "/healthz",
]


@pytest.mark.parametrize("address", PAGES)
def test_every_page_opens(browser, cluster, address):
    response = browser.get(address)
    assert response.status_code == 200
    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]


@pytest.mark.parametrize("address", [page for page in PAGES if page not in ("/login/", "/healthz")])
def test_other_hosts_must_log_in(settings, cluster, address):
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "podium.example.com"]
    response = Client(SERVER_NAME="podium.example.com").get(address)
    assert (response.status_code, response["Location"].partition("?")[0]) == (302, "/login/")


@pytest.mark.parametrize(
    "address",
    [
        "/c/nowhere/",
        "/c/demo/?at=0",
        "/c/demo/?at=99999",
        "/c/demo/?at=-1",
        "/c/demo/?at=²",
        f"/c/demo/?at={'0' * 17}19999",
        "/c/demo/cycles/77/",
        "/c/demo/cycles/99999999999999999999.json",
        "/c/demo/lanes/fast.json",
        "/c/demo/lanes/active.json?offset=x",
        "/c/demo/pods/default/nobody/",
        "/c/demo/nodes/nowhere/",
        "/c/demo/cycles/1/explain.json",
        "/c/demo/cycles/1/explain.json?node=node-0&algorithm=Nope",
    ],
)
def test_what_is_not_there_is_not_found(browser, cluster, address):
    assert browser.get(address).status_code == 404


def test_data_has_the_shapes_that_are_promised(browser, cluster):
    assert faults(browser.get("/c/demo/state.json").json(), BoardState) == []
    assert faults(browser.get("/c/demo/cycles/1.json").json(), CycleView) == []
    assert faults(browser.get("/c/demo/lanes/unschedulable.json").json(), Lane) == []


def test_a_state_that_the_browser_has_is_not_sent_again(browser, cluster):
    first = browser.get("/c/demo/state.json")
    assert browser.get("/c/demo/state.json", headers={"If-None-Match": first["ETag"]}).status_code == 304
    services.run_start(cluster.pk)
    assert browser.get("/c/demo/state.json", headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_the_export_holds_every_layer_and_adds_up(browser, cluster):
    number = 1
    view = browser.get(f"/c/demo/cycles/{number}.json").json()
    head, *lines = csv.reader(io.StringIO(browser.get(f"/c/demo/cycles/{number}.csv").content.decode()))
    assert [line[head.index("node")] for line in lines] == view["rows"]["names"]
    weighted = [at for at, name in enumerate(head) if name.endswith(" weighted")]
    for line in lines:
        assert sum(int(line[at]) for at in weighted) == int(line[head.index("total")])


def test_a_cell_is_explained_down_to_its_raw_score(browser, cluster):
    view = browser.get("/c/demo/cycles/1.json").json()
    node = view["rows"]["names"][1]
    at = next(i for i, one in enumerate(view["algorithms"]) if one["name"] == "NodeResourcesFit")
    cell = browser.get(f"/c/demo/cycles/1/explain.json?node={node}&algorithm=NodeResourcesFit").json()
    assert cell["raw"] == view["rows"]["raw"][at][1] == cell["steps"][-1]["result"]
    assert cell["weighted"] == view["rows"]["weighted"][at][1] == cell["normalized"] * cell["weight"]


def test_nodes_are_listed_where_a_pod_was_refused_before_any_filter_looked_at_them(browser):
    """Its claim is missing; what the filters would have kept is not there, nor asked for a pod nominated there."""
    spread = {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "DoNotSchedule"}
    volumes = [{"name": "v", "persistentVolumeClaim": {"claimName": "lost"}}]
    gone = a_pod("gone", volumes=volumes, topologySpreadConstraints=[spread], priority=1)
    first = {**a_pod("first", priority=1), "status": {"nominatedNodeName": "node-0"}}
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="demo", more=[gone, first])
    services.cycle_step(cluster.pk)
    (node,) = browser.get("/c/demo/cycles/1/nodes.json").json()["nodes"]
    assert [(one["plugin"], one["reasons"], one["missing"]) for one in node["failures"]] == [
        ("VolumeRestrictions", ['persistentvolumeclaim "lost" not found'], [])
    ]
    assert browser.get("/c/demo/cycles/1/explain.json?node=node-0").status_code == 200


def test_every_node_is_listed_with_all_that_refuses_it(browser):
    cordoned = a_node("node-9", cpu="1")
    cordoned["spec"] = {"unschedulable": True}
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="demo", more=[cordoned, a_pod("big", cpu="2")])
    services.cycle_step(cluster.pk)
    nodes = {one["node"]: one for one in browser.get("/c/demo/cycles/1/nodes.json").json()["nodes"]}
    assert nodes["node-9"]["failures"][1]["missing"] == ["needs 1 more cpu, and has only 1 in all"]
    told = browser.get("/c/demo/cycles/1/explain.json?node=node-9").json()
    assert [one["plugin"] for one in told["filters"] if one["reasons"]] == ["NodeUnschedulable", "NodeResourcesFit"]
    assert nodes["node-0"]["verdict"] == "feasible"
    assert nodes["node-9"]["verdict"] == "refused"
    assert [one["plugin"] for one in nodes["node-9"]["failures"]] == ["NodeUnschedulable", "NodeResourcesFit"]


def test_names_are_shown_and_never_run(browser, cluster):
    Cluster.objects.filter(pk=cluster.pk).update(description="<script>alert(1)</script>")
    assert b"<script>alert" not in browser.get("/").content


def test_an_empty_installation_says_how_to_begin(browser):
    page = browser.get("/").content.decode()
    assert "No cluster yet." in page
    assert "kubectl get" in page


def test_a_pod_page_says_why_it_waits_and_what_it_asks_for(browser, cluster):
    page = browser.get("/c/demo/pods/default/big/").content.decode()
    assert "<code>default/big</code> waits because all 3 nodes <b>lack a label that its spread needs" in page
    assert "Besides, all of them have at most 3.5 of 99 cpu free." in page
    assert "0/3 nodes are available" in page
    assert "at most 1 apart" in page
    assert "the scheduler asks for" in page


def test_a_node_page_counts_what_is_requested(browser, cluster):
    page = browser.get("/c/demo/nodes/node-0/").content.decode()
    assert "<code>node-0</code> holds" in page
    assert "topology.kubernetes.io/zone=zone-0" in page


def a_user(*permissions, name="mira"):
    user = User.objects.create_user(name, password="secret-enough")
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return user


@pytest.fixture
def writer(browser):
    browser.force_login(a_user("change_cluster"))
    return browser


def order(browser, text, cluster="demo"):
    return browser.post(f"/c/{cluster}/commands/", data=text, content_type="application/json")


def test_a_step_is_taken_and_its_place_in_the_log_answered(writer, cluster):
    services.objects_apply(cluster.pk, [a_pod("next")])
    answer = order(writer, '{"command": "step"}')
    assert answer.status_code == 200
    cluster.refresh_from_db()
    assert answer.json() == {"ok": True, "seq": cluster.seq, "cycle": 4, "pod": "default/next", "phase": "Bind"}


def test_run_pause_and_speed_are_wishes(writer, cluster):
    for text in ('{"command": "run", "speed": 10}', '{"command": "speed", "speed": 0}'):
        assert order(writer, text).status_code == 200
    cluster.refresh_from_db()
    assert (cluster.wanted, cluster.speed) == ("running", 0)
    order(writer, '{"command": "pause"}')
    cluster.refresh_from_db()
    assert cluster.wanted == "paused"


def test_the_clock_can_be_moved(writer, cluster):
    assert order(writer, f'{{"command": "advance", "to_us": {cluster.now_us + 5_000_000}}}').status_code == 200
    before, _ = cluster.now_us, cluster.refresh_from_db()
    assert cluster.now_us == before + 5_000_000


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        pytest.param('{"command": "step"}', 409, "No pod can be popped now", id="nothing waits"),
        pytest.param('{"command": "fly"}', 400, "There is no command 'fly'", id="unknown"),
        pytest.param('{"command": "speed"}', 400, "speed: is missing", id="missing"),
        pytest.param('{"command": "speed", "speed": -1}', 400, "speed: must be 0", id="negative"),
        pytest.param('{"command": "run", "speed": "fast"}', 400, "This is not a command", id="type"),
        pytest.param('{"command": "step", "cluster": 3}', 400, "This is not a command", id="unknown field"),
        pytest.param('{"command": "cordon", "node": "nobody"}', 409, "nobody", id="no such node"),
        pytest.param("[" * 9_000, 400, "This is not a command", id="deep"),
        pytest.param(" " * 20_000, 413, "at most", id="large"),
        pytest.param(f'{{"command": "advance", "to_us": {10**30}}}', 409, "The clock ends", id="late"),
        pytest.param(f'{{"command": "advance", "to_us": {2**63 - 1}}}', 409, "The clock ends", id="int64"),
    ],
)
def test_a_refused_command_says_why_in_a_sentence(writer, cluster, text, status, words):
    answer = order(writer, text)
    assert (answer.status_code, answer.json()["ok"]) == (status, False)
    assert words in answer.json()["error"]
    assert answer.json()["error"].endswith(".")


@pytest.mark.parametrize("content_type", ["text/plain", "multipart/form-data; boundary=x", ""])
def test_a_command_is_json(writer, cluster, content_type):
    answer = writer.generic("POST", "/c/demo/commands/", '{"command": "pause"}', content_type=content_type)
    assert (answer.status_code, answer.json()["ok"]) == (415, False)


def test_a_body_that_comes_in_pieces_is_bounded_too(writer, cluster):
    body = io.BytesIO(b" " * 5_000_000)
    given = {"REQUEST_METHOD": "POST", "PATH_INFO": "/c/demo/commands/", "CONTENT_TYPE": "application/json"}
    answer = writer.request(**given, **{"wsgi.input": body})
    assert answer.status_code in (400, 413)


def test_a_node_is_cordoned_and_opened_by_a_command(writer, cluster):
    for command, cordoned in (("cordon", True), ("uncordon", False)):
        assert order(writer, f'{{"command": "{command}", "node": "node-1"}}').status_code == 200
        with store.reading(cluster.pk) as simulation:
            (node,) = (one for one in simulation.objects("Node") if one.name == "node-1")
            assert bool(node.spec and node.spec.unschedulable) is cordoned


def test_a_command_for_no_cluster_is_not_found(writer):
    assert order(writer, '{"command": "step"}', "nowhere").status_code == 404


def test_looking_is_not_changing(browser, cluster):
    seq = cluster.seq
    assert order(browser, '{"command": "step"}').status_code == 403
    browser.force_login(a_user())
    assert order(browser, '{"command": "run"}').status_code == 403
    assert browser.post("/c/demo/profiles/", {}).status_code == 403
    cluster.refresh_from_db()
    assert (cluster.seq, cluster.wanted) == (seq, "paused")


def test_a_write_needs_the_token_of_our_own_page(cluster):
    strict = Client(enforce_csrf_checks=True, SERVER_NAME="localhost")
    strict.force_login(a_user("change_cluster"))
    answer = order(strict, '{"command": "step"}')
    assert (answer.status_code, answer.json()) == (403, {"ok": False, "error": refusals.STALE})
    page = strict.post("/c/demo/profiles/", {})
    assert page.status_code == 403
    assert "This page is out of date" in page.content.decode()


def test_json_addresses_refuse_in_json(browser, cluster):
    answer = browser.get("/c/demo/state.json?at=99999")
    assert (answer.status_code, answer.json()["ok"]) == (404, False)
    assert "its log ends at" in answer.json()["error"]


@pytest.mark.parametrize("address", ["/c/demo/profiles/", "/c/demo/state.json", "/c/demo/nodes/node-0/"])
def test_a_cluster_that_is_deleted_meanwhile_is_not_found(browser, cluster, address, monkeypatch):
    def gone(*args):
        raise Cluster.DoesNotExist

    monkeypatch.setattr(store, "identity_of", gone)
    source._kept.clear()
    assert browser.get(address).status_code == 404


def test_what_makes_no_sense_is_told_plainly(cluster):
    page = Client(SERVER_NAME="evil.example").get("/")
    assert page.status_code == 400
    assert "ALLOWED_HOSTS" in page.content.decode()


def test_login_leads_back_but_never_elsewhere(browser):
    a_user()
    form = {"username": "mira", "password": "secret-enough"}
    assert browser.post("/login/", {**form, "next": "/c/demo/?at=3"})["Location"] == "/c/demo/?at=3"
    browser.logout()
    assert browser.post("/login/", {**form, "next": "https://evil.example/"})["Location"] == "/"


@pytest.mark.parametrize("address", [page for page in PAGES if page.startswith("/c/")])
def test_no_page_holds_one_state_while_it_asks_for_another(browser, cluster, address, monkeypatch):
    lent = []
    reading = store.reading

    @contextmanager
    def counted(*args):
        assert not lent, "two states at a time: four such pages would wait for one another for ever"
        with reading(*args) as simulation:
            lent.append(simulation)
            yield simulation
            lent.pop()

    monkeypatch.setattr(store, "reading", counted)
    source._kept.clear()
    assert browser.get(address).status_code == 200


@pytest.mark.parametrize("kind", ["node", "pod"])
def test_who_may_write_is_led_to_add_to_this_cluster(writer, cluster, admin_client, kind):
    listed = writer.get(f"/c/demo/{kind}s/").content.decode()
    link = re.search(rf'href="(/admin/scheduler/{kind}/add/[^"]*)"', listed)[1].replace("&amp;", "&")
    assert f"next=/c/demo/{kind}s/" in link
    assert f'<option value="{cluster.pk}" selected>' in admin_client.get(link).content.decode()
    assert "/add/" not in Client(SERVER_NAME="localhost").get(f"/c/demo/{kind}s/").content.decode()


def test_a_pod_in_no_queue_is_new_or_on_its_node_and_only_else_of_another_scheduler():
    def chip(is_new, **fields):
        return render_to_string("_pod_status.html", {"pod": Pod(status="Pending", **fields), "is_new": is_new})

    told = [chip(True), chip(False, node_name="n1"), chip(False)]
    assert [words in one for words, one in zip(("· new", "· on its node", "· other scheduler"), told, strict=True)] == [
        True
    ] * 3


def test_a_pending_pod_says_in_the_list_where_it_waits_and_an_empty_list_what_to_do(browser):
    more = [a_node("n1"), a_pod("mine", schedulerName="mine"), a_pod("first", cpu="1"), a_pod("second", cpu="1")]
    cluster = a_cluster(nodes=0, pods=0, bound=0, name="demo", more=more)
    services.cycle_step_phase(cluster.pk)
    told = browser.get("/c/demo/pods/").content.decode()
    assert [f"Pending · {where}" in told for where in ("other scheduler", "being tried", "active")] == [True] * 3
    assert "No pod matches" in browser.get("/c/demo/pods/?q=nobody").content.decode()
    a_cluster(nodes=1, pods=0, bound=0, name="empty")
    assert "There are no pods yet." in browser.get("/c/empty/pods/").content.decode()


def test_chips_above_the_pods_narrow_them_by_status(browser, cluster):
    answer = browser.get("/c/demo/pods/?status=Pending")
    chips = {name: (number, there) for name, number, there in answer.context["quick"]}
    assert chips["Pending"] == (answer.context["paging"].paginator.count, True)
    assert chips["Running"][1] is False
    assert 'href="?status=Pending" aria-current="true"' in answer.content.decode()


def test_the_history_of_a_pod_says_where_each_attempt_was_popped_from(browser):
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="popped", more=[a_pod("big", cpu="99")])
    services.cycle_step(cluster.pk)
    services.objects_apply(cluster.pk, [a_node("large", cpu="200")], actor="mira")
    services.cycle_step(cluster.pk)
    page = browser.get("/c/popped/pods/default/big/").content.decode()
    early, first = page.index("popped from BackoffQ before its backoff ended"), page.index("popped from ActiveQ")
    assert early < first


def test_a_cluster_a_pod_or_a_node_that_is_not_there_is_told_in_a_sentence(browser, cluster):
    answer = browser.get("/c/nowhere/pods/")
    assert answer.status_code == 404
    assert (
        "There is no cluster <code>nowhere</code>. It was deleted, or the link is mistyped." in answer.content.decode()
    )
    answer = browser.get("/c/demo/pods/default/never/")
    assert "Cluster <code>demo</code> has no pod <code>default/never</code> now." in answer.content.decode()
    assert "Its moves" not in answer.content.decode()
    answer = browser.get("/c/demo/nodes/never/")
    assert "Cluster <code>demo</code> has no node <code>never</code> now." in answer.content.decode()
    assert 'href="/c/demo/nodes/"' in answer.content.decode()


def test_of_a_deleted_pod_the_page_says_when_and_leads_to_its_moves(browser, cluster):
    services.object_delete(cluster.pk, "Pod", "default", "web-0")
    seq = Cluster.objects.get(pk=cluster.pk).events.get(kind="ObjectDeleted").seq
    page = browser.get("/c/demo/pods/default/web-0/").content.decode()
    assert (
        f"Cluster <code>demo</code> has no pod <code>default/web-0</code> now. It was deleted at event {seq}." in page
    )
    assert f'href="/c/demo/pods/default/web-0/?at={seq - 1}">As it was at event {seq - 1}</a>' in page
    assert browser.get(f"/c/demo/pods/default/web-0/?at={seq - 1}").status_code == 200
    assert 'href="/c/demo/moves/?pod=default%2Fweb-0"' in page


def test_an_unknown_address_says_nothing_of_the_servers_own(browser, cluster):
    answer = browser.get("/c/demo/nothing/")
    assert answer.status_code == 404
    assert "There is nothing at this address." in answer.content.decode()
    assert "tried" not in answer.content.decode()


def test_a_command_that_cannot_be_done_now_is_no_warning(cluster, caplog):
    User.objects.create_superuser("mira", password="only-for-tests-1")
    client = Client(SERVER_NAME="localhost")
    client.login(username="mira", password="only-for-tests-1")
    answer = client.post("/c/demo/commands/", {"command": "advance", "to_us": 1}, content_type="application/json")
    assert answer.status_code == 409
    assert [record for record in caplog.records if record.name == "django.request"] == []


def test_only_a_pod_that_was_refused_is_asked_why_it_was_not_retried_and_before_its_way(browser, cluster):
    placed = browser.get("/c/demo/pods/default/web-0/").content.decode()
    waiting = browser.get("/c/demo/pods/default/big/").content.decode()
    assert waiting.index('id="story"') < waiting.index('id="h-history"')
    assert (placed.count('id="story"'), waiting.count('id="story"')) == (0, 1)


def test_a_pod_page_leads_to_every_score_of_its_last_attempt(browser, cluster):
    page = browser.get("/c/demo/pods/default/big/").content.decode()
    [last, *_] = browser.get("/c/demo/pods/default/big/").context["attempts"]
    assert f'<a class="button" href="/c/demo/cycles/{last["record"].number}/">' in page
    assert "Every verdict and score" not in browser.get("/c/demo/pods/default/run-1/").content.decode()
