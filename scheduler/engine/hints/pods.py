"""Hints of the algorithms that compare pods. Source: v1.34.1, plugins podtopologyspread, interpodaffinity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from scheduler.engine.arithmetic.spread import HARD, Constraint, constraints_of
from scheduler.engine.hints.context import Context, node, pod, same
from scheduler.engine.labels import label_selector
from scheduler.engine.objects import KubernetesObject, Node, Pod, PodAffinityTerm

_Some: TypeAlias = KubernetesObject | None


# --- PodTopologySpread ------------------------------------------------------------------------------------------------


def spread_by_pods(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    before, after = pod(old), pod(new)
    if any(one is not None and not _involved(one, waiting) for one in (before, after)):
        return False
    constraints = hard_constraints(waiting, about)
    if before is None or after is None:
        labels = (before or after or waiting).labels
        return any(one.selector.matches(labels) for one in constraints)
    honors_taints = any(one.honors_taints for one in constraints)
    if honors_taints and same(waiting, after) and before.spec.tolerations != after.spec.tolerations:
        return True
    if before.labels == after.labels:
        return False
    return any(one.selector.matches(before.labels) != one.selector.matches(after.labels) for one in constraints)


def spread_by_nodes(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    before, after = node(old), node(new)
    keys = [one.key for one in hard_constraints(waiting, about)]
    had, has = _has_all(before, keys), _has_all(after, keys)
    if before is None or after is None or had != has:
        return had or has
    if not has:
        return False
    return before.taints != after.taints or any(before.labels.get(key) != after.labels.get(key) for key in keys)


def _involved(one: Pod, waiting: Pod) -> bool:
    return same(waiting, one) or (bool(one.node_name) and _namespace(one) == _namespace(waiting))


def hard_constraints(waiting: Pod, about: Context) -> Sequence[Constraint]:
    """Those of the pod, else those that its profile gives to pods without any."""
    own = waiting.spec.topology_spread_constraints
    return constraints_of(waiting, HARD) if own else about.default_constraints(waiting)


def _has_all(one: Node | None, keys: Iterable[str]) -> bool:
    return one is not None and all(key in one.labels for key in keys)


# --- InterPodAffinity -------------------------------------------------------------------------------------------------


def affinity_by_pods(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    before, after = pod(old), pod(new)
    if any(one is not None and not one.node_name for one in (before, after)):
        return False
    attracted, repelled = _affinity(waiting), _anti_affinity(waiting)
    if before is None:
        return after is not None and _matches_all(attracted, waiting, after)
    if after is None:
        return _matches_all(repelled, waiting, before)
    came = not _matches_all(attracted, waiting, before) and _matches_all(attracted, waiting, after)
    return came or (_matches_all(repelled, waiting, before) and not _matches_all(repelled, waiting, after))


def affinity_by_nodes(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    before, after = node(old), node(new)
    if after is None:
        return False
    attracted = any(_appeared(one.topology_key, before, after) for one in _affinity(waiting))
    return attracted or any(_vanished(one.topology_key, before, after) for one in _anti_affinity(waiting))


def _appeared(key: str, before: Node | None, after: Node) -> bool:
    """The topology value is there and was not before."""
    value = after.labels.get(key)
    return value is not None and (before is None or before.labels.get(key) != value)


def _vanished(key: str, before: Node | None, after: Node) -> bool:
    """A new node, or one that left the topology domain that it was in."""
    if before is None:
        return True
    value = before.labels.get(key)
    return value is not None and after.labels.get(key) != value


def _matches_all(terms: Sequence[PodAffinityTerm], waiting: Pod, other: Pod) -> bool:
    """Whether the other pod matches every term; without terms it does not. Namespaces are not looked up here."""
    return bool(terms) and all(_matches(term, waiting, other) for term in terms)


def _matches(term: PodAffinityTerm, waiting: Pod, other: Pod) -> bool:
    namespaces = term.namespaces or ([] if term.namespace_selector is not None else [_namespace(waiting)])
    no_labels: Mapping[str, str] = {}
    in_namespace = _namespace(other) in namespaces or label_selector(term.namespace_selector).matches(no_labels)
    return in_namespace and label_selector(term.label_selector).matches(other.labels)


def _affinity(one: Pod) -> Sequence[PodAffinityTerm]:
    affinity = one.spec.affinity and one.spec.affinity.pod_affinity
    return (affinity.required if affinity else None) or ()


def _anti_affinity(one: Pod) -> Sequence[PodAffinityTerm]:
    affinity = one.spec.affinity and one.spec.affinity.pod_anti_affinity
    return (affinity.required if affinity else None) or ()


def _namespace(one: Pod) -> str:
    return one.namespace or "default"
