"""One thing keeps the pod off every node that it may use, and it is no resource: ports, spread, pods around."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.explain.why.hindrances import Hindrance
from scheduler.engine.explain.why.words import predicate, some, taken_ports
from scheduler.engine.framework import BoolArray
from scheduler.engine.topology.affinity import filtering_terms
from scheduler.engine.topology.spread import HardSpread, hard_spread
from scheduler.engine.words import count, listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


def told_alone(cycle: Cycle, one: Hindrance, usable: BoolArray) -> tuple[str, str]:
    """(clause, more); "" where it is said as one of several would be."""
    nodes, where = int(usable.sum()), _where(cycle, usable)
    if one.plugin == "NodePorts":
        ports, holders = taken_ports(cycle, usable)
        taken = f"**host port {listed(ports)}** {'is' if len(ports) == 1 else 'are'} taken on {where}"
        return taken, f"Taken by {some(f'`{key}`' for key in holders)}."
    if one.plugin == "PodTopologySpread":
        return _spread(cycle, where)
    if one.plugin == "InterPodAffinity" and one.reason.endswith("pod affinity rules"):
        return _affinity(cycle, where)
    return (f"{where}, **{predicate(cycle, one, usable)}**", "") if nodes == 1 else ("", "")


def _where(cycle: Cycle, usable: BoolArray) -> str:
    nodes, of = int(usable.sum()), "" if usable.all() else " that it may use"
    if nodes == 1:
        return f"`{cycle.snapshot.names[int(usable.argmax())]}`, the only node{of}"
    return f"{'both nodes' if nodes == 2 else f'all {nodes:,} nodes'}{of}"


def _spread(cycle: Cycle, where: str) -> tuple[str, str]:
    broken = [rule for rule in hard_spread(cycle) if not rule.fits.all()]
    texts = [f"`{rule.rule.key}` (at most {rule.rule.max_skew} apart)" for rule in broken]
    clause = f"its **spread** over {listed(texts)} would be broken on {where}"
    return clause, " ".join(_domains(rule) for rule in broken)


def _domains(rule: HardSpread) -> str:
    """`zone`: `a` has 2 pods, `b` 1; the least is 0. Where one more pod would fit, if anywhere."""
    rows = sorted(zip(rule.domains.values, rule.domains.pods.tolist(), rule.fits.tolist(), strict=True))
    has = some(f"`{value}` has {count(pods, 'pod')}" for value, pods, _ in rows)
    least = f"the least that counts is {rule.least}"
    if rule.size < rule.rule.min_domains:
        few = count(rule.rule.min_domains, "domain counts", "domains count")
        least = f"fewer than {few}, so the least is taken as 0"
    fits = [f"`{value}`" for value, _, fit in rows if fit]
    only = f" Only {some(fits)} would take one more." if fits else " No domain takes one more."
    return f"By `{rule.rule.key}`, {has}; {least}.{only}"


def _affinity(cycle: Cycle, where: str) -> tuple[str, str]:
    terms = [term for term in filtering_terms(cycle) if term.effect == "needs"]
    absent = [term for term in terms if not term.values]
    meant = some(f"**`{term.term.selector}`**" for term in absent or terms)
    if absent:
        return (
            f"no pod matches {meant}, which its affinity asks for",
            "Its own labels do not match either, so it may not be the first.",
        )
    by = some(f"`{term.term.key}`" for term in terms)
    there = " ".join(f"Such pods are in {some(f'`{value}`' for value in term.values)}." for term in terms)
    return f"no pod that matches {meant}, which its affinity asks for, shares {by} with {where}", there
