"""What a Prometheus server reads: kube-scheduler's metrics, by its names where the meaning is the same, by cluster.

Counters lie beside the head of each log, gauges are counts over indexed columns. So a scrape costs a handful of
queries, however long the logs are. Source of names: v1.34.1, metrics/metrics.go.
"""

from collections.abc import Iterator

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from dashboard.metrics.counters import counters, histograms
from dashboard.metrics.families import Numbers, family_of
from dashboard.metrics.gauges import gauges
from scheduler.engine.simulation.tally import TallyData
from scheduler.models import Cluster


def exposition() -> bytes:
    """All metrics of all clusters in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(ClusterMetrics())
    return generate_latest(registry)


class ClusterMetrics:
    """A collector: reads the tables when it is asked, keeps nothing."""

    def collect(self) -> Iterator[Metric]:
        clusters = list(Cluster.objects.only("name", "seq", "now_us", "start_us", "wanted", "tally"))
        told = {cluster.name: msgspec.convert(cluster.tally or [], TallyData) for cluster in clusters}
        yield from counters(told)
        yield from histograms(told)
        yield from gauges({cluster.pk: cluster.name for cluster in clusters})
        yield from _own(clusters)


def _own(clusters: list[Cluster]) -> Iterator[Metric]:
    """What only Podium has: a log, and a clock of its own."""
    events: Numbers = {(one.name,): one.seq for one in clusters}
    yield family_of(CounterMetricFamily, "podium_events", "Events in the cluster's log.", (), events)
    clocks = GaugeMetricFamily(
        "podium_virtual_time_seconds", "Virtual time since the cluster began.", labels=("cluster",)
    )
    running = GaugeMetricFamily(
        "podium_running", "1 while a runner is asked to drive the cluster.", labels=("cluster",)
    )
    for one in clusters:
        clocks.add_metric((one.name,), (one.now_us - one.start_us) / 1_000_000)
        running.add_metric((one.name,), one.wanted == Cluster.Wanted.RUNNING)
    yield from (clocks, running)
