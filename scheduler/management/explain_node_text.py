"""What `explain --node` tells of one node: every filter with its steps, every score from layer to layer."""

from collections.abc import Iterable, Iterator

from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.explain.filters import FilterCell, explain_filters
from scheduler.engine.explain.steps import explain_cell
from scheduler.engine.explain.wording import lines
from scheduler.engine.framework import Code, Step
from scheduler.management.text import aligned, section

INDENT = "      "


def node_told(cycle: Cycle, node: str) -> list[str]:
    """The lines of one node of the cluster."""
    row = cycle.snapshot.row_of[node]
    blocks = section(f"Filters on {node}, step by step", _filters(explain_filters(cycle, row)))
    return blocks + section(f"Scores of {node}, step by step", _scores(cycle, row))


def _filters(cells: Iterable[FilterCell]) -> Iterator[str]:
    skipped = []
    for cell in cells:
        if cell.status.code is Code.SKIP:
            skipped.append(cell.plugin)
            continue
        counted = f" (counting {', '.join(cell.nominated)}, nominated here)" if cell.nominated else ""
        yield f"  {cell.plugin}: {'; '.join(cell.status.reasons) or 'passes'}{counted}"
        yield from _ledger(step for step in cell.steps if step.name != "verdict")
    if skipped:
        yield f"  Not asked for this pod: {', '.join(skipped)}."


def _scores(cycle: Cycle, row: int) -> Iterator[str]:
    scores = cycle.trace.scores
    if scores is None or row not in cycle.feasible:
        return
    for name in scores.raw:
        layers = explain_cell(cycle, name, row)
        numbers = [part[-1].result if part else "?" for part in (layers.raw, layers.normalized, layers.weighted)]
        yield f"  {name}: {' → '.join(map(str, numbers))}"
        yield from _ledger((*layers.raw, *layers.normalized, *layers.weighted))


def _ledger(steps: Iterable[Step]) -> list[str]:
    rows = [(line.name, line.text, line.answer, line.note) for line in lines(list(steps))]
    return aligned(rows, indent=INDENT) if rows else []
