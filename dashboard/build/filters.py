"""What Filter did: nodes left after each algorithm, refusals by reason, and the short word on each node's tile."""

from dashboard.build.attempt import Attempt
from dashboard.build.tile_rows import Marks
from dashboard.payloads.cycle import FunnelStep
from dashboard.payloads.refusals import Refusal
from scheduler.engine.cycle.decision import merged

SHORT = {
    "NodeUnschedulable": "cordoned",
    "NodeName": "name",
    "TaintToleration": "taint",
    "NodeAffinity": "affinity",
    "NodePorts": "ports",
    "PodTopologySpread": "spread",
    "InterPodAffinity": "pod affinity",
    "VolumeBinding": "volume",
    "VolumeZone": "volume zone",
    "VolumeRestrictions": "volume",
    "NodeVolumeLimits": "volumes",
}
FULL = {"Too many pods": "pod limit"}


def funnel(made: Attempt) -> list[FunnelStep]:
    """Nodes left after each filter, in order, of those that the search looked at; a node falls at its first refusal."""
    if not made.shows("Filter") or made.cycle.filtered is None:
        return []
    return [
        {"plugin": step.plugin, "left": step.left, "lost": step.lost, "skipped": step.skipped}
        for step in made.trace.funnel
    ]


def refusals(made: Attempt) -> list[Refusal]:
    """Nodes by plugin and reason, most frequent first; where codes differ, the one of most of them."""
    return [
        {"plugin": one.plugin, "reason": one.reason, "code": one.code, "count": one.count, "nodes": list(one.nodes)}
        for one in (merged(made.trace.refusals) if made.shows("Filter") else ())
    ]


def tile_marks(made: Attempt) -> Marks:
    """What the cycle says of each node that it looked at."""
    if not made.shows("Filter"):
        return Marks()
    names = made.cycle.snapshot.names
    reasons = dict.fromkeys(made.feasible_names, "")
    for status, rows in made.trace.diagnosis.all_groups():
        word = short_reason(status.plugin, status.reasons)
        reasons.update((names[row], word) for row in rows.tolist())
    return Marks(reasons, _lead(made), _ties(made))


def short_reason(plugin: str, reasons: tuple[str, ...]) -> str:
    """For a tile: `taint`, `cpu`, `cpu, 1 more` where another resource is short as well."""
    more = f", {len(reasons) - 1} more" if plugin == "NodeResourcesFit" and len(reasons) > 1 else ""
    return first_word(plugin, reasons) + more


def first_word(plugin: str, reasons: tuple[str, ...]) -> str:
    """Of the first of these reasons: `taint`, `cpu`."""
    if plugin == "NodeResourcesFit" and reasons:
        return FULL.get(reasons[0]) or reasons[0].removeprefix("Insufficient ").rpartition("/")[2]
    return SHORT.get(plugin) or plugin or "refused"


def winner(made: Attempt) -> str:
    """The chosen node once Select is shown, "" before and where there is none."""
    decision = made.cycle.decision
    return decision.node if decision is not None and made.shows("Select") else ""


def _lead(made: Attempt) -> str:
    if name := winner(made):
        return name
    scores = made.scores
    return made.feasible_names[int(scores.tied[0])] if scores is not None and len(scores.tied) == 1 else ""


def _ties(made: Attempt) -> frozenset[str]:
    scores = made.scores
    if scores is None or len(scores.tied) < 2:
        return frozenset()
    return frozenset(made.feasible_names[place] for place in scores.tied.tolist())
