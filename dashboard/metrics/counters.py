"""What has happened so far: the fold's tally, as it lies beside the head of each log."""

from collections import Counter
from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, Metric

from dashboard.metrics.families import Numbers, family_of, histogram_of
from dashboard.metrics.gauges import QUEUES
from scheduler.engine.queue.entry import GATED
from scheduler.engine.simulation.moves import POP_FROM_BACKOFF
from scheduler.engine.simulation.tally import TallyData

INCOMING = {**QUEUES, GATED: "unschedulable"}  # kube-scheduler counts a gated pod's coming as one to unschedulable
TRIES, VICTIMS = (1, 2, 4, 8, 16), (1, 2, 4, 8, 16, 32, 64)


def counters(told: dict[str, TallyData]) -> Iterator[Metric]:
    incoming: Numbers = Counter()
    attempts: Numbers = Counter()
    for name, one in told.items():
        for source, target, cause, _, count in one.moves:
            if queue := _incoming(source, target, cause):
                incoming[name, queue, cause] += count
        for result, profile, count in one.attempts:
            attempts[name, result, profile] += count
    help_text = "Number of pods added to scheduling queues by event and queue type."
    yield family_of(CounterMetricFamily, "scheduler_queue_incoming_pods", help_text, ("queue", "event"), incoming)
    help_text = "Number of attempts to schedule pods, by the result."
    yield family_of(CounterMetricFamily, "scheduler_schedule_attempts", help_text, ("result", "profile"), attempts)
    help_text = "Total preemption attempts in the cluster till now"
    preemptions: Numbers = {(name,): one.preemptions for name, one in told.items()}
    yield family_of(CounterMetricFamily, "scheduler_preemption_attempts", help_text, (), preemptions)


def _incoming(source: str, target: str, cause: str) -> str:
    """The queue that the move counts for; "" if none. A pod that Pop takes early is counted as passing activeQ."""
    if cause == POP_FROM_BACKOFF:
        return "active"
    queue = INCOMING.get(target, "")
    return "" if queue == INCOMING.get(source) else queue


def histograms(told: dict[str, TallyData]) -> Iterator[Metric]:
    help_text = "Number of selected preemption victims"
    victims = {name: one.victims for name, one in told.items()}
    yield histogram_of("scheduler_preemption_victims", help_text, VICTIMS, victims)
    help_text = "Number of attempts to successfully schedule a pod."
    tries = {name: one.tries for name, one in told.items()}
    yield histogram_of("scheduler_pod_scheduling_attempts", help_text, TRIES, tries)
