"""Cases that people make: of a moment of a cluster, of a file; always with the answer that the scheduler gives."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from dashboard.learn.bounds import MOST
from dashboard.learn.lesson import library, text_of
from dashboard.learn.page import outcome
from dashboard.learn.reading import MOST_BYTES, CaseError, checked_case
from dashboard.learn.shelf import find
from scheduler import services
from scheduler.models import Case
from tests.scheduler.builders import a_cluster, a_node, a_pod

HEAD = """apiVersion: podium.dev/v1
kind: Lesson
title: Mine
theme: resources
level: 1
minutes: 2
question: Where does `default/web` go?
ask: where
pod: default/web
answer: n1
explanation: It fits.
"""
NODE = """---
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}}
"""
POD = """---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: default}
spec: {containers: [{name: main, image: app, resources: {requests: {cpu: '1'}}}]}
"""
GOOD = HEAD + NODE + POD
FLEET = NODE.replace("v1\nkind: Node", "example.com/v1\nkind: Fleet")
SLIP = "{apiVersion: v1, kind: Pod, metadata: {name: late}, spec: {tolerationss: []}}"
STEP = f"{{at: 1s, object: {SLIP}}}"
TASK = f"{{say: More, answer: n1, because: So it is., change: [{SLIP}]}}"


@pytest.fixture
def cluster(db):
    """`big` fits nowhere and comes first; `web-0` was placed at the end of the log."""
    cluster = a_cluster(nodes=3, pods=2, bound=2, name="demo", more=[a_pod("big", cpu="99", priority=5)])
    services.cycle_step(cluster.pk)
    services.cycle_step(cluster.pk)
    cluster.refresh_from_db()
    return cluster


@pytest.fixture
def teacher(django_user_model):
    return django_user_model.objects.create_superuser("teacher")


@pytest.fixture
def school(client, teacher):
    client.force_login(teacher)
    return client


def before_any_attempt(cluster):
    return cluster.events.filter(kind="CycleStarted").earliest("seq").seq - 1


def wish(**more):
    return {"ask": "where", "pod": "default/big", "nodes": "3"} | more


@pytest.mark.parametrize("slug", library())
def test_the_library_passes_its_own_reading(slug):
    assert checked_case(f"{slug}.yaml", text_of(slug)).objects == library()[slug].objects


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 0, "holds no object"),
        ("apiVersion: v1\nkind: List\nitems: []\n", 0, "holds no object"),
        ("a: [", 2, "malformed YAML"),
        (NODE, 2, "the first document is no case"),
        (GOOD.replace("title: Mine", "titel: Mine"), 1, "titel"),
        (GOOD.replace("title: Mine", "title: ''"), 3, "expected 1 to 100"),
        (GOOD.replace("theme: resources", "theme: magic"), 4, "theme: Invalid enum value 'magic'"),
        (GOOD.replace("answer: n1", "answer: Pending"), 10, "says Pending, but the simulation comes to n1"),
        (GOOD.replace("pod: default/web", "pod: default/nobody"), 9, "no waiting pod of this case"),
        (GOOD.replace("cpu: '1'", "cpu: lots"), 21, "quantities must match"),
        (GOOD.replace("spec: {c", "spec: {nodeSelectr: {}, c"), 21, '"spec.nodeSelectr", did you mean nodeSelector?'),
        (
            GOOD.replace("explanation:", f"scenario: [{STEP}]\nexplanation:"),
            11,
            "scenario[0].object: strict decoding er",
        ),
        (
            GOOD.replace("explanation:", f"tasks: [{TASK}]\nexplanation:"),
            11,
            "tasks[0].change[0]: strict decoding error",
        ),
        (GOOD.replace("kind: Node", "kind: [Node]"), 13, "no Kubernetes object"),
        (HEAD + POD, 1, "needs a node"),
        (GOOD.replace("explanation:", "choices: [n1, n1]\nexplanation:"), 11, "n1 is there twice"),
        (GOOD.replace("explanation:", "choices: [n2, n3]\nexplanation:"), 11, "n1 is what happens"),
        (GOOD.replace("explanation:", "seed: 1\nsettings: {cycle: 1}\nexplanation:"), 12, "settings: Object contains"),
        (GOOD.replace("explanation:", "configuration: {kind: Pod}\nexplanation:"), 11, "configuration:"),
        (GOOD + FLEET + "spec: {x: {replicas: 100000}}\n", 1, "at most 200 pods"),
        (GOOD + FLEET + f"spec: {{x: {[{'replicas': 200}] * 11}}}\n", 1, "2,000 pods together"),
        (GOOD + "".join(NODE.replace("n1", f"m{one}") for one in range(MOST["nodes"])), 1, "at most 40 nodes"),
        (GOOD + "#" * MOST_BYTES, 0, "too large"),
    ],
)
def test_a_fault_is_told_by_its_line(text, line, words):
    with pytest.raises(CaseError) as caught:
        checked_case("case.yaml", text)
    first = caught.value.faults[0]
    assert (first.line, words in first.message) == (line, True), str(caught.value)


def test_a_case_that_was_stored_with_an_unknown_field_can_still_be_read(teacher):
    text = GOOD.replace("spec: {c", "spec: {nodeSelectr: {}, c")
    Case.objects.create(slug="mine", title="Mine", question="?", text=text, user=teacher)
    assert find("mine").lesson.head.title == "Mine"


def test_a_play_that_goes_on_for_too_long_is_refused(monkeypatch):
    monkeypatch.setattr("dashboard.learn.play.MOST_TIMERS", 2)
    step = "{at: %s, action: cordon, object: {apiVersion: v1, kind: Node, metadata: {name: n1}}}"
    steps = ", ".join(step % f"{minute}m" for minute in range(1, 5))
    with pytest.raises(CaseError, match="goes on for too long"):
        checked_case("case.yaml", GOOD.replace("explanation:", f"scenario: [{steps}]\nexplanation:"))


@pytest.mark.parametrize(
    ("ask", "answer"), [("where", "Pending"), ("lane", "Unschedulable"), ("victim", "nobody"), ("next", "default/big")]
)
def test_a_moment_becomes_a_case_with_the_answer_of_the_simulation(cluster, school, ask, answer):
    saved = school.post(f"/c/demo/case/?at={before_any_attempt(cluster)}", wish(ask=ask))
    case = Case.objects.get()
    assert saved.headers["Location"] == case.get_absolute_url()
    lesson = find(case.slug).lesson
    assert (lesson.head.answer, outcome(lesson).answer) == (answer, answer)
    page = school.get(case.get_absolute_url(), {"guess": answer}).content.decode()
    assert 'data-right="yes"' in page
    assert "Your cases" in page


def test_the_present_has_other_pods_than_the_past(cluster, school):
    assert b"default/web-0" not in school.get("/c/demo/case/").content
    assert b"default/web-0" in school.get(f"/c/demo/case/?at={before_any_attempt(cluster)}").content
    school.post("/c/demo/case/", wish())
    lesson = find(Case.objects.get().slug).lesson
    web = next(one for one in lesson.objects if one["metadata"]["name"] == "web-0")
    assert web["spec"]["nodeName"]


def test_words_and_choices_are_ones_own_and_must_hold_the_answer(cluster, school):
    words = {"title": "Too big", "question": "Where?", "explanation": "Look at cpu.", "choices": "node-0\nnode-1"}
    refused = school.post("/c/demo/case/", wish(**words))
    assert refused.status_code == 400
    assert "Pending is what happens, and cannot be chosen" in refused.content.decode()
    assert "Look at cpu." in refused.content.decode()
    school.post("/c/demo/case/", wish(**words | {"choices": "node-0\nPending"}))
    head = find("too-big").lesson.head
    assert (head.question, head.choices, head.paragraphs) == ("Where?", ["node-0", "Pending"], ["Look at cpu."])


def test_of_a_large_cluster_the_nodes_that_matter_most_are_taken(db, school):
    many = [a_node(f"full-{number}", cpu="1") for number in range(60)]
    a_cluster(nodes=2, pods=1, bound=2, name="demo", more=many)
    assert b"At most 40" in school.get("/c/demo/case/").content
    assert school.post("/c/demo/case/", wish(pod="default/web-0", nodes="41")).status_code == 400
    school.post("/c/demo/case/", wish(pod="default/web-0", nodes="4"))
    lesson = find(Case.objects.get().slug).lesson
    nodes = [one["metadata"]["name"] for one in lesson.objects if one["kind"] == "Node"]
    assert len(nodes) == 4
    assert {"node-0", "node-1"} & set(nodes)
    assert outcome(lesson).answer in nodes


def test_nothing_waits_nothing_to_ask(db, school):
    a_cluster(nodes=1, pods=0, bound=1, name="demo")
    assert b"Nothing to ask here" in school.get("/c/demo/case/").content
    assert school.post("/c/demo/case/", wish()).status_code == 200
    assert not Case.objects.exists()


def test_a_file_is_added_changed_taken_along_and_deleted(db, school):
    assert school.post("/learn/new/", {"text": GOOD}).headers["Location"] == "/learn/mine/"
    assert b"Mine" in school.get("/learn/").content
    assert school.get("/learn/mine.yaml").content.decode() == GOOD
    wrong = school.post("/learn/mine/edit/", {"text": GOOD.replace("answer: n1", "answer: Pending")})
    assert wrong.status_code == 400
    assert "<mark>answer: Pending</mark>" in wrong.content.decode()
    school.post("/learn/mine/edit/", {"text": GOOD.replace("Mine", "Yours")})
    assert find("mine").lesson.head.title == "Yours"
    school.post("/learn/new/", {"text": GOOD})
    school.post("/learn/new/", {"text": GOOD.replace("Mine", "New")})
    assert set(Case.objects.values_list("slug", flat=True)) == {"mine", "mine-2", "new-2"}
    school.post("/learn/mine/delete/")
    assert school.get("/learn/mine/").status_code == 404
    assert school.get("/learn/fragments.yaml").content.decode() == text_of("fragments")


def test_only_who_may_add_clusters_makes_cases_and_only_ones_own_are_changed(
    client, cluster, teacher, django_user_model
):
    Case.objects.create(slug="mine", title="Mine", question="?", text=GOOD, user=teacher)
    for path in ("/learn/new/", "/learn/mine/edit/", "/learn/mine/delete/", "/c/demo/case/"):
        assert client.post(path, {"text": GOOD}).headers["Location"].startswith("/login/")
    client.force_login(django_user_model.objects.create_user("reader"))
    for path in ("/learn/new/", "/learn/mine/edit/", "/learn/mine/delete/", "/c/demo/case/"):
        assert client.post(path, {"text": GOOD}).status_code == 403
    other = django_user_model.objects.create_user("other")
    other.user_permissions.add(Permission.objects.get(codename="add_cluster"))
    client.force_login(other)
    assert client.get("/learn/new/").status_code == 200
    assert client.post("/learn/mine/edit/", {"text": GOOD}).status_code == 403
    assert client.post("/learn/mine/delete/").status_code == 403
    assert "Edit</span>" not in client.get("/learn/mine/").content.decode()
    assert Case.objects.get().text == GOOD


def test_what_can_no_longer_be_read_says_so(db, school):
    Case.objects.create(slug="old", title="Old", question="?", text=GOOD.replace("ask: where", "ask: whither"))
    answer = school.get("/learn/old/")
    assert answer.status_code == 404
    assert "can no longer be read" in answer.content.decode()
    assert school.get("/learn/old/edit/").status_code == 200


def test_presented_it_has_no_menus_and_needs_no_guess(db):
    client = Client(SERVER_NAME="localhost")
    page = client.get("/learn/fragments/?present&stage=2").content.decode()
    assert "frame-present" in page
    assert 'class="topbar"' not in page
    assert "The answer" in page
    assert "not quite" not in page
    assert "You said" in client.get("/learn/fragments/?present&guess=node-a").content.decode()
