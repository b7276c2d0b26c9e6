"""What `explain` tells people of one pod: a sentence, the reasons, the best three nodes, the three layers of scores."""

from collections.abc import Iterator
from typing import Any

from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.decision import merged
from scheduler.engine.cycle.scores import Scores
from scheduler.engine.explain.lead import ranking
from scheduler.engine.explain.sentence import sentence
from scheduler.engine.words import count
from scheduler.management.explain_node_text import node_told
from scheduler.management.explaining import Explained
from scheduler.management.text import aligned, plain, section, some

PLACES = 3
TIES_TOLD = VICTIMS_TOLD = 5


def told(explained: Explained, node: str = "") -> list[str]:
    """The lines of one pod; with `node` also every step on that node."""
    pod, cycle = explained.pod, explained.cycle
    lines = [*_passed_over(explained)]
    if cycle is None:
        assert explained.held is not None
        why = "; ".join(explained.held.reasons)
        return [*lines, f"{pod.key} is gated and not in the queue yet: {why} ({explained.held.plugin})."]
    lines.append(plain(sentence(cycle, "would go to")))
    if cycle.decision is not None and cycle.decision.message:
        lines += ["", f"kube-scheduler says: {cycle.decision.message}"]
    steps = node_told(cycle, node) if node else []
    return [*lines, *_search(cycle), *_reasons(cycle), *_preemption(cycle), *_choice(cycle), *steps]


def _passed_over(explained: Explained) -> Iterator[str]:
    """Why kube-scheduler never tries this pod, although an attempt can be computed."""
    pod = explained.pod
    if not explained.is_ours:
        name = pod.spec.scheduler_name
        yield f"{pod.key} asks for the scheduler {name}, which is not among the profiles: it waits for ever here."
        yield "What the first profile would do:"
    if pod.is_terminating:
        yield f"{pod.key} is being deleted: kube-scheduler passes it over. What it would do otherwise:"


def _search(cycle: Cycle) -> Iterator[str]:
    decision = cycle.decision
    assert decision is not None
    if decision.evaluated < decision.node_count and not cycle.pre_filter_status.is_rejected:
        yield f"Looked at {decision.evaluated:,} of {count(decision.node_count, 'node')}, from the first on."


def _reasons(cycle: Cycle) -> list[str]:
    refusals = merged(cycle.trace.refusals) if len(cycle.snapshot) else []
    rows = [("nodes", "algorithm", "reason", "which")]
    rows += [(f"{one.count:,}", one.plugin, one.reason, some(one.nodes, one.count)) for one in refusals]
    if len(rows) == 1:
        return []
    title = "Reasons (a node counts at its first failing algorithm, there under every reason)"
    return section(title, aligned(rows, right=(0,)))


def _preemption(cycle: Cycle) -> list[str]:
    if cycle.post_filter_result is None:
        return []
    victims = [victim.key for victim in cycle.post_filter_result.victims]
    if not victims:
        return []
    evicted = some(victims[:VICTIMS_TOLD], len(victims))
    node = cycle.post_filter_result.nominated_node
    return section("Preemption", [f"  To make room on {node} it would evict {evicted}."])


# --- scores -----------------------------------------------------------------------------------------------------------


def _choice(cycle: Cycle) -> list[str]:
    if not len(cycle.feasible) or cycle.error:
        return []
    if not cycle.needs_scoring or cycle.scores is None:
        why = "only one node fits" if cycle.trace.scoring_bypassed else "no algorithm scores"
        return ["", f"Scoring was skipped: {why}."]
    scores, names = cycle.scores, cycle.trace.feasible
    best = ranking(scores)[:PLACES].tolist()
    return [*_podium(names, scores, best), *_ties(names, scores), *_layers(cycle, scores, names, best)]


def _podium(names: list[str], scores: Scores, best: list[int]) -> list[str]:
    rows = [("", "node", "total", "points behind, by algorithm")]
    for at in best:
        place = 1 + int((scores.totals > scores.totals[at]).sum())
        rows.append((f"{place}.", names[at], str(scores.totals[at]), _behind(scores, at)))
    return section(f"Podium of {count(len(names), 'node')} that fit", aligned(rows, right=(0, 2)))


def _behind(scores: Scores, at: int) -> str:
    """`-4: NodeResourcesFit -6, ImageLocality +2`."""
    gaps = ((name, int(row[at] - row[scores.winner])) for name, row in _weighted(scores).items())
    parts = [f"{name} {gap:+d}" for name, gap in gaps if gap]
    total = int(scores.totals[at] - scores.totals[scores.winner])
    if at == scores.winner:
        return "chosen"
    return f"{total}: {', '.join(parts)}" if parts else "0: all scores are equal"


def _ties(names: list[str], scores: Scores) -> Iterator[str]:
    if len(scores.tied) > 1:
        tied = sorted(names[at] for at in scores.tied.tolist())
        nodes = count(len(tied), "node")
        yield f"  {nodes} tie for the first place; one is drawn: {some(tied[:TIES_TOLD], len(tied))}."


def _layers(cycle: Cycle, scores: Scores, names: list[str], best: list[int]) -> list[str]:
    rows = [["algorithm", "weight", *(names[at] for at in best)]]
    for name in scores.raw:
        rows.append([name, str(scores.weights[name]), *(_cell(scores, name, at) for at in best)])
    rows.append(["total", "", *(str(scores.totals[at]) for at in best)])
    lines = aligned(rows, right=range(1, 2 + len(best)))
    skipped = [one.name for one in cycle.trace.algorithms if one.skipped]
    if skipped:
        lines.append(f"  Nothing to say about this pod: {', '.join(skipped)}.")
    return section("Scores: raw → 0 to 100 → times weight", lines)


def _cell(scores: Scores, name: str, at: int) -> str:
    layers: tuple[Any, ...] = (scores.raw[name][at], scores.normalized[name][at], scores.weighted(name)[at])
    return " → ".join(map(str, layers))


def _weighted(scores: Scores) -> dict[str, Any]:
    return {name: scores.weighted(name) for name in scores.normalized}
