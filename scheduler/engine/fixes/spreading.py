"""What could be done about a spread constraint that no node keeps: a larger skew, others counted, a preference."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.arithmetic.spread_hard import Hard
from scheduler.engine.fixes.change import Clone, Effort, Fix, Path, Put, pod_patch
from scheduler.engine.fixes.manifests import HOSTNAME
from scheduler.engine.fixes.names import fresh_node
from scheduler.engine.fixes.selectors import has_any
from scheduler.engine.framework import Int64Array
from scheduler.engine.objects import Node, Pod, TopologySpreadConstraint

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

TEMPLATE_HASH = "pod-template-hash"


def spread_otherwise(cycle: Cycle, constraints: list[Hard], rows: Int64Array) -> list[Fix]:
    """`constraints`: hard ones in the order of the pod's own, which may be changed; those of a profile may not."""
    pod = cycle.pod.pod
    stated = pod.spec.topology_spread_constraints or []
    hard = [(at, one) for at, one in enumerate(stated) if one.when_unsatisfiable == "DoNotSchedule"]
    if len(hard) != len(constraints):
        return []
    verdicts = np.array([one.verdicts[one.domains.numbers[rows]] for one in constraints])
    near = (verdicts != 0).sum(axis=0) == 1
    return [
        fix
        for place, (at, one) in enumerate(hard)
        if (over := near & (verdicts[place] == 2)).any()
        for fix in _fixes(cycle, at, one, constraints[place], rows[over])
    ]


def _fixes(cycle: Cycle, at: int, stated: TopologySpreadConstraint, one: Hard, rows: Int64Array) -> Iterator[Fix]:
    pod, path, key = cycle.pod.pod, ("spec", "topologySpreadConstraints", at), f"`{stated.topology_key}`"
    needed = int(one.counts[one.domains.numbers[rows]].min()) + one.matches_itself - one.least
    yield from _counted_otherwise(cycle, path, stated, one)
    title = f"Allow a skew of **{needed}** over {key} instead of {stated.max_skew}"
    put = Put((*path, "maxSkew"), needed)
    yield Fix("max-skew", title, pod_patch(pod, put), Effort.SETTING, needed - stated.max_skew)
    title = f"Only prefer the spread over {key} (ScheduleAnyway)"
    yield Fix("schedule-anyway", title, pod_patch(pod, *_soft(path, stated)), Effort.SETTING, 10)
    if stated.topology_key != HOSTNAME:
        yield _domain_more(cycle, stated.topology_key, cycle.snapshot.columns.nodes[int(rows[0])])


def _domain_more(cycle: Cycle, key: str, like: Node) -> Fix:
    """A domain without such pods takes one, whatever the others hold."""
    put = Put(("metadata", "labels", key), _fresh_value(cycle, key))
    clone = Clone(("Node", "", like.name), fresh_node(cycle, like.name), (put,))
    title = f"Add one node like `{like.name}` in another domain of `{key}`"
    return Fix("add-domain", title, (clone,), Effort.GROW, 0.5, note=f"Here it is called `{put.value}`.")


def _fresh_value(cycle: Cycle, key: str) -> str:
    return next(value for turn in count(1) if not has_any(cycle, key, value := f"new-{turn}"))


def _soft(path: Path, stated: TopologySpreadConstraint) -> list[Put]:
    """A soft constraint must not state minDomains."""
    puts = [Put((*path, "whenUnsatisfiable"), "ScheduleAnyway")]
    return puts + ([Put((*path, "minDomains"))] if stated.min_domains is not None else [])


def _counted_otherwise(cycle: Cycle, path: Path, stated: TopologySpreadConstraint, one: Hard) -> Iterator[Fix]:
    pod, key = cycle.pod.pod, f"`{stated.topology_key}`"
    if one.domains.size < one.rule.min_domains:
        title = f"Ask for **{one.domains.size}** domains of {key} instead of {one.rule.min_domains}"
        note = "With fewer domains than minDomains, none may hold more than maxSkew pods."
        put = Put((*path, "minDomains"), max(one.domains.size, 1))
        yield Fix("min-domains", title, pod_patch(pod, put), Effort.SETTING, 0.5, note=note)
    if not one.rule.honors_taints and _is_low_for_taints(cycle, one):
        title = f"Leave tainted nodes out of the spread over {key} (nodeTaintsPolicy: Honor)"
        note = "A domain of nodes that it may not use is the one with the fewest pods."
        put = Put((*path, "nodeTaintsPolicy"), "Honor")
        yield Fix("taints-policy", title, pod_patch(pod, put), Effort.SETTING, 0.25, note=note)
    if TEMPLATE_HASH in pod.labels and TEMPLATE_HASH not in (stated.match_label_keys or ()):
        yield _own_revision(pod, path, stated)


def _own_revision(pod: Pod, path: Path, stated: TopologySpreadConstraint) -> Fix:
    title = f"Count only pods of its own revision over `{stated.topology_key}` (matchLabelKeys: {TEMPLATE_HASH})"
    keys = [*(stated.match_label_keys or ()), TEMPLATE_HASH]
    expression = {"key": TEMPLATE_HASH, "operator": "In", "values": [pod.labels[TEMPLATE_HASH]]}
    selected = (stated.label_selector.match_expressions if stated.label_selector else None) or []
    merged = [*({"key": e.key, "operator": e.operator, "values": e.values} for e in selected), expression]
    puts = [Put((*path, "matchLabelKeys"), keys), Put((*path, "labelSelector", "matchExpressions"), merged)]
    return Fix("own-revision", title, pod_patch(pod, *puts), Effort.SETTING, 0.75)


def _is_low_for_taints(cycle: Cycle, one: Hard) -> bool:
    """Whether a domain with the fewest pods has tainted nodes only."""
    verdict = cycle.trace.everywhere.verdicts.get("TaintToleration")
    if verdict is None or not verdict.refused:
        return False
    numbers = one.domains.numbers
    usable = np.zeros(len(one.counts), np.bool_)
    usable[numbers[verdict.index == 0]] = True
    lowest = one.domains.exists & (one.counts == one.least)
    return bool((lowest & ~usable).any())
