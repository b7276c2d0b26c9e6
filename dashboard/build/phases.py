"""The phase strip and the columns' heads: what is done, what was skipped, what failed, and how long it took."""

from dashboard.build.attempt import Attempt
from dashboard.payloads.cycle import Algorithm, AlgorithmState, Phase, PhaseState, Task
from scheduler.engine import plugins as known
from scheduler.engine.cycle.phases import PHASES, REFUSED_PHASES
from scheduler.engine.words import count

SCORING = ("PreScore", "Map", "Reduce", "Sum")
SHORT = {
    "TaintToleration": "TaintTol",
    "NodeAffinity": "NodeAff",
    "NodeResourcesFit": "Fit",
    "NodeResourcesBalancedAllocation": "Balanced",
    "ImageLocality": "Image",
    "PodTopologySpread": "Spread",
    "InterPodAffinity": "PodAff",
    "VolumeBinding": "VolBind",
}
LOST = "the numbers of this cycle cannot be computed any more"
ONLY_ONE = "only one node passed the filters, so nothing was scored"


def short_name(algorithm: str) -> str:
    """For narrow columns, which cut what is still too long."""
    plugin = known.registry().get(algorithm)
    return SHORT.get(algorithm) or (plugin.short if plugin else "") or algorithm


def phases(made: Attempt) -> list[Phase]:
    failed = failing_phase(made)
    names = REFUSED_PHASES if _fits_nowhere(made) else PHASES
    return [_phase(made, name, failed) for name in names]


def _phase(made: Attempt, name: str, failed: str) -> Phase:
    state, note = _state(made, name, failed)
    took = made.report.get("phases", {}).get(name) if state in ("done", "fail") else None
    return {"name": name, "state": state, "ms": took, "note": note or _note(made, name, state)}


def _state(made: Attempt, name: str, failed: str) -> tuple[PhaseState, str]:
    if name == "PostFilter":
        return _post_filter(made)
    if not made.shows(name):
        return "idle", ""
    if failed and name == failed:
        return "fail", ""
    if failed and PHASES.index(name) > PHASES.index(failed):
        return "skip", ""
    if said := _failures(made, name):
        return "fail", said
    if name in SCORING and not made.scored and not failed:
        return "skip", ONLY_ONE if name == "PreScore" and len(made.cycle.feasible) == 1 else ""
    return "done", ""


def _failures(made: Attempt, name: str) -> str:
    """How much of Map or Reduce failed while the rest went on, "" if nothing."""
    cells, reduced = made.errors.cell_count, len(made.errors.rows)
    failed = {"Map": cells, "Reduce": reduced}.get(name, 0)
    return f"{failed} failed" if failed else ""


def failing_phase(made: Attempt) -> str:
    """The phase at which this attempt ended badly, as far as it is shown."""
    cycle = made.cycle
    if made.lost:
        return ""
    if cycle.error:
        return cycle.failed_phase if cycle.failed_phase in PHASES else "Filter"
    if not cycle.pre_filter_status.is_success:
        return "PreFilter"
    return "Filter" if made.shows("Filter") and not len(cycle.feasible) else ""


def _fits_nowhere(made: Attempt) -> bool:
    if made.cycle.error or not made.shows("PreFilter"):
        return False
    return failing_phase(made) in ("PreFilter", "Filter")


def _post_filter(made: Attempt) -> tuple[PhaseState, str]:
    if made.is_open:
        return "idle", ""
    result = made.cycle.post_filter_result
    if result is None:
        return "skip", ""
    if result.nominated_node:
        return "done", f"{count(len(result.victims), 'victim')} on {result.nominated_node}"
    return "fail", "found no way"


def _note(made: Attempt, name: str, state: PhaseState) -> str:
    cycle = made.cycle
    if name == "Filter" and state in ("done", "fail") and not made.lost and cycle.failed_phase != "Filter":
        return f"{len(cycle.feasible)} of {count(cycle_nodes(made), 'node')}"
    tasks = [task for task in made.report.get("tasks", []) if task["kind"] == name.lower()]
    if name in ("Map", "Reduce") and state == "done" and tasks:
        return f"{len(tasks)} of {len(tasks)}"
    return ""


def cycle_nodes(made: Attempt) -> int:
    return len(made.cycle.snapshot)


def algorithms(made: Attempt) -> list[Algorithm]:
    reducers = {task["label"]: task["worker"] for task in made.report.get("tasks", []) if task["kind"] == "reduce"}
    plugins = {plugin.name: plugin for plugin in made.scorers}
    columns: list[Algorithm] = []
    for name in made.names:
        plugin = plugins.get(name)
        normalizes = plugin is not None and plugin.implements("normalize")
        columns.append(
            {
                "name": name,
                "short": short_name(name),
                "weight": made.weight(name),
                "lower_is_better": plugin is not None and plugin.lower_is_better,
                "whole_list": plugin is None or plugin.whole_list,
                "error": made.errors.rows.get(name, ""),
                "state": _column_state(made, name, normalizes),
                "worker": reducers.get(name, "") if made.shows("Reduce") else "",
            }
        )
    return columns


def _column_state(made: Attempt, name: str, normalizes: bool) -> AlgorithmState:
    if not made.shows("PreScore"):
        return "waiting"
    if not made.scored:
        return "not_scored"
    if name in made.cycle.skipped_scores:
        return "skip"
    if not made.shows("Map"):
        return "waiting"
    if not made.shows("Reduce"):
        return "raw"
    if name in made.errors.rows:
        return "fail"
    return "set" if normalizes else "as_is"


def tasks(made: Attempt) -> list[Task]:
    """The timings of what is shown."""
    kinds = {"map": "Map", "reduce": "Reduce"}
    shown = [task for task in made.report.get("tasks", []) if _task_phase(task, kinds) in PHASES]
    return [task for task in shown if made.shows(_task_phase(task, kinds))]


def _task_phase(task: Task, kinds: dict[str, str]) -> str:
    return kinds.get(task["kind"], task["label"])
