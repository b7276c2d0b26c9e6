"""What is so now: counts over indexed columns of the tables."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from django.db.models import Count
from prometheus_client.core import GaugeMetricFamily, Metric

from dashboard.metrics.families import Numbers, family_of
from scheduler.engine.queue.entry import ACTIVE, BACKOFF, ERROR_BACKOFF, GATED, IN_FLIGHT, UNSCHEDULABLE
from scheduler.models import Node, Pod, Profile, QueueEntry

QUEUES = {
    ACTIVE: "active",
    BACKOFF: "backoff",
    ERROR_BACKOFF: "backoff",
    UNSCHEDULABLE: "unschedulable",
    GATED: "gated",
}
DEFAULT_PROFILE = "default-scheduler"


def gauges(names: dict[int, str]) -> Iterator[Metric]:
    pending: Numbers = Counter(
        {(name, queue): 0 for name in names.values() for queue in dict.fromkeys(QUEUES.values())}
    )
    waiting = QueueEntry.objects.exclude(queue=IN_FLIGHT).order_by()
    for cluster, queue, count in waiting.values_list("cluster", "queue").annotate(rows=Count("pk")):
        pending[names[cluster], QUEUES[queue]] += count
    help_text = "Number of pending pods, by the queue type."
    yield family_of(GaugeMetricFamily, "scheduler_pending_pods", help_text, ("queue",), pending)
    refused: Numbers = Counter()
    for cluster, profile, plugins, count in _refusals():
        for plugin in plugins:
            refused[names[cluster], plugin, profile] += count
    help_text = "The number of unschedulable pods broken down by plugin name."
    yield family_of(GaugeMetricFamily, "scheduler_unschedulable_pods", help_text, ("plugin", "profile"), refused)
    cached: Numbers = {}
    for kind, rows in (("nodes", Node.objects.all()), ("pods", Pod.objects.filter(node_name__gt=""))):
        counts = dict(rows.order_by().values_list("cluster").annotate(rows=Count("pk")))
        cached |= {(name, kind): counts.get(cluster, 0) for cluster, name in names.items()}
    help_text = "Number of nodes, and of pods on them, in the scheduler's cache."
    yield family_of(GaugeMetricFamily, "scheduler_cache_size", help_text, ("type",), cached)


def _refusals() -> Iterator[tuple[int, str, list[str], int]]:
    """(cluster, profile, plugins, pods): waiting pods by who refused them. Few differ, so SQL counts."""
    profiles: dict[int, list[str]] = defaultdict(list)
    for cluster, name in Profile.objects.values_list("cluster", "scheduler_name"):
        profiles[cluster].append(name)
    several = [cluster for cluster, own in profiles.items() if len(own) > 1]
    waiting = QueueEntry.objects.exclude(queue=IN_FLIGHT).order_by()
    sets = waiting.exclude(cluster__in=several).values_list("cluster", "unschedulable_plugins", "pending_plugins")
    for cluster, refused, pending, count in sets.annotate(rows=Count("pk")):
        yield cluster, next(iter(profiles[cluster]), DEFAULT_PROFILE), [*refused, *pending], count
    if several:
        yield from _by_pod(several)


def _by_pod(clusters: list[int]) -> Iterator[tuple[int, str, list[str], int]]:
    """Where a cluster has several profiles, each waiting pod says whose it is."""
    pods = Pod.objects.filter(cluster__in=clusters).exclude(queue="")
    columns = pods.values_list("cluster", "namespace", "name", "scheduler_name")
    whose = {(cluster, f"{namespace}/{name}"): profile for cluster, namespace, name, profile in columns}
    waiting = QueueEntry.objects.filter(cluster__in=clusters).exclude(queue=IN_FLIGHT)
    for cluster, key, refused, pending in waiting.values_list(
        "cluster", "pod", "unschedulable_plugins", "pending_plugins"
    ):
        yield cluster, whose.get((cluster, key)) or DEFAULT_PROFILE, [*refused, *pending], 1
