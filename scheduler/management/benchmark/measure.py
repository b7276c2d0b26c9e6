"""One measurement: a cluster is set up, then the clock runs until the last waiting pod is bound."""

import resource
from dataclasses import dataclass
from time import perf_counter_ns

import numpy as np

from scheduler.engine.commands import AddObject, AdvanceToNextTimer, Schedule
from scheduler.engine.events import CycleFinished, Event, ObjectDeleted
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.words import count
from scheduler.management.benchmark.workloads import Manifest, Size, Workload
from scheduler.management.benchmark.yardstick import yardstick_us

START_US = 1_735_689_600_000_000
SEED = 1
FRUITLESS = 3


class StuckError(ValueError):
    """Some pods will never be bound."""


@dataclass(frozen=True)
class Figures:
    """`p50_us` and `p99_us`: of one attempt. `peak_rss_mib`: of the process so far, setting up included."""

    pods_per_second: float
    p50_us: float
    p99_us: float
    peak_rss_mib: float
    yardstick_us: float


def measure(workload: Workload, size: Size, percentage: int) -> Figures:
    """The yardstick is timed right before and right after, and the better of the two counts. Raises StuckError."""
    simulation = set_up(workload, size, percentage)
    before = yardstick_us()
    begun = perf_counter_ns()
    attempts = run(simulation, size.pods)
    seconds = (perf_counter_ns() - begun) / 1e9
    p50, p99 = np.percentile(np.array(attempts) / 1000, (50, 99))
    return Figures(
        round(size.pods / seconds, 1),
        round(float(p50), 1),
        round(float(p99), 1),
        round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        round(min(before, yardstick_us()), 2),
    )


def set_up(workload: Workload, size: Size, percentage: int) -> Simulation:
    """All nodes, the pods that are bound already, and all waiting pods, in this order.

    The scheduler's cache is filled then, as that of kube-scheduler is before its loop begins.
    """
    configuration: Manifest = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "percentageOfNodesToScore": percentage,
    }
    simulation, _ = Simulation.create("benchmark", SEED, START_US, configuration)
    for manifest in workload.manifests(size):
        simulation.handle(AddObject(manifest["kind"], manifest))
    simulation.cluster.snapshot()
    return simulation


def run(simulation: Simulation, pods: int) -> list[int]:
    """Nanoseconds of each attempt until so many pods have been bound. Raises StuckError."""
    attempts: list[int] = []
    schedule, bound, fruitless = Schedule(), 0, 0
    while bound < pods:
        begun = perf_counter_ns()
        events = simulation.handle(schedule)
        attempts.append(perf_counter_ns() - begun)
        more = _bound(events)
        bound += more
        fruitless = 0 if more or _makes_room(events) else fruitless + 1
        waits = bool(events) or bool(simulation.handle(AdvanceToNextTimer()))
        if not waits or fruitless > FRUITLESS * pods:
            raise StuckError(f"{pods - bound} of {count(pods, 'pod')} found no node")
    return attempts


def _bound(events: list[Event]) -> int:
    finished = (event.happening for event in events if isinstance(event.happening, CycleFinished))
    return sum(happening.decision["outcome"] == "bound" for happening in finished)


def _makes_room(events: list[Event]) -> bool:
    return any(isinstance(event.happening, ObjectDeleted) for event in events)
