"""The best three nodes, algorithm by algorithm."""

import numpy as np

from dashboard.build.attempt import Attempt
from dashboard.build.phases import short_name
from dashboard.build.scores import Scores as Rows
from dashboard.build.scores import ranks, row_order
from dashboard.payloads.cycle import PodiumPlace
from scheduler.engine.cycle.scores import Scores

PLACES = 3


def podium(made: Attempt, zones: list[str]) -> list[PodiumPlace]:
    scores = made.scores
    if scores is None:
        return []
    order = row_order(Rows(made.feasible_names, zones, [], [], [], scores.totals, scores.winner))[:PLACES]
    places = ranks(np.sort(scores.totals)[::-1])[: len(order)].tolist()
    parts = [_parts(made, scores, int(at)) for at in order]
    return [
        {
            "place": place,
            "node": made.feasible_names[at],
            "zone": zones[at],
            "total": int(scores.totals[at]),
            "parts": own,
            "differences": _differences(made.names, own, parts[0]),
        }
        for place, at, own in zip(places, order.tolist(), parts, strict=True)
    ]


def _parts(made: Attempt, scores: Scores, at: int) -> list[int | None]:
    return [int(scores.weighted(name)[at]) if name in scores.normalized else None for name in made.names]


def _differences(names: list[str], own: list[int | None], best: list[int | None]) -> list[dict[str, object]]:
    pairs = zip(names, own, best, strict=True)
    gaps = ((short_name(name), (mine or 0) - (theirs or 0)) for name, mine, theirs in pairs)
    return [{"algorithm": short, "by": gap} for short, gap in gaps if gap]
