"""Where a placed pod would go if it were scheduled now, with what speaks for that node and against its own."""

from typing import NamedTuple, cast

from dashboard.build.attempt import Attempt
from dashboard.build.records import CycleRecord
from dashboard.build.why.versus import versus
from dashboard.payloads.why import Part, Versus
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.phases import PHASES
from scheduler.engine.explain.anew import told_anew
from scheduler.engine.explain.lead import ranking
from scheduler.engine.simulation.anew import anew
from scheduler.engine.simulation.simulation import Simulation

BEST = 5


class Again(NamedTuple):
    """`here`: the node that it is on; `node`: where it would go, "" for nowhere. `best`: (node, total, how far behind
    the best) of the first nodes, and of its own wherever that is; [] where nothing was scored. `versus`: of `node`
    against its own, or against the next best where these are the same; None where there is nobody to compare with.
    """

    sentence: str
    here: str
    node: str
    best: list[tuple[str, int, int]]
    versus: Versus | None

    @property
    def stays(self) -> bool:
        return self.node == self.here

    @property
    def table(self) -> Versus | None:
        """`versus` with its own node first, as every other table of the page has it."""
        return self.versus if self.versus is None or self.stays else _turned(self.versus)


def _turned(versus: Versus) -> Versus:
    """The same seen from the other side: what spoke for one node speaks against it."""
    parts = [
        cast(Part, {**part, "here": part["there"], "there": part["here"], "points": -part["points"]})
        for part in versus["parts"]
    ]
    margin = versus["margin"]
    ends = {"here": versus["there"], "there": versus["here"], "margin": -margin if margin is not None else None}
    return cast(Versus, {**versus, **ends, "parts": parts})


def again(simulation: Simulation, key: str) -> Again:
    """Of a pod with a node, while the state is lent. Raises Refused, whose text says why it cannot be told."""
    cycle = anew(simulation, key)
    decision, pod = cycle.decision, simulation.pod(key)
    assert decision is not None, "an attempt that has not ended"
    assert pod is not None, "an attempt of no pod"
    here = pod.node_name
    return Again(told_anew(cycle, here), here, decision.node, _best(cycle, here), _against(cycle, key, here))


def _against(cycle: Cycle, key: str, here: str) -> Versus | None:
    decision = cycle.decision
    assert decision is not None
    record = CycleRecord(cycle.number, key, decision=decision)
    made = Attempt(cycle, record, len(PHASES) - 1)
    other = "" if here == decision.node else here
    found = versus(made, other) if not other or other in made.feasible_names else None
    return found if found is not None and found["parts"] else None


def _best(cycle: Cycle, here: str) -> list[tuple[str, int, int]]:
    scores, names = cycle.scores, cycle.trace.feasible
    if scores is None or not cycle.needs_scoring:
        return []
    order, most = ranking(scores).tolist(), int(scores.totals.max())
    shown = order[:BEST]
    if here in names and (own := names.index(here)) not in shown:
        shown.append(own)
    return [(names[place], int(scores.totals[place]), most - int(scores.totals[place])) for place in shown]
