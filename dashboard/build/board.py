"""The whole board at one event, now or then. What is the same for everybody is built once and shared."""

from typing import Any, Literal, NamedTuple

from dashboard.build.awaited import awaited
from dashboard.build.foreign import SCHEDULERS, foreign_pods
from dashboard.build.kept import Kept
from dashboard.build.lanes import lanes
from dashboard.build.marks import marks
from dashboard.build.present import present_us
from dashboard.build.source import newest
from dashboard.build.tile_rows import Marks
from dashboard.build.tiles import cluster_view
from dashboard.payloads.board import BoardState
from dashboard.payloads.cluster import ClusterState, Foreign, Until
from dashboard.payloads.cycle import CycleView
from dashboard.payloads.map import ClusterView
from dashboard.payloads.queue import Lane
from scheduler import execution, store
from scheduler.engine.simulation.simulation import Simulation
from scheduler.models import Cluster
from scheduler.runner.pace import waiting_rate
from scheduler.runner.slices import can_schedule

KEPT = 6


class Picture(NamedTuple):
    """What the log alone decides. Shared between requests: read only."""

    seq: int
    now_us: int
    next_timer_us: int | None
    waits: bool
    profiles: list[str]
    pod_count: int
    foreign: list[Foreign]
    lanes: list[Lane]
    cycle: CycleView | None
    map: ClusterView


_kept: Kept[tuple[Any, ...], Picture] = Kept(KEPT)


def picture(cluster: Cluster, seq: int) -> Picture:
    """The state at `seq` as it is drawn. Raises LookupError for a seq that is not in the log."""
    if found := kept(cluster, seq):
        return found
    cycle = newest(cluster, seq)  # before the state itself: folding forward is cheap, going back is not
    with store.reading(cluster.pk, seq) as simulation:
        found = _draw(simulation, cluster.pk, cycle.view if cycle else None, cycle.marks if cycle else Marks())
    return _kept.put((cluster.pk, cluster.created, seq), found)


def kept(cluster: Cluster, seq: int) -> Picture | None:
    """The picture if it was drawn lately."""
    return _kept.get((cluster.pk, cluster.created, seq))


def _draw(simulation: Simulation, cluster_id: int, cycle: CycleView | None, on_tiles: Marks) -> Picture:
    return Picture(
        simulation.seq,
        simulation.now_us,
        simulation.next_timer_us,
        not can_schedule(simulation),
        [profile.scheduler_name for profile in simulation.profiles],
        len(simulation.pods),
        foreign_pods(simulation),
        lanes(simulation, cluster_id),
        cycle,
        cluster_view(simulation, cluster_id, on_tiles),
    )


def board_state(cluster: Cluster, at: int | None = None, *, can_write: bool = False) -> BoardState:
    """`cluster` as read from the database; `at`: an earlier event to show instead of its head."""
    seen = picture(cluster, cluster.seq if at is None else at)
    return {
        "cluster": cluster_state(cluster, seen, can_write=can_write and at is None),
        "lanes": seen.lanes,
        "cycle": seen.cycle,
        "map": seen.map,
        "marks": marks(cluster.pk, cluster.seq),
    }


def cluster_state(cluster: Cluster, seen: Picture, *, can_write: bool = False) -> ClusterState:
    """The frame: clock, run state and counts. Run state is the cluster's present one also in the past."""
    until = awaited(cluster) if seen.seq == cluster.seq else []
    return {
        "name": cluster.name,
        "seq": seen.seq,
        "head_seq": cluster.seq,
        "now_us": present_us(cluster, seen.now_us) if seen.seq == cluster.seq else seen.now_us,
        "start_us": cluster.start_us,
        "next_timer_us": seen.next_timer_us,
        "wanted": "running" if cluster.wanted == Cluster.Wanted.RUNNING else "paused",
        "wanted_reason": cluster.wanted_reason,
        "until": until,
        "speed": cluster.speed,
        "rate": _rate(cluster.speed, seen, until),
        "profiles": seen.profiles,
        "node_count": seen.map["node_count"],
        "pod_count": seen.pod_count,
        "pods_foreign": sum(one["count"] for one in seen.foreign),
        "foreign": seen.foreign[:SCHEDULERS],
        "can_write": can_write,
        "executor": _executor(cluster.pk, seen),
    }


def _rate(speed: float, seen: Picture, until: list[Until]) -> float:
    """As the runner has it: of the state alone, so that it is known before the runner has taken up a wish."""
    moments = [seen.next_timer_us, *(one["at_us"] for one in until)]
    due_us = min((at_us for at_us in moments if at_us is not None), default=None)
    return waiting_rate(speed, seen.now_us, due_us) if seen.waits else speed


def _executor(cluster_id: int, seen: Picture) -> Literal["celery", "in_process"]:
    """Who ran the last map and reduce; where no cycle ran yet, who would."""
    report = execution.report_of(cluster_id, seen.cycle["number"]) if seen.cycle else None
    return report["executor"] if report else execution.executor_now()
