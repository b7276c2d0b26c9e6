"""A UnitedDeployment over virtual time: passes phase by phase, moments, what comes by itself, marks of all that."""

import pytest

from dashboard.build.marks import marks
from scheduler import services
from scheduler.engine.simulation.settings import Settings
from scheduler.models import Cluster, Event
from tests.dashboard.test_united import ADDRESS
from tests.engine.builders import a_node
from tests.engine.workload_world import a_united_deployment
from tests.scheduler.builders import a_cluster
from tests.scheduler.test_controllers_tables import run

pytestmark = pytest.mark.django_db(transaction=True)
SECOND = 1_000_000


@pytest.fixture
def adaptive() -> Cluster:
    """Four pods: subset a would take three, but its node has room for one."""
    cluster = a_cluster(nodes=0, pods=0, bound=0, name="demo", settings=Settings(controllers=True))
    nodes = [a_node("na", cpu="600m", labels={"zone": "a"}), a_node("nb", cpu="4", labels={"zone": "b"})]
    subsets = [{"name": name, "nodeSelectorTerm": _in_zone(name)} for name in ("a", "b")]
    subsets[0]["maxReplicas"] = 3
    topology = {"scheduleStrategy": {"type": "Adaptive"}}
    services.objects_apply(cluster.pk, [*nodes, a_united_deployment(4, tuple(subsets), cpu="500m", topology=topology)])
    return cluster


def _in_zone(name: str) -> dict:
    return {"matchExpressions": [{"key": "zone", "operator": "In", "values": [name]}]}


def told(answer) -> list[tuple[str, str, int, int]]:
    """(second, words, pods gone, pods made), oldest first."""
    found = []
    for line in reversed(answer.context["moments"]):
        one = line["moment"]
        found.append((line["clock"][6:8], "; ".join(word.text for word in one.words), len(one.gone), len(one.made)))
    return found


def test_a_subset_that_cannot_take_its_pods_is_seen_to_give_them_up_and_to_come_back(browser, adaptive):
    run(adaptive.pk, 20)
    answer = browser.get(ADDRESS)
    assert [(one["one"].sign, one["one"].subset) for one in answer.context["ahead"]] == [("held", "a")]
    assert answer.context["ahead"][0]["one"].text.startswith("2 pods of `a` will have waited 30 s")
    run(adaptive.pk, 40)
    answer = browser.get(ADDRESS)
    (moved,) = [one for one in told(answer) if "unschedulable" in one[1]]
    assert moved == ("30", "`a` became unschedulable: timeout pending pods found; split 3, 1 → 1, 3", 2, 2)
    assert [(one["one"].sign, one["one"].subset) for one in answer.context["ahead"]] == [("back", "a")]
    assert "`a` is unschedulable" in answer.context["sentence"]
    assert answer.context["plan_title"] == "Settled"  # ready pods are kept: nothing changes when it is back
    wide, narrow = answer.context["charts"]
    assert [len(one["lanes"][0]["holds"]) for one in (wide, narrow)] == [1, 1]
    assert (narrow["width"], narrow["lanes"][0]["anchor"]) == (360, "start")  # a phone has the names above the lanes
    assert all(0 <= mark["x"] <= 360 for mark in narrow["marks"])
    run(adaptive.pk, 300)
    (back,) = [one for one in told(browser.get(ADDRESS)) if "takes pods again" in one[1]]
    assert back[1].startswith("`a` takes pods again: unschedulable subset recovered after 300.000000 seconds")
    assert browser.get(ADDRESS).context["ahead"] == []


def test_a_split_that_a_timer_will_change_is_not_called_settled(browser, adaptive):
    """Six are wanted: `b` has no room beyond its maximum, and `a` gets no more than its ready pod while it is out."""
    run(adaptive.pk, 40)
    b, a = ({"name": name, "nodeSelectorTerm": _in_zone(name)} for name in ("b", "a"))
    b["maxReplicas"] = 3
    topology = {"scheduleStrategy": {"type": "Adaptive"}}
    services.objects_apply(adaptive.pk, [a_united_deployment(6, (b, a), cpu="500m", topology=topology)])
    run(adaptive.pk, 50)
    answer = browser.get(ADDRESS)
    note = answer.context["plan_note"]
    assert (answer.context["plan_title"], note["words"]) == ("For now", "3 / 1 until `a` takes pods again")
    assert note["then"] == ", then 3 / 3"
    assert "4m" in note["left"]
    assert answer.context["readiness"] == {"text": "4 of 6 ready", "is_all": False}
    services.controllers_step(adaptive.pk)
    services.controllers_step(adaptive.pk)
    moment = browser.get(ADDRESS).context
    assert (moment["plan_title"], moment["plan_summary"]) == ("Waiting", "nothing to do")
    assert moment["plan_note"]["words"].startswith("the next pass has nothing to do; 2 pods")


def test_the_timeline_has_marks_where_a_subset_becomes_unschedulable_and_where_it_is_back(adaptive):
    run(adaptive.pk, 335)
    adaptive.refresh_from_db()
    whole = {one["sign"]: one["title"] for one in marks(adaptive.pk, adaptive.seq) if one["sign"] in ("held", "back")}
    assert whole["held"].startswith("UnitedDeployment default/ud: a became unschedulable: timeout pending pods found")
    assert whole["back"].startswith("UnitedDeployment default/ud: a takes pods again: ")
    held = next(one for one in marks(adaptive.pk, adaptive.seq) if one["sign"] == "held")
    news = marks(adaptive.pk, adaptive.seq, after=held["seq"] - 1)
    assert next(one for one in news if one["seq"] == held["seq"]) == held


def test_statuses_that_controllers_write_are_no_marks_of_their_own(adaptive):
    run(adaptive.pk, 5)
    adaptive.refresh_from_db()
    shown = {one["seq"] for one in marks(adaptive.pk, adaptive.seq)}
    written = Event.objects.filter(cluster=adaptive, kind="ObjectPatched").exclude(object_key__startswith="Pod/")
    assert written.exists()
    assert shown.isdisjoint(written.values_list("seq", flat=True))


def pass_at(browser, seq: int) -> dict:
    context = browser.get(ADDRESS, {"at": str(seq)}).context
    phases = {one.slug: (one.state, [(row.of, row.gives) for row in one.rows]) for one in context["phases"]}
    because = [row.reads for row in context["phases"][1].rows]
    return {
        "because": because,
        "number": context["passes"].number,
        "open": context["phase"],
        "title": context["plan_title"],
        **phases,
    }


def test_a_pass_of_the_past_is_the_one_that_was(browser, adaptive):
    run(adaptive.pk, 40)
    looks = list(Event.objects.filter(cluster=adaptive, kind="Reconciled", object_key="UnitedDeployment/default/ud"))
    first = pass_at(browser, looks[0].seq)
    assert (first["number"], first["open"], first["title"]) == (1, "provision", "What pass 1 did")
    assert first["provision"] == (
        "done",
        [("a", "batch 1: created with 3 replicas"), ("b", "batch 2: created with 1 replica")],
    )
    (moved,) = [row for row in looks if row.at_us // SECOND == (adaptive.start_us + 30 * SECOND) // SECOND][:1]
    then = pass_at(browser, moved.seq)
    assert then["read"][1] == [("a", "unschedulable: 2 pods waited too long"), ("b", "schedulable")]
    assert then["allocate"][1] == [("a", "1"), ("b", "3")]
    ready = "it has 1 ready pod and keeps it; its minimum is 0"
    assert then["because"] == [ready, f"{ready}; it has no maximum"]
    assert then["update"] == ("done", [("a", "batch 1: written"), ("b", "batch 2: written")])
    assert ("a Schedulable", "False, timeout pending pods found") in then["status"][1]
    written = Event.objects.get(cluster=adaptive, seq=moved.seq + 1)
    assert written.object_key.startswith("CloneSet/default/ud-a-")
    between = browser.get(ADDRESS, {"at": str(moved.seq + 1)}).context["passes"]
    assert (between.number, between.earlier) == (0, moved.seq)


def test_passes_lead_to_one_another_and_leave_out_what_was_undone(browser, adaptive):
    services.controllers_step(adaptive.pk)
    undone = Event.objects.filter(cluster=adaptive, kind="Reconciled").latest("seq").seq
    services.undo(adaptive.pk)
    services.controllers_step(adaptive.pk)
    services.controllers_step(adaptive.pk)
    looks = Event.objects.filter(
        cluster=adaptive, kind="Reconciled", object_key="UnitedDeployment/default/ud", seq__gt=undone
    )
    first, second = looks.order_by("seq").values_list("seq", flat=True)
    now = browser.get(ADDRESS).context["passes"]
    assert (now.number, now.count, now.earlier, now.later) == (0, 2, second, None)
    then = browser.get(ADDRESS, {"at": str(first)}).context["passes"]
    assert (then.number, then.earlier, then.later) == (1, None, second)


@pytest.mark.parametrize(
    ("fault", "subset", "shown"),
    [
        ("fail-create", "a", {"provision": "fail", "update": "", "status": "fail"}),
        ("fail-update", "b", {"provision": "skip", "update": "fail", "status": "fail"}),
    ],
)
def test_a_failing_phase_is_open_and_ends_the_pass(browser, adaptive, fault, subset, shown):
    if fault == "fail-update":
        services.controllers_step(adaptive.pk)
    answer = browser.get(ADDRESS, {fault: subset, "replicas": "5"})
    states = {one.slug: one.state for one in answer.context["phases"]}
    assert states == {"read": "done", "allocate": "done", "partition": "done", **shown}
    assert shown[answer.context["phase"]] == "fail"
    assert ", 1 fails" in answer.context["plan_summary"]
    rows = next(one.rows for one in answer.context["phases"] if one.slug == answer.context["phase"])
    assert (subset, "batch 1: fails", True) in [(row.of, row.gives, row.is_bad) for row in rows]


def test_what_somebody_wrote_is_told_field_by_field(browser, adaptive, admin_client):
    admin_client.post(ADDRESS, {"replicas": "6", "partition.b": "1", "image": "app:2"}, SERVER_NAME="localhost")
    words = [one[1] for one in told(browser.get(ADDRESS))]
    assert words == [
        "created with 4 replicas over 2 subsets",
        "replicas 4 → 6; image app:1 → app:2; partition of `b` none → 1",
    ]


def test_a_failure_that_repeats_is_one_moment(browser, adaptive, admin_client):
    admin_client.post(ADDRESS, {"fail-create": "a"}, SERVER_NAME="localhost")
    run(adaptive.pk, 2)
    (failed,) = [one for one in told(browser.get(ADDRESS)) if "injected create error" in one[1]]
    assert failed[1].endswith(")")
    assert int(failed[1].rpartition("(x")[2].rstrip(")")) > 2


def test_why_a_subset_got_less_than_its_minimum_is_told(browser, adaptive):
    answer = browser.get(ADDRESS, {"min.a": "3", "min.b": "3"})
    steps = [
        (one["step"].subset, one["why"]) for each in answer.context["derivation"]["passes"] for one in each["steps"]
    ]
    assert steps == [("a", "its minimum is 3"), ("b", "its minimum is 3, but only 1 was left")]


def test_what_the_page_shows_is_given_as_data(browser, adaptive):
    run(adaptive.pk, 40)
    lines = browser.get(f"{ADDRESS}subsets.csv", {"replicas": "6"}).content.decode().splitlines()
    assert [line.split(",")[:6] for line in lines[1:]] == [
        ["a", "zone In [a]", "", "0", "3", "1"],
        ["b", "zone In [b]", "", "0", "", "3"],
    ]
    looks = Event.objects.filter(cluster=adaptive, kind="Reconciled", object_key="UnitedDeployment/default/ud")
    moved = next(row.seq for row in looks if row.at_us // SECOND == adaptive.start_us // SECOND + 30)
    answer = browser.get(f"{ADDRESS}plan.json", {"at": str(moved)}).json()
    assert answer["phases"][0]["rows"][0]["out"] == "unschedulable: 2 pods waited too long"
    (moment,) = [one for one in answer["history"] if one["seq"] == moved]
    assert (moment["split"], moment["unschedulable"], len(moment["gone"])) == ({"a": 1, "b": 3}, ["a"], 2)
    assert browser.get("/c/demo/uniteddeployments/default/other/plan.json").status_code == 404


@pytest.mark.parametrize("kind", ["cloneSet", "deployment", "advancedStatefulSet"])
def test_pods_are_told_apart_by_who_controls_them_and_not_by_their_names(browser, kind):
    """`web` has a subset `a-b`, and `web-a` one that is called `b`: names of pods of both begin with `web-a-b-`."""
    cluster = a_cluster(nodes=3, pods=0, bound=0, name="demo", settings=Settings(controllers=True))
    for name, subsets in (("web", ("a", "a-b")), ("web-a", ("b",))):
        made = a_united_deployment(2, subsets, kind=kind, name=name)
        services.objects_apply(cluster.pk, [made])
    run(cluster.pk, 5)
    services.objects_apply(cluster.pk, [a_united_deployment(0, ("a", "a-b"), kind=kind, name="web")])
    run(cluster.pk, 10)
    for name, came, gone in (("web", ["a", "a-b"], ["a", "a-b"]), ("web-a", ["b", "b"], [])):
        moments = [
            one["moment"] for one in browser.get(f"/c/demo/uniteddeployments/default/{name}/").context["moments"]
        ]
        assert sorted(pod.subset for one in moments for pod in one.made) == came
        assert sorted(pod.subset for one in moments for pod in one.gone) == gone


def test_the_first_sentence_says_that_the_last_pass_failed_until_one_succeeds(browser):
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="demo", settings=Settings(controllers=True))
    name = "a-name-that-leaves-no-room-in-a-label-for-the-hash-of-a-revision"
    services.objects_apply(cluster.pk, [a_united_deployment(1, name=name)])
    run(cluster.pk, 3)
    sentence = browser.get(f"/c/demo/uniteddeployments/default/{name}/").context["sentence"]
    assert "Its last pass failed: metadata.labels: Invalid value" in sentence
    services.objects_apply(cluster.pk, [a_united_deployment(1)])
    run(cluster.pk, 3)
    assert "failed" not in browser.get(ADDRESS).context["sentence"]
