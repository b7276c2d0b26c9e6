"""PreScore: every algorithm is asked once more, now that the feasible nodes are known; some leave their row out.

Source: kube-scheduler v1.34.1 framework/runtime/framework.go, RunPreScorePlugins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.cycle.prepared import Scoring
from scheduler.engine.cycle.unprepared import scores_without
from scheduler.engine.framework import Code

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


def prepare_scoring(cycle: Cycle) -> Scoring | None:
    """What map and reduce need; None where an algorithm failed. Raises PluginError."""
    cycle.skipped_scores += cycle.asked.no_score
    if not _all_asked(cycle):
        return None
    scorers = cycle.line_up.scorers(cycle.pod, cycle.asked, tuple(cycle.skipped_scores)).plugins
    snapshot, instead = cycle.snapshot, scores_without(cycle, scorers)
    images = snapshot.images.by_name
    return Scoring(cycle.pod, snapshot.columns, cycle.feasible, scorers, cycle.state, len(snapshot), images, instead)


def _all_asked(cycle: Cycle) -> bool:
    for plugin in cycle.asked.pre_scores:
        status = plugin.pre_score(cycle)
        if status.code is Code.SKIP:
            cycle.skipped_scores.append(plugin.name)
        elif not status.is_success:
            cycle.fail("PreScore", f'running PreScore plugin "{plugin.name}": {status.message}')
            return False
    return True
