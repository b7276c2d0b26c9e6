"""What could be done about pod affinity: a demand becomes a preference, of the pod itself or of those that repel it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from scheduler.engine.arithmetic.affinity_domains import RequiredState, by_domain, meeting
from scheduler.engine.arithmetic.pod_affinity import readable_terms_of
from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.fixes.change import Effort, Fix, Patch, Put, pod_key, pod_patch
from scheduler.engine.framework import Int64Array
from scheduler.engine.objects import Pod, PodAffinity
from scheduler.engine.words import count, listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

MOST_REPELLING, LOOKED_AT = 3, 64
WEIGHT = 100
_REQUIRED, _PREFERRED = (
    "requiredDuringSchedulingIgnoredDuringExecution",
    "preferredDuringSchedulingIgnoredDuringExecution",
)


def prefer_only(cycle: Cycle, state: RequiredState, rows: Int64Array, codes: Int64Array) -> list[Fix]:
    """`codes`: for each of `rows` what refuses it: 1 its own affinity, 2 its anti-affinity, 3 that of pods there."""
    fixes = [*_own_anti(cycle, state, rows[codes == 2]), *_repelled(cycle, state, rows[codes == 3])]
    if (codes == 1).any():
        fixes.append(_own_affinity(cycle.pod.pod))
    return fixes


def _own_anti(cycle: Cycle, state: RequiredState, rows: Int64Array) -> Iterator[Fix]:
    """The fewest of its terms."""
    if not len(rows):
        return
    terms, columns, pod = state.terms.required_anti, cycle.snapshot.columns, cycle.pod.pod
    met = [by_domain(columns, one.key, meeting(cycle, one))[columns.label(one.key)[0][rows]] > 0 for one in terms]
    hit = np.array(met)
    best = int(hit.sum(axis=0).argmin())
    places = np.flatnonzero(hit[:, best]).tolist()
    keys = listed([f"`{terms[at].key}`" for at in places])
    edits = pod_patch(pod, _softened(pod, "podAntiAffinity", places))
    there = _repelling(cycle, state, int(rows[best]))[: MOST_REPELLING + 1]
    if not there:
        title = f"Make its anti-affinity over {keys} a preference"
        yield Fix("prefer-apart", title, edits, Effort.SETTING, 5)
    elif len(there) <= MOST_REPELLING:
        names = listed([f"`{one.key}`" for one, _ in there])
        title = f"Make anti-affinity over {keys} a preference, its own and that of {names}"
        yield Fix("prefer-apart", title, (*edits, *_softer(there)), Effort.SETTING, 5 + len(there))


def _own_affinity(pod: Pod) -> Fix:
    terms = pod.spec.affinity.pod_affinity if pod.spec.affinity else None
    places = list(range(len((terms.required if terms else None) or ())))
    patch = pod_patch(pod, _softened(pod, "podAffinity", places))
    return Fix("prefer-near", "Make its required pod affinity a preference", patch, Effort.GIVE_UP, 1)


def _repelled(cycle: Cycle, state: RequiredState, rows: Int64Array) -> Iterator[Fix]:
    """The node where the fewest pods repel it: those of all its domain count."""
    found = [(repelling, row) for row in rows[:LOOKED_AT].tolist() if (repelling := _repelling(cycle, state, row))]
    if not found:
        return
    pods, _ = min(found, key=lambda one: len(one[0]))
    if len(pods) > MOST_REPELLING:
        return
    names = listed([f"`{one.key}`" for one, _ in pods])
    title = f"Make the anti-affinity of {names} a preference"
    note = f"{count(len(pods), 'pod keeps', 'pods keep')} it away."
    yield Fix("prefer-apart-there", title, _softer(pods), Effort.GIVE_UP, len(pods), note=note)


def _softer(pods: list[tuple[Pod, list[int]]]) -> tuple[Patch, ...]:
    return tuple(Patch(pod_key(one), (_softened(one, "podAntiAffinity", places),)) for one, places in pods)


def _repelling(cycle: Cycle, state: RequiredState, row: int) -> list[tuple[Pod, list[int]]]:
    """Pods on the node itself whose anti-affinity meets the pod, with the places of those terms."""
    return [
        (other.pod, places)
        for other in cycle.snapshot.infos[row].pods
        if (places := _terms_that_meet(cycle, state, other))
    ]


def _terms_that_meet(cycle: Cycle, state: RequiredState, other: PodInfo) -> list[int]:
    terms = readable_terms_of(other).required_anti
    return [at for at, term in enumerate(terms) if term.matches(cycle.pod, state.namespace_labels)]


def _softened(pod: Pod, field: str, places: list[int]) -> Put:
    """Required terms at these places become preferred ones."""
    affinity = pod.spec.affinity
    side = affinity and (affinity.pod_anti_affinity if field == "podAntiAffinity" else affinity.pod_affinity)
    terms: dict[str, Any] = msgspec.to_builtins(side or PodAffinity())
    required = terms.get(_REQUIRED) or []
    soft = [{"weight": WEIGHT, "podAffinityTerm": required[at]} for at in places]
    kept = [one for at, one in enumerate(required) if at not in places]
    terms = {**terms, _REQUIRED: kept, _PREFERRED: [*(terms.get(_PREFERRED) or []), *soft]}
    return Put(("spec", "affinity", field), {name: some for name, some in terms.items() if some})
