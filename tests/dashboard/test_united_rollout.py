"""A rollout of a UnitedDeployment as its page tells it: held back by partitions, pod by pod, with their nodes."""

import pytest

from scheduler.models import Cluster
from tests.dashboard.test_united import ADDRESS, made, rows
from tests.dashboard.test_united_history import told
from tests.scheduler.test_controllers_tables import run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def rolled(admin_client) -> Cluster:
    """Two subsets of four: of a one pod keeps the old revision, of b two."""
    cluster = made(replicas=8)
    run(cluster.pk, 12)
    wish = {"image": "app:2", "partition.a": "1", "partition.b": "2"}
    assert admin_client.post(ADDRESS, wish, SERVER_NAME="localhost").status_code == 302
    run(cluster.pk, 60)
    return cluster


def test_what_only_waits_for_its_partition_is_told_apart_from_what_is_under_way(browser, rolled):
    answer = browser.get(ADDRESS)
    assert answer.context["plan_summary"] == "nothing to do; 3 pods are held back by partitions"
    assert answer.context["plan_title"] == "Held back"
    assert answer.context["plan_note"]["words"] == "the next pass has nothing to do; 3 pods are held back by partitions"
    assert answer.context["sentence"].endswith("; 5 of them updated, 3 pods are held back by partitions.")
    (group,) = answer.context["groups"]
    old = [one["name"] for one in answer.context["pods"] if one["is_old"]]
    assert sorted(line.name for line in group.lines if line.is_pod) == sorted(old)
    assert len(old) == 3
    assert all(line.note.startswith("on n") for line in group.lines if line.is_pod)
    assert {name: row["held_back"] for name, row in rows(answer).items()} == {"a": 1, "b": 2}
    page = answer.content.decode()
    assert "it is still updating" not in page
    assert "A partition is how many pods of a subset stay at the old revision" in page


def test_a_batch_that_partitions_hold_back_is_told_where_a_later_one_goes_on(browser, admin_client):
    cluster = made(replicas=8)
    run(cluster.pk, 12)
    wish = {"image": "app:2", "partition.a": "4"}
    assert admin_client.post(ADDRESS, wish, SERVER_NAME="localhost").status_code == 302
    run(cluster.pk, 1)
    first, second, kept, *_ = browser.get(ADDRESS).context["groups"]
    assert [one.title for one in (first, second)] == ["update, batch 1 of 2", "update, batch 2 of 2"]
    assert [(line.name, line.note) for line in first.lines] == [("a", "written as it is: held back, see below")]
    assert (second.lines[0].name, kept.lines[0].name) == ("b", "a")
    assert kept.title.startswith("held back by partitions")


def test_title_and_sentence_agree_at_every_moment_of_the_past(browser, rolled):
    rolled.refresh_from_db()
    titles = set()
    for at in range(8, rolled.seq, 5):
        then = browser.get(ADDRESS, {"at": at}).context
        total, title = then["total"], then["plan_title"]
        titles.add(title)
        if title in ("Settled", "Held back"):
            assert (total["pending"], total["ready"], total["pods"]) == (0, total["pods"], total["asked"])
            assert "wait" not in then["sentence"]
    assert {"Settled", "Held back", "Under way"} <= titles


def test_while_pods_are_on_their_way_they_are_not_held_back(browser, rolled, admin_client):
    admin_client.post(ADDRESS, {"partition.b": "0"}, SERVER_NAME="localhost")
    run(rolled.pk, 1)
    answer = browser.get(ADDRESS)
    assert "1 update" in answer.context["plan_summary"]
    assert rows(answer)["b"]["held_back"] == 0
    run(rolled.pk, 60)
    assert browser.get(ADDRESS).context["plan_summary"] == "nothing to do; 1 pod is held back by partitions"


def test_updated_pods_are_counted_of_those_asked_for(browser, rolled):
    counts = [one[1] for one in told(browser.get(ADDRESS)) if " updated" in one[1]]
    assert counts
    assert all(" of 8 pods updated" in text for text in counts)
    assert any(text.endswith("of them there") for text in counts)


def test_pods_that_would_go_are_named_with_their_nodes(browser, rolled):
    answer = browser.get(ADDRESS, {"replicas": "6"})
    there = {one["name"]: one["node"] for one in answer.context["pods"]}
    lost = [line for one in answer.context["groups"] for line in one.lines if line.op == "del"]
    assert len(lost) == 2
    assert all(line.note == f"on {there[line.name]}, would go" for line in lost)


def test_the_history_keeps_the_node_of_a_pod_that_went(browser, rolled):
    moments = [line["moment"] for line in browser.get(ADDRESS).context["moments"]]
    came = {pod.name: pod.node for one in moments for pod in one.made}
    went = {pod.name: pod.node for one in moments for pod in one.gone}
    assert len(went) == 5
    assert all(went.values())
    assert went == {name: came[name] for name in went}


def test_pods_beyond_the_first_can_be_read_in_full(browser):
    cluster = made("a", replicas=9)
    run(cluster.pk, 12)
    answer = browser.get(ADDRESS)
    (line,) = [one for one in answer.context["moments"] if one["more_made"]]
    page = answer.content.decode()
    assert "3 more came</summary>" in page
    assert all(f"{pod.name}</a> on <a" in page for pod in line["more_made"])


def test_the_board_of_a_cluster_without_pods_tells_who_will_make_them(browser):
    cluster = made(replicas=8)
    assert browser.get("/c/demo/").context["makers"] == [{"name": "default/ud", "pods": 8, "href": ADDRESS}]
    run(cluster.pk, 12)
    assert browser.get("/c/demo/").context["makers"] == []
