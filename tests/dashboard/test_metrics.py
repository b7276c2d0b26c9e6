"""What Prometheus reads: kube-scheduler's names, counted exactly, cheaply, and not for everybody."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from prometheus_client.parser import text_string_to_metric_families

from dashboard.metrics import exposition
from scheduler import services
from scheduler.models import Cluster
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db

TWO = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [{"schedulerName": "default-scheduler"}, {"schedulerName": "batch"}],
}


def samples() -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    families = text_string_to_metric_families(exposition().decode())
    return {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}


def value(name: str, **labels: str) -> float | None:
    return samples().get((name, frozenset({"cluster": "demo", **labels}.items())))


def labelled(name: str) -> dict[tuple[str, ...], float]:
    found = {}
    for (sample, labels), number in samples().items():
        if sample == name:
            found[tuple(sorted(text for label, text in labels if label != "cluster"))] = number
    return found


@pytest.fixture
def cluster() -> Cluster:
    """`big` is refused once and bound at its second attempt; `huge` is refused for good; one pod is gated."""
    gates = [{"name": "example.org/hold"}]
    pods = [
        a_pod("big", cpu="8", priority=9),
        a_pod("huge", cpu="99", priority=8),
        a_pod("held", schedulingGates=gates),
    ]
    cluster = a_cluster(nodes=2, pods=1, bound=1, name="demo", more=pods)
    for _ in range(2):
        services.cycle_step(cluster.pk)
    services.objects_apply(cluster.pk, [a_node("large", cpu="16")])
    for _ in range(2):
        services.cycle_step(cluster.pk)
    return cluster


def test_waiting_pods_by_queue_with_empty_queues_as_zero(cluster):
    assert labelled("scheduler_pending_pods") == {
        ("active",): 0,
        ("backoff",): 0,
        ("unschedulable",): 1,
        ("gated",): 1,
    }


def test_pods_that_came_to_a_queue_by_event(cluster):
    assert labelled("scheduler_queue_incoming_pods_total") == {
        ("UnschedulablePodAdd", "active"): 3,
        ("UnschedulablePodAdd", "unschedulable"): 1,
        ("ScheduleAttemptFailure", "unschedulable"): 2,
        ("NodeAdd", "backoff"): 1,
        ("PopFromBackoffQ", "active"): 1,
    }


def test_attempts_by_result_and_how_many_a_bound_pod_took(cluster):
    assert labelled("scheduler_schedule_attempts_total") == {
        ("default-scheduler", "scheduled"): 2,
        ("default-scheduler", "unschedulable"): 2,
    }
    assert value("scheduler_pod_scheduling_attempts_bucket", le="1.0") == 1
    assert value("scheduler_pod_scheduling_attempts_bucket", le="2.0") == 2
    assert value("scheduler_pod_scheduling_attempts_bucket", le="+Inf") == 2
    assert value("scheduler_pod_scheduling_attempts_count") == 2
    assert value("scheduler_pod_scheduling_attempts_sum") == 3


def test_preemption(cluster):
    assert value("scheduler_preemption_attempts_total") == 2
    assert value("scheduler_preemption_victims_count") == 0
    services.objects_apply(cluster.pk, [a_pod("vip", cpu="15", priority=100)])
    services.cycle_step(cluster.pk)
    assert value("scheduler_preemption_attempts_total") == 3
    assert value("scheduler_preemption_victims_count") == 1
    assert value("scheduler_preemption_victims_bucket", le="1.0") == 1


def test_waiting_pods_by_the_plugin_that_refused_or_holds_them(cluster):
    assert labelled("scheduler_unschedulable_pods") == {
        ("NodeResourcesFit", "default-scheduler"): 1,
        ("SchedulingGates", "default-scheduler"): 1,
    }


def test_with_several_profiles_each_pod_counts_for_its_own():
    pods = [
        a_pod("a", cpu="99"),
        a_pod("b", cpu="99", schedulerName="batch"),
        a_pod("c", cpu="99", schedulerName="batch"),
    ]
    cluster = a_cluster(nodes=1, pods=0, bound=0, name="demo", more=pods, configuration=TWO)
    for _ in range(3):
        services.cycle_step(cluster.pk)
    assert labelled("scheduler_unschedulable_pods") == {
        ("NodeResourcesFit", "batch"): 2,
        ("NodeResourcesFit", "default-scheduler"): 1,
    }
    assert labelled("scheduler_schedule_attempts_total")[("batch", "unschedulable")] == 2


def test_the_cache_the_log_and_the_clock(cluster):
    cluster.refresh_from_db()
    assert labelled("scheduler_cache_size") == {("nodes",): 3, ("pods",): 3}
    assert value("podium_events_total") == cluster.seq
    assert value("podium_virtual_time_seconds") == (cluster.now_us - cluster.start_us) / 1_000_000
    assert value("podium_running") == 0


def test_clusters_stand_side_by_side(cluster):
    a_cluster(nodes=1, pods=2, bound=0, name="other")
    clusters = {dict(labels)["cluster"] for _, labels in samples()}
    assert clusters == {"demo", "other"}


def test_a_scrape_costs_the_same_few_queries_however_much_there_is(cluster):
    with CaptureQueriesContext(connection) as few:
        exposition()
    for number in range(3):
        a_cluster(nodes=2, pods=6, bound=3, name=f"more-{number}")
    with CaptureQueriesContext(connection) as many:
        exposition()
    assert len(few) == len(many) <= 7
    assert not any("scheduler_event" in query["sql"] for query in many.captured_queries)


def test_a_cluster_without_counters_yet_is_no_fault(cluster):
    Cluster.objects.filter(pk=cluster.pk).update(tally={})
    assert value("scheduler_preemption_attempts_total") == 0


# --- who may scrape ---------------------------------------------------------------------------------------------------


def test_on_this_machine_everybody_may(cluster):
    answer = Client(SERVER_NAME="localhost").get("/metrics")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=")


@pytest.mark.parametrize(
    ("token", "shown", "status"),
    [
        pytest.param("", None, 401, id="no token is set"),
        pytest.param("", "Bearer ", 401, id="an empty one is shown, none is set"),
        pytest.param("secret", None, 401, id="none is shown"),
        pytest.param("secret", "Bearer wrong", 401, id="a wrong one"),
        pytest.param("secret", "Basic secret", 401, id="another scheme"),
        pytest.param("secret", "Bearer secret", 200, id="the right one"),
    ],
)
def test_from_elsewhere_the_token_decides(settings, cluster, token, shown, status):
    settings.ALLOWED_HOSTS, settings.HOST = ["podium.test"], "0.0.0.0"
    settings.PODIUM_METRICS_TOKEN = token
    headers = {} if shown is None else {"authorization": shown}
    answer = Client(SERVER_NAME="podium.test").get("/metrics", headers=headers)
    assert answer.status_code == status
    assert (b"scheduler_pending_pods" in answer.content) == (status == 200)


def test_nothing_can_be_posted(cluster):
    assert Client(SERVER_NAME="localhost").post("/metrics").status_code == 405
