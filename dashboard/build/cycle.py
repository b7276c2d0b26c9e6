"""A cycle as the board and its own page show it, put together from an attempt that was computed again."""

from dashboard.build.attempt import Attempt
from dashboard.build.filters import funnel, refusals, winner
from dashboard.build.phases import LOST, ONLY_ONE, algorithms, phases, tasks
from dashboard.build.podium import podium
from dashboard.build.preemption import preemption
from dashboard.build.scores import Scores, found_rows, score_rows
from dashboard.build.sentence import sentence
from dashboard.payloads.cycle import CycleView, ScoreRows, Tie
from scheduler.engine.cluster.node_tree import zone_of
from scheduler.engine.cycle.decision import LISTED_TIES
from scheduler.engine.cycle.phases import PHASES
from scheduler.engine.explain.sentence import failures


def cycle_view(made: Attempt) -> CycleView:
    view, tried = _view(made), preemption(made)
    if tried is not None:
        view["preemption"] = tried
    return view


def _view(made: Attempt) -> CycleView:
    cycle, record = made.cycle, made.record
    zones = [zone_of(cycle.snapshot.columns.nodes[row]) for row in cycle.feasible.tolist()]
    knows_filter = made.shows("Filter")
    return {
        "number": record.number,
        "pod": record.pod,
        "attempt": record.attempt,
        "popped_seq": record.popped_seq,
        "popped_us": record.popped_us,
        "finished_seq": record.finished_seq,
        "outcome": record.outcome,
        "sentence": sentence(made),
        "phase": PHASES[made.reached],
        "phases": phases(made),
        "algorithms": algorithms(made),
        "rows": rows(made, zones),
        "node_count": len(cycle.snapshot),
        "evaluated": made.trace.diagnosis.evaluated if knows_filter else 0,
        "feasible": len(cycle.feasible) if knows_filter else 0,
        "lost": made.lost,
        "scoring_skipped": LOST if made.lost else ONLY_ONE if knows_filter and len(cycle.feasible) == 1 else "",
        "score_failures": failures(made.errors) if made.errors else "",
        "winner": winner(made),
        "tie": tie(made),
        "podium": podium(made, zones),
        "refusals": refusals(made),
        "funnel": funnel(made),
        "tasks": tasks(made),
        "message": message(made),
        "unschedulable_plugins": list(record.decision.unschedulable_plugins) if record.decision else [],
        "note": made.report.get("note", ""),
    }


def rows(made: Attempt, zones: list[str]) -> ScoreRows:
    return score_rows(scores_of(made, zones))


def rows_found(made: Attempt, search: str, limit: int) -> ScoreRows:
    """The rows of single nodes, wherever they stand: of many, the page of a cycle has the best alone."""
    zones = [zone_of(made.cycle.snapshot.columns.nodes[row]) for row in made.cycle.feasible.tolist()]
    return found_rows(scores_of(made, zones), search, limit)


def scores_of(made: Attempt, zones: list[str]) -> Scores:
    """Layer by layer as far as it is shown; every algorithm's row is None before."""
    empty = [None] * len(made.names)
    scored, scores = made.scored, made.scores
    if made.cycle.error and not scored and not made.lost:
        return Scores([], [], empty, empty, empty, failed=[{}] * len(empty))
    return Scores(
        made.feasible_names,
        zones,
        made.layer(made.raw) if scored and made.shows("Map") else empty,
        made.layer(made.normalized) if scored and made.shows("Reduce") else empty,
        made.layer(made.normalized, weighted=True) if scored and made.shows("Reduce") else empty,
        scores.totals if scores is not None else None,
        scores.winner if scores is not None and made.shows("Select") else None,
        [made.errors.cells.get(name, {}) for name in made.names],
    )


def tie(made: Attempt) -> Tie | None:
    scores = made.scores
    if scores is None or len(scores.tied) < 2 or not made.shows("Select"):
        return None
    listed = [made.feasible_names[place] for place in scores.tied[:LISTED_TIES].tolist()]
    return {"nodes": listed, "count": len(scores.tied), "drawn": scores.drawn, "seed": made.cycle.seed}


def message(made: Attempt) -> str:
    """What `kubectl describe` would show, once the cycle is over."""
    decision = made.record.decision
    if decision is None:
        return ""
    if decision.outcome == "bound":
        return f"Successfully assigned {made.record.pod} to {decision.node}"
    return decision.message
