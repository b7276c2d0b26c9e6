"""One metric of every cluster as prometheus_client wants it."""

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

Numbers = dict[tuple[str, ...], int]
"""By the cluster's name and the values of the other labels."""


def family_of(
    kind: type[CounterMetricFamily] | type[GaugeMetricFamily],
    name: str,
    documentation: str,
    labels: tuple[str, ...],
    numbers: Numbers,
) -> Metric:
    family = kind(name, documentation, labels=("cluster", *labels))
    for values, number in sorted(numbers.items()):
        family.add_metric(values, number)
    return family


def histogram_of(
    name: str, documentation: str, bounds: tuple[int, ...], told: dict[str, list[tuple[int, int]]]
) -> HistogramMetricFamily:
    """`told`: by cluster, how often each value was observed."""
    family = HistogramMetricFamily(name, documentation, labels=("cluster",))
    for cluster, observed in sorted(told.items()):
        buckets = [(str(float(bound)), sum(count for value, count in observed if value <= bound)) for bound in bounds]
        whole = sum(count for _, count in observed)
        family.add_metric((cluster,), [*buckets, ("+Inf", whole)], sum(value * count for value, count in observed))
    return family
