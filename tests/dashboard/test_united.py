"""The pages of UnitedDeployments: a wish is planned without being written, applied whole or not at all."""

import re

import msgspec
import pytest
import yaml

from dashboard.build.united.names import LETTERS, apart, fitted
from dashboard.build.united.notes import ENDLESS
from dashboard.build.united.plan import Of, _told
from scheduler import services, store
from scheduler.engine.commands import AddObject, AdvanceToNextTimer
from scheduler.engine.simulation.settings import Settings
from scheduler.engine.uniteddeployment.defaulting import defaulted
from scheduler.manifests.check import complaints
from scheduler.models import Cluster, Event, UnitedDeployment
from tests.engine.test_controllers_adopting import an_orphan
from tests.engine.workload_world import a_united_deployment
from tests.scheduler.builders import a_cluster
from tests.scheduler.test_controllers_tables import run

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/c/demo/uniteddeployments/default/ud/"


def made(*subsets, controllers=True, replicas=4, **spec) -> Cluster:
    cluster = a_cluster(nodes=3, pods=0, bound=0, name="demo", settings=Settings(controllers=controllers))
    services.objects_apply(cluster.pk, [a_united_deployment(replicas, subsets or ("a", "b"), **spec)])
    return cluster


@pytest.fixture
def cluster() -> Cluster:
    cluster = made()
    run(cluster.pk, 12)
    cluster.refresh_from_db()
    return cluster


def head(cluster: Cluster) -> int:
    cluster.refresh_from_db()
    return cluster.seq


def rows(answer) -> dict[str, dict]:
    return {row["name"]: row for row in answer.context["rows"]}


def test_the_list_prints_the_columns_of_kubectl(browser, cluster):
    page = browser.get("/c/demo/uniteddeployments/").content.decode()
    assert f'<a href="{ADDRESS}">ud</a>' in page
    assert re.findall(r'<td class="n">(\d+)</td>', page)[:4] == ["4"] * 4


def test_the_bar_of_the_list_names_its_parts(browser):
    made(*"abcdefghi", replicas=18)
    run(Cluster.objects.get(name="demo").pk, 30)
    answer = browser.get("/c/demo/uniteddeployments/")
    (row,) = answer.context["rows"]
    assert [(one["name"], one["number"], one["colour"]) for one in row["named"]][:2] == [("a", 2, 1), ("b", 2, 2)]
    page = answer.content.decode()
    assert [one["colour"] for one in row["parts"]] == list(range(1, 10))  # the ninth is not the first again
    assert page.count("<title>h 2</title>") == 1  # of a part that the legend has no room for
    assert "and 3 more subsets" in page


def test_a_long_name_keeps_its_ends_in_the_flow():
    assert fitted("elastic-pool") == "elastic-pool"
    assert fitted("subset-with-a-long-name-11") == "subset-w…-name-11"
    assert len(fitted("n" * 60)) == LETTERS
    alike = [f"availability-zone-of-a-long-name-{number}-and-more-of-it-to-come" for number in "12"]
    assert apart(alike) == ["…1-and-more-of-i…", "…2-and-more-of-i…"]
    assert max(map(len, apart(alike))) <= LETTERS


def test_where_no_pod_is_yet_the_page_says_what_is_planned(browser):
    cluster = made()
    answer = browser.get(ADDRESS)
    assert answer.context["readiness"] == {"text": "no pods yet; 4 planned", "is_all": False}
    assert answer.context["sentence"] == "`default/ud` has no pods yet; 4 are planned over 2 subsets."
    run(cluster.pk, 12)
    settled = browser.get(ADDRESS)
    assert settled.context["readiness"] == {"text": "4 of 4 ready", "is_all": True}
    assert settled.context["plan_title"] == "Settled"
    assert "the next pass has nothing to do" in settled.content.decode()


def test_a_page_shows_its_subsets_pods_and_events(browser, cluster):
    answer = browser.get(ADDRESS)
    found = {name: (row["pods"], row["ready"], row["change"]) for name, row in rows(answer).items()}
    assert found == {"a": (2, 2, 0), "b": (2, 2, 0)}
    assert len(answer.context["pods"]) == 4
    assert answer.context["events"][0]["message"] == "Create 2 Subset (CloneSet)"
    assert [(one["number"], one["is_current"]) for one in answer.context["revisions"]] == [(1, True)]
    assert answer.context["groups"][0].title == "not touched"


def test_the_plan_stands_before_everything_else(browser, cluster):
    """What there is and what is planned as bars and numbers; where both are the same, once."""
    page = browser.get(ADDRESS)
    assert [(bar["name"], bar["total"]) for bar in page.context["bars"]] == [("pods", 4)]
    text = page.content.decode()
    assert text.index('id="u-split"') < text.index('id="ud-form"') < text.index('id="h-subsets"')
    wished = browser.get(ADDRESS, {"replicas": "6"})
    assert [(bar["name"], bar["total"]) for bar in wished.context["bars"]] == [("pods", 4), ("plan", 6)]
    split = wished.content.decode().partition('id="u-split"')[2].partition("</section>")[0]
    assert split.count("2 → 3") == 2


def test_the_first_pass_is_told_by_the_moment_that_made_the_split(browser):
    """Its status counts the workloads that it makes only in the next pass: the history does not wait for that."""
    cluster = made()
    run(cluster.pk, 12)
    looks = Event.objects.filter(cluster=cluster, kind="Reconciled", object_key="UnitedDeployment/default/ud")
    first, second = looks.order_by("seq").values_list("seq", flat=True)[:2]
    now = browser.get(ADDRESS)
    (split,) = [line["moment"] for line in now.context["moments"] if "split" in str(line["moment"].words)]
    assert (split.seq, len(split.made)) == (first, 4)
    assert now.context["since"]["seq"] == first
    then = browser.get(ADDRESS, {"at": first})
    assert then.context["sentence"].startswith("Pass 1 of `default/ud`, at 00:00:00.1")
    assert (
        "made 2 workloads, `a` with 2 and `b` with 2. When it began no pod was there yet." in then.context["sentence"]
    )
    assert [(bar["name"], bar["total"]) for bar in then.context["bars"]] == [("pods", 0), ("asked", 4)]
    after = browser.get(ADDRESS, {"at": second})
    assert (
        "had nothing to do: its workloads asked for 4 pods already. When it began no pod" in after.context["sentence"]
    )
    assert [(bar["name"], bar["total"]) for bar in after.context["bars"]] == [("pods", 0), ("asked", 4)]
    assert "no pods yet; 4 planned when it began" in after.content.decode()
    between = browser.get(ADDRESS, {"at": second - 1}).context["sentence"]
    assert between.startswith(f"At event {second - 1}, 00:00:00.1")


def test_every_number_of_a_subset_opens_its_arithmetic(browser, cluster):
    answer = browser.get(ADDRESS, {"replicas": "7", "partition.b": "9", "sums": "b"})
    (row,) = [one for one in answer.context["rows"] if one["name"] == "b"]
    told = {line.name: (line.text, line.answer) for _, lines in row["sums"] for line in lines}
    assert told["to share"] == ("7 − 0", "7")
    assert (told["one more"], told["planned"]) == (("1 more for the last 1 of 2: it is number 2", "1"), ("3 + 1", "4"))
    assert (told["asked"][1], told["change"]) == ("2", ("4 − 2", "2"))
    assert told["partition"] == ("the smaller of 9 and 4", "4")
    columns = {
        "planned",
        "asked",
        "change",
        "pods",
        "ready",
        "updated",
        "pending",
        "would wait",
        "partition",
        "revision",
    }
    assert columns <= told.keys()
    assert all(told[name][1] == str(row["wait" if name == "would wait" else name]) for name in columns)
    page = answer.content.decode()
    assert 'id="sums-a" data-swap hidden' in page
    assert 'id="sums-b" data-swap>' in page
    assert row["reason"] == "an even share of 7 over 2 subsets (3), and the one left over"


def test_the_status_of_a_pass_is_written_as_the_sums_that_its_numbers_are(browser, cluster):
    look = Event.objects.filter(cluster=cluster, kind="Reconciled", object_key="UnitedDeployment/default/ud")
    passes = [browser.get(f"{ADDRESS}plan.json", {"at": one.seq}).json()["phases"][-1]["rows"] for one in look]
    told = {row["of"]: row["out"] for rows in passes for row in rows}
    assert told["replicas"] == told["readyReplicas"] == told["updatedReplicas"] == "4 = 2 + 2"


def test_workloads_that_cannot_make_their_pods_say_why(browser):
    """A CloneSet's revision is a label of its pods: with a name of 60 characters it is too long for one."""
    made("n" * 60, replicas=2)
    run(Cluster.objects.get(name="demo").pk, 12)
    answer = browser.get(ADDRESS)
    assert answer.context["workload_fault"].startswith(f"`ud-{'n' * 40}")
    assert "must be no more than 63 characters" in answer.context["workload_fault"]
    assert "Pods are missing:" in answer.content.decode()
    assert "Pods are missing:" not in browser.get(ADDRESS, {"at": "6"}).content.decode()


def test_what_the_controller_says_time_and_again_is_one_line(browser):
    cluster = bypassing_the_webhook(
        a_united_deployment(4, ({"name": "a", "replicas": 3}, {"name": "b", "replicas": 3}))
    )
    run(cluster.pk, 5)
    answer = browser.get(ADDRESS)
    (line,) = answer.context["events"]
    assert line["count"] > 3
    assert f"×{line['count']}" in answer.content.decode()
    assert answer.context["plan_summary"] == "it fails before it does anything"
    split = answer.content.decode().partition('id="u-planned-a" data-swap>')[2]
    assert split.startswith("–")  # nothing is planned, which is not 0


def test_the_list_counts_pods_of_all_of_them_together(browser, cluster):
    page = browser.get("/c/demo/uniteddeployments/").content.decode()
    assert "1 UnitedDeployment spreads pods over subsets; all 4 pods are ready." in page
    services.objects_apply(cluster.pk, [a_united_deployment(6)])
    assert "4 of 6 pods are ready" in browser.get("/c/demo/uniteddeployments/").content.decode()


def test_the_list_counts_ready_pods_as_the_page_does_before_a_pass_has_written_them(browser):
    cluster = made()
    total = browser.get(ADDRESS).context["total"]
    while not total["ready"]:
        run(cluster.pk, 0)
        services.execute(cluster.pk, AdvanceToNextTimer())
        total = browser.get(ADDRESS).context["total"]
    (row,) = browser.get("/c/demo/uniteddeployments/").context["rows"]
    with store.reading(cluster.pk) as simulation:
        status = simulation.cluster.get("UnitedDeployment", "default", "ud").status
    assert not status.get("readyReplicas")
    assert {name: row[name] for name in ("pods", "updated", "ready")} == {
        name: total[name] for name in ("pods", "updated", "ready")
    }


def test_of_very_many_subsets_a_part_is_told_at_a_time(browser):
    names = tuple(f"pool-{number:03d}" for number in range(230))
    made(*names, controllers=False, replicas=460)
    first = browser.get(ADDRESS, {"partition.pool-150": "3"})
    assert (len(first.context["rows"]), len(first.context["shown"])) == (230, 100)
    page = first.content.decode()
    assert len(page) < 400_000
    assert "1–100 of 230" in page
    assert 'name="partition.pool-150" value="3" data-stored=""' in page  # what is wished of another part is kept
    assert [len(one["steps"]) for one in first.context["derivation"]["passes"]] == [100]
    assert [len(one.rows) for one in first.context["phases"]][:4] == [100] * 4
    last = browser.get(ADDRESS, {"page": "3", "sums": "pool-229"})
    assert [row["name"] for row in last.context["shown"] if "sums" in row] == ["pool-229"]
    found = browser.get(ADDRESS, {"find": "22"})
    assert [row["name"] for row in found.context["shown"]][-2:] == ["pool-228", "pool-229"]
    assert len(browser.get(f"{ADDRESS}subsets.csv").content.splitlines()) == 231


def test_a_search_that_finds_no_subset_says_so_wherever_subsets_are_told(browser):
    made(*(f"pool-{number:03d}" for number in range(30)), replicas=30)
    run(Cluster.objects.get(name="demo").pk, 12)
    page = browser.get(ADDRESS, {"find": "nothing", "replicas": "31"}).content.decode()
    told = page.count("No subset has <code>nothing</code> in its name.")
    assert told > 4  # table, steps, flow, phases, pods
    assert page.count('<a href="?replicas=31#subsets" data-all>Show all 30</a>') == told
    assert "No pods yet" not in page
    assert "It has no pods" not in page
    assert "these 0 subsets" not in page


def test_of_many_subsets_those_that_are_alike_are_told_together(browser):
    made(*(f"pool-{number:03d}" for number in range(60)), replicas=90)
    answer = browser.get(ADDRESS)
    lines = [(one["alike"], one["planned"], one["names"]) for one in answer.context["split_rows"]]
    assert lines == [
        (30, 1, "pool-000, pool-001, pool-002 and 27 more"),
        (30, 2, "pool-030, pool-031, pool-032 and 27 more"),
    ]
    last = answer.context["groups"][-1].lines
    assert [(line.name, line.figure) for line in last if not line.is_pod] == [
        ("pool-031, pool-032, pool-033 and 26 more", "+58 pods"),
    ]
    assert sum("new pod" in line.name for line in last) <= 4  # by node, not by subset
    few = made_again(browser)
    assert [one["alike"] for one in few] == [1, 1]


def made_again(browser) -> list[dict]:
    Cluster.objects.get(name="demo").delete()
    made()
    return browser.get(ADDRESS).context["split_rows"]


def test_what_cannot_be_is_not_offered_to_be_applied(cluster, admin_client):
    wish = {"replicas": "-1", "partition.a": "x"}
    answer = admin_client.get(ADDRESS, wish, SERVER_NAME="localhost")
    fields = answer.context["fields"]
    assert fields["replicas"].error.endswith("must be greater than or equal to 0")  # every fault at once
    assert fields["partition.a"].error == "Write a whole number."
    assert 'data-apply disabled title="It cannot be applied: ' in answer.content.decode()


def test_before_it_came_the_page_says_so_of_that_event(browser, cluster):
    answer = browser.get(ADDRESS, {"at": "1"})
    assert answer.status_code == 404
    page = answer.content.decode()
    assert "has no UnitedDeployment <code>default/ud</code> at event 1." in page
    assert f'href="{ADDRESS}"' in page


def test_the_list_names_subsets_that_have_pods_before_those_that_have_none(browser):
    made(*({"name": name, "replicas": 0} for name in "abcdef"), "g", replicas=2)
    run(Cluster.objects.get(name="demo").pk, 12)
    (row,) = browser.get("/c/demo/uniteddeployments/").context["rows"]
    assert [one["name"] for one in row["named"]] == ["a", "b", "c", "d", "e", "g"]


def test_a_pod_that_would_wait_looks_another_way_than_one_that_would_land(browser, cluster):
    assert "data-waits" not in browser.get(ADDRESS, {"replicas": "5"}).content.decode()
    page = browser.get(ADDRESS, {"replicas": "200"}).content.decode()
    assert '<div class="plan-line" data-op="add" data-pod data-waits>' in page
    assert '<div class="plan-line" data-op="add" data-pod>' in page


def test_the_next_pass_shows_what_it_adopts_and_releases_and_then_does_it(browser):
    cluster = a_cluster(nodes=3, pods=0, bound=0, name="demo", settings=Settings(controllers=True))
    services.objects_apply(cluster.pk, [an_orphan(name="loose", replicas=2)])
    run(cluster.pk, 12)
    services.objects_apply(cluster.pk, [a_united_deployment(4)])
    answer = browser.get(ADDRESS)
    groups = {one.title: [(line.op, line.name) for line in one.lines] for one in answer.context["groups"]}
    assert groups["owner references"] == [("add", "loose")]
    assert rows(answer)["a"]["asked"] == 2
    assert answer.context["plan_summary"].startswith("1 adoption, 1 create, 1 update; 4 new pods, 2 pods would go")
    read = browser.get(f"{ADDRESS}plan.json").json()["phases"][0]
    assert [(one["of"], one["out"].partition(",")[0]) for one in read["rows"]] == [
        ("a", "adopted"),
        ("b", "to be created"),
    ]
    run(cluster.pk, 12)
    with store.reading(cluster.pk) as simulation:
        held = msgspec.to_builtins(simulation.cluster.get("CloneSet", "default", "loose"))
    held["metadata"]["labels"]["app"] = "else"
    services.objects_apply(cluster.pk, [{**held, "apiVersion": "apps.kruise.io/v1beta1", "kind": "CloneSet"}])
    answer = browser.get(ADDRESS)
    assert [(line.op, line.name) for line in answer.context["groups"][0].lines] == [("del", "loose")]
    assert answer.context["plan_summary"].startswith("1 release, 1 create")


def test_a_template_that_its_own_selector_does_not_match_is_told(browser):
    expression = {"key": "tier", "operator": "In", "values": ["front"]}
    made(controllers=False, selector={"matchLabels": {"app": "web"}, "matchExpressions": [expression]})
    assert ENDLESS in browser.get(ADDRESS).context["notes"]


def test_a_wish_is_planned_and_nothing_is_written(browser, cluster):
    seq = head(cluster)
    answer = browser.get(ADDRESS, {"replicas": "7"})
    assert {name: (row["planned"], row["change"]) for name, row in rows(answer).items()} == {"a": (3, 1), "b": (4, 2)}
    assert answer.context["sentence"] == "`default/ud` has 4 pods. A plan for 7 splits them 3, 4."
    assert [(one.title, [line.op for line in one.lines]) for one in answer.context["groups"]] == [
        ("update, batch 1 of 2", ["upd", "add"]),
        ("update, batch 2 of 2", ["upd", "add", "add"]),
    ]
    assert head(cluster) == seq


def test_the_rehearsal_tells_the_nodes_that_the_pods_will_have_and_makes_up_no_names(browser, cluster, admin_client):
    lines = [line for one in browser.get(ADDRESS, {"replicas": "7"}).context["groups"] for line in one.lines]
    told = [(line.name, line.note) for line in lines if line.is_pod]
    with store.reading(cluster.pk) as simulation:
        before = set(simulation.pods)
    services.objects_apply(cluster.pk, [a_united_deployment(7)])
    run(cluster.pk, 12)
    with store.reading(cluster.pk) as simulation:
        real = [f"lands on {pod.node_name}" for key, pod in simulation.pods.items() if key not in before]
    assert sorted(note for _, note in told) == sorted(real)
    assert {name for name, _ in told} == {"a new pod"}
    assert len(told) == 3


def test_pods_that_would_wait_are_told_with_the_schedulers_reason(browser):
    cluster = made(cpu="3", replicas=3)
    run(cluster.pk, 12)
    answer = browser.get(ADDRESS, {"replicas": "5"})
    assert answer.context["total"]["wait"] == 2
    lines = [line for one in answer.context["groups"] for line in one.lines if line.icon == "wait"]
    message = "Pending: 0/3 nodes are available: 3 Insufficient cpu"
    assert sum(int(line.name.split()[0].replace("a", "1")) for line in lines) == 2
    assert {line.note.partition(" ")[2] for line in lines} == {message}


@pytest.mark.parametrize(
    ("wish", "field", "words"),
    [
        ({"replicas": "-3"}, "replicas", "must be greater than or equal to 0"),
        ({"replicas": "many"}, "replicas", "Write a whole number."),
        ({"replicas.a": "150%"}, "replicas.a", "is not between 0% and 100%"),
        ({"min.a": "5", "max.a": "3"}, "min.a", "minReplicas must be less than or equal to maxReplicas"),
        ({"strategy": "Sometimes"}, "strategy", "must be one of Fixed, Adaptive, Reserve"),
    ],
)
def test_what_is_wrong_is_told_at_its_field_and_nothing_is_applied(browser, cluster, admin_client, wish, field, words):
    seq = head(cluster)
    for answer in (browser.get(ADDRESS, wish), admin_client.post(ADDRESS, wish, SERVER_NAME="localhost")):
        assert words in answer.context["fields"][field].error
    assert answer.status_code == 400
    assert head(cluster) == seq


def test_numbers_that_contradict_one_another_are_told_of_the_whole(browser, cluster):
    answer = browser.get(ADDRESS, {"replicas.a": "9"})
    assert "the sum of the subsets&#x27; replicas 9 is greater than spec.replicas 4" in answer.content.decode()


def test_a_plan_is_applied_as_an_event_of_the_person(cluster, admin_client):
    answer = admin_client.post(
        ADDRESS, {"replicas": "6", "partition.a": "1", "image": "app:2"}, SERVER_NAME="localhost"
    )
    assert answer.status_code == 302
    spec = UnitedDeployment.objects.get(cluster=cluster).manifest["spec"]
    assert (spec["replicas"], spec["updateStrategy"]["manualUpdate"]["partitions"]) == (6, {"a": 1})
    last = Event.objects.filter(cluster=cluster, kind="ObjectUpdated").order_by("-seq").first()
    assert (last.object_key, last.actor) == ("UnitedDeployment/default/ud", "admin")


def test_writing_needs_the_permission(browser, cluster):
    seq = head(cluster)
    for form in ("apply", "reconcile", "controllers"):
        assert browser.post(ADDRESS, {"form": form, "replicas": "9"}).status_code in (302, 403)
    assert head(cluster) == seq


def test_without_a_change_there_is_nothing_to_apply(cluster, admin_client):
    seq = head(cluster)
    page = admin_client.get(ADDRESS, SERVER_NAME="localhost").content.decode()
    assert 'data-apply disabled title="Nothing differs from what is stored"' in page
    assert (
        "data-apply>Apply plan"
        in admin_client.get(ADDRESS, {"replicas": "5"}, SERVER_NAME="localhost").content.decode()
    )
    answer = admin_client.post(ADDRESS, {"form": "apply", "replicas": "4"}, SERVER_NAME="localhost", follow=True)
    assert "Nothing differs from what is stored, so nothing was written." in answer.content.decode()
    assert head(cluster) == seq


def test_nothing_can_be_written_in_the_past(cluster, admin_client):
    assert admin_client.post(f"{ADDRESS}?at=5", {"replicas": "9"}, SERVER_NAME="localhost").status_code == 403
    answer = admin_client.get(ADDRESS, {"at": "6", "replicas": "9"}, SERVER_NAME="localhost")
    assert answer.context["can_write"] is False
    page = answer.content.decode()
    assert "<fieldset disabled" in page
    assert page.count('form="ud-form" disabled title="This is the past') == page.count('class="input ud-num"') > 0
    assert "This is event 6, the past: nothing can be written there." in page
    assert "data-replicas=" not in page
    assert "the past" not in admin_client.get(ADDRESS, SERVER_NAME="localhost").content.decode()


def test_controllers_are_turned_on_from_the_page_and_stepped(admin_client):
    cluster = made(controllers=False)
    answer = admin_client.get(ADDRESS, SERVER_NAME="localhost")
    assert "Workloads make no pods in this cluster" in answer.content.decode()
    assert {name: row["planned"] for name, row in rows(answer).items()} == {"a": 2, "b": 2}
    admin_client.post(ADDRESS, {"form": "controllers", "on": "1"}, SERVER_NAME="localhost")
    assert "Workloads make no pods" not in admin_client.get(ADDRESS, SERVER_NAME="localhost").content.decode()
    admin_client.post(ADDRESS, {"form": "reconcile"}, SERVER_NAME="localhost")
    assert Event.objects.filter(cluster=cluster, kind="Reconciled").count() == 1


def test_an_injected_failure_shows_where_slow_start_stops(browser):
    made("a", "b", "c", "d", replicas=4)
    answer = browser.get(ADDRESS, {"fail-create": "b"})
    titles = [(one.title, [(line.op, line.name) for line in one.lines]) for one in answer.context["groups"]]
    assert titles == [
        ("create, batch 1 of 2", [("add", "a")]),
        ("create, batch 2 of 2", [("fail", "b"), ("add", "c")]),
        ("not touched", [("skip", "d")]),
    ]
    assert "injected create error" in answer.context["error"]
    assert {name: row["fails"] for name, row in rows(answer).items()} == {"a": "", "b": "create", "c": "", "d": ""}
    assert "its create fails" in answer.content.decode()


def test_few_subsets_that_are_alike_are_told_in_one_line_of_the_plan(browser, cluster):
    answer = browser.get(ADDRESS, {"replicas": "4", "image": "registry.example.com/app:2"})
    lines = [line.name for group in answer.context["groups"] for line in group.lines if not line.is_pod]
    assert len(lines) == len({"a", "b"})  # their pods differ, so that each is told of its own
    made_up = [Of("upd", name, "its patch is another") for name in "abc"]
    assert [line.name for line in _told(made_up)] == ["a, b and c"]


def test_what_was_not_there_is_told_in_the_frame_of_the_past(browser, cluster):
    for what in ("uniteddeployments/default/other", "pods/default/other", "nodes/other", "cycles/999"):
        answer = browser.get(f"/c/demo/{what}/?at=3")
        assert answer.status_code == 404
        assert answer.context["at"] == 3, what
        assert "You are in the past:" in answer.content.decode(), what
    assert "You are in the past:" not in browser.get("/c/demo/pods/default/other/").content.decode()


def test_the_curve_has_a_column_for_every_number_with_the_allocators_answer(browser):
    made({"name": "a", "minReplicas": 2, "maxReplicas": 4}, {"name": "b", "maxReplicas": 2}, "c", replicas=7)
    columns = {one["replicas"]: one["short"] for one in browser.get(ADDRESS).context["curve"]["columns"]}
    assert columns[0] == "0 0 0"
    assert (columns[4], columns[6], columns[7], columns[12]) == ("4 0 0", "4 2 0", "4 2 1", "4 2 6")


def test_a_united_deployment_that_is_not_there_is_404(browser, cluster):
    assert browser.get("/c/demo/uniteddeployments/default/other/").status_code == 404


def bypassing_the_webhook(manifest: dict) -> Cluster:
    """Logs of before it was asked may hold what it refuses."""
    cluster = a_cluster(nodes=3, pods=0, bound=0, name="demo", settings=Settings(controllers=True))
    services.execute(cluster.pk, AddObject("UnitedDeployment", defaulted(manifest)))
    return cluster


def test_numbers_that_contradict_one_another_are_told_in_the_controllers_words(browser):
    bypassing_the_webhook(a_united_deployment(4, ({"name": "a", "replicas": 3}, {"name": "b", "replicas": 3})))
    page = browser.get(ADDRESS).content.decode()
    assert "specified subsets&#x27; replica (6) is greater than UnitedDeployment replica (4)" in page
    assert "The manual says that numbers that contradict" in page
    columns = browser.get(ADDRESS).context["curve"]["columns"]
    assert {one["replicas"] for one in columns if not one["is_wrong"]} == {6}


def test_what_cannot_be_planned_is_said(browser):
    manifest = a_united_deployment(4)
    del manifest["spec"]["template"]
    bypassing_the_webhook(manifest)
    answer = browser.get(ADDRESS)
    assert answer.context["sentence"] == "`default/ud` cannot be planned."
    assert "no workload template" in answer.content.decode()
    assert browser.get("/c/demo/uniteddeployments/").status_code == 200


def test_a_subset_that_left_the_topology_is_shown_until_it_is_deleted(browser, cluster):
    services.objects_apply(cluster.pk, [a_united_deployment(4, ("a",))])
    answer = browser.get(ADDRESS)
    assert rows(answer)["b"]["is_left"] is True
    assert [line.op for one in answer.context["groups"] for line in one.lines if not line.is_pod] == ["del", "upd"]
    assert "to be deleted" in answer.content.decode()


def test_an_undone_pass_leaves_no_events_behind(browser):
    cluster = made()
    services.controllers_step(cluster.pk)
    assert browser.get(ADDRESS).context["events"] != []
    services.undo(cluster.pk)
    assert browser.get(ADDRESS).context["events"] == []


def test_it_is_exported_in_either_version(browser, cluster):
    for version in ("v1alpha1", "v1beta1"):
        answer = browser.get(f"{ADDRESS}manifest.yaml", {"version": version})
        manifest = yaml.safe_load(answer.content)
        assert manifest["apiVersion"] == f"apps.kruise.io/{version}"
        assert complaints("UnitedDeployment", manifest) == []
        assert set(manifest["metadata"]) == {"name", "namespace"}
    assert browser.get(f"{ADDRESS}manifest.yaml", {"version": "v9"}).status_code == 400


def test_a_wish_without_measure_is_planned_but_not_rehearsed(browser, cluster):
    answer = browser.get(ADDRESS, {"replicas": "999999999"})
    assert answer.context["rehearsed"].why_not == "Where pods would go is told of up to 1,000 replicas."
    assert {name: row["planned"] for name, row in rows(answer).items()} == {"a": 499_999_999, "b": 500_000_000}


def test_a_wish_of_many_new_pods_is_not_rehearsed_while_the_page_waits(browser, cluster):
    answer = browser.get(ADDRESS, {"replicas": "305"})
    assert answer.context["rehearsed"].why_not == "Where pods would go is told of up to 300 new pods at once."
    assert sum(row["planned"] for row in rows(answer).values()) == 305


def test_the_list_tells_that_workloads_cannot_make_pods(browser):
    run(made("a", "n" * 60, "m" * 60).pk, 12)
    page = browser.get("/c/demo/uniteddeployments/")
    assert page.context["rows"][0]["fails"] == "2 workloads cannot make pods"
    assert "2 workloads cannot make pods" in page.content.decode()


def test_the_list_tells_that_a_pass_failed_until_one_ends_well(browser):
    cluster = made(annotations={"podium.dev/fail-create": "b"})
    run(cluster.pk, 5)
    assert "its last pass failed" in browser.get("/c/demo/uniteddeployments/").content.decode()
    services.objects_apply(cluster.pk, [a_united_deployment(4, ("a", "b"))])
    run(cluster.pk, 5)
    assert "its last pass failed" not in browser.get("/c/demo/uniteddeployments/").content.decode()


def test_a_percentage_that_is_rounded_is_told_as_such(browser):
    made({"name": "a", "replicas": "30%"}, {"name": "b", "replicas": "25%"}, "c", replicas=10)
    page = browser.get(ADDRESS).content.decode()
    assert "asks for 30% of 10<" in page.replace("\n", "")
    assert "asks for 25% of 10, rounded" in page


def test_the_curve_counts_in_round_numbers(browser):
    made(*"abc", replicas=57, controllers=False)
    curve = browser.get(ADDRESS).context["curve"]
    assert [one["replicas"] for one in curve["columns"]] == sorted({*range(0, 115, 5), 57})
    assert [one["value"] for one in curve["lines"]] == [0, 50, 100]
