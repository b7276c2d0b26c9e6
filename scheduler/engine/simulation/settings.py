"""Clock and queue settings of a cluster, which no KubeSchedulerConfiguration has a place for."""

from __future__ import annotations

import msgspec

SECOND_US = 1_000_000


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Durations in virtual µs. The defaults are kube-scheduler v1.34.1's; a period of 0 switches its job off.

    `queueing_hints` off is the scheduler of the articles: any event of the cluster wakes every unschedulable pod.
    `single_backoff_queue`: pods that failed with an error wait among the others, as before v1.33. Backoff bounds are
    part of the KubeSchedulerConfiguration (`podInitialBackoffSeconds`, `podMaxBackoffSeconds`).
    `fulfilled_nominations_wake`: a nominated pod that is bound is also seen to leave the queue, which wakes pods of at
    most its priority, as in a live scheduler. The reference vectors were made without that.
    `draw_nominations`: of nodes that preemption cannot tell apart one is drawn, instead of the first by name.
    `draw_at_each_tie`: the node is chosen by a reservoir over the list, which draws at each tie, instead of by one draw
    among the best; both give each of them the same chance.
    `collect_score_errors`: an algorithm that fails on a node, or in its reduce, is written down while the others go on,
    and all such errors are reported together; off, the first one ends the attempt.
    `controllers`: workloads make, keep and delete their pods. A controller looks `controller_us` after a change;
    a pod that it owns is ready `ready_us` after it was bound.
    """

    cycle_us: int = 10_000
    pop_from_backoff: bool = True
    queueing_hints: bool = True
    async_preemption: bool = True
    single_backoff_queue: bool = False
    fulfilled_nominations_wake: bool = True
    draw_nominations: bool = False
    draw_at_each_tie: bool = False
    collect_score_errors: bool = False
    backoff_flush_us: int = SECOND_US
    leftover_flush_us: int = 30 * SECOND_US
    max_unschedulable_us: int = 300 * SECOND_US
    controllers: bool = False
    controller_us: int = 100_000
    ready_us: int = SECOND_US


CLASSIC = Settings(
    pop_from_backoff=False,
    queueing_hints=False,
    async_preemption=False,
    single_backoff_queue=True,
    draw_at_each_tie=True,
    collect_score_errors=True,
)
"""The queue as the articles describe it (about v1.14 to v1.17); they also wait for 60 s at most."""

PRESETS: dict[str, tuple[Settings, dict[str, int]]] = {
    "v1.34": (Settings(), {}),
    "classic": (CLASSIC, {"podMaxBackoffSeconds": 60}),
}
"""By name: settings, and what to set in the KubeSchedulerConfiguration."""


def with_controllers(settings: Settings, of: Settings) -> Settings:
    """Presets are about the scheduler: controllers stay as they are in `of`."""
    kept = {name: getattr(of, name) for name in ("controllers", "controller_us", "ready_us")}
    return msgspec.structs.replace(settings, **kept)
