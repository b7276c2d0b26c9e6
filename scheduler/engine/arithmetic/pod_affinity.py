"""Pod affinity terms, compiled: which pods a term means, from either side.

Source: kube-scheduler v1.34.1 framework/types.go, AffinityTerm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from scheduler.engine.cluster.pod_info import PodInfo, PodShape
from scheduler.engine.errors import Invalid
from scheduler.engine.labels import NOTHING, Selector, label_selector
from scheduler.engine.objects import KubernetesObject, Pod, PodAffinity, PodAffinityTerm

Role: TypeAlias = Literal["required", "required-anti", "preferred", "preferred-anti"]
NO_LABELS: Mapping[str, str] = {}


class Term(NamedTuple):
    """Pods in these namespaces, or in namespaces with such labels, that the selector matches; by topology `key`."""

    key: str
    namespaces: frozenset[str]
    selector: Selector
    namespace_selector: Selector

    def matches(self, pod: PodInfo, namespace_labels: Mapping[str, str] = NO_LABELS) -> bool:
        """`namespace_labels`: of the pod's namespace, where they count."""
        in_namespace = pod.namespace in self.namespaces or self.namespace_selector.matches(namespace_labels)
        return in_namespace and self.selector.matches(pod.labels)

    def unrolled(self, namespaces: Mapping[str, Mapping[str, str]]) -> Term:
        """The term of an incoming pod: namespaces that its selector selects are listed by name.

        The selector is kept and later meets no labels at all, so NotIn and DoesNotExist select every namespace: that
        is how v1.34 behaves. `namespaces`: labels by name.
        """
        if self.namespace_selector.nothing or self.namespace_selector.is_empty:
            return self
        selected = {name for name, labels in namespaces.items() if self.namespace_selector.matches(labels)}
        return self._replace(namespaces=self.namespaces | selected)


class Terms(NamedTuple):
    """What a pod demands and prefers. Preferred terms carry their weight."""

    required: tuple[Term, ...] = ()
    required_anti: tuple[Term, ...] = ()
    preferred: tuple[tuple[int, Term], ...] = ()
    preferred_anti: tuple[tuple[int, Term], ...] = ()

    def weighted(self) -> Iterable[tuple[Role, Term, int]]:
        """Every term with its role and weight; 1 for required ones."""
        yield from (("required", term, 1) for term in self.required)
        yield from (("required-anti", term, 1) for term in self.required_anti)
        yield from (("preferred", term, weight) for weight, term in self.preferred)
        yield from (("preferred-anti", term, weight) for weight, term in self.preferred_anti)

    def unrolled(self, namespaces: Mapping[str, Mapping[str, str]]) -> Terms:
        return Terms(
            tuple(term.unrolled(namespaces) for term in self.required),
            tuple(term.unrolled(namespaces) for term in self.required_anti),
            tuple((weight, term.unrolled(namespaces)) for weight, term in self.preferred),
            tuple((weight, term.unrolled(namespaces)) for weight, term in self.preferred_anti),
        )


NO_TERMS = Terms()


def terms_of(pod: Pod, namespace: str) -> Terms:
    """The terms of a pod in this namespace. Raises Invalid for a selector that cannot be read."""
    affinity = pod.spec.affinity
    if affinity is None or (affinity.pod_affinity is None and affinity.pod_anti_affinity is None):
        return NO_TERMS
    towards, away = affinity.pod_affinity or PodAffinity(), affinity.pod_anti_affinity or PodAffinity()
    return Terms(
        _required(towards.required, namespace),
        _required(away.required, namespace),
        _preferred(towards, namespace),
        _preferred(away, namespace),
    )


@lru_cache(maxsize=16384)
def _terms_of_shape(shape: PodShape, namespace: str) -> Terms | str:
    """The terms, or what is wrong with them."""
    try:
        return terms_of(shape.pod, namespace)
    except Invalid as problem:
        return str(problem)


def incoming_terms(pod: PodInfo, namespaces: Mapping[str, KubernetesObject]) -> Terms:
    """Terms of a pod to be scheduled, unrolled. `namespaces`: Namespace objects by name. Raises Invalid."""
    terms = _terms_of_shape(pod.shape, pod.namespace)
    if isinstance(terms, str):
        raise Invalid(terms)
    if all(term.namespace_selector.nothing for _, term, _ in terms.weighted()):
        return terms
    return terms.unrolled({name: one.labels for name, one in namespaces.items()})


def readable_terms_of(pod: PodInfo) -> Terms:
    """Terms of a pod on a node; faulty ones are passed over."""
    terms = _terms_of_shape(pod.shape, pod.namespace)
    return NO_TERMS if isinstance(terms, str) else terms


def _required(terms: Sequence[PodAffinityTerm] | None, namespace: str) -> tuple[Term, ...]:
    return tuple(_compiled(term, namespace) for term in terms or ())


def _preferred(affinity: PodAffinity, namespace: str) -> tuple[tuple[int, Term], ...]:
    return tuple((one.weight, _compiled(one.pod_affinity_term, namespace)) for one in affinity.preferred or ())


def _compiled(term: PodAffinityTerm, namespace: str) -> Term:
    """Without namespaces and without a selector of namespaces, the pod's own is meant."""
    listed = term.namespaces or ([] if term.namespace_selector is not None else [namespace])
    selector = NOTHING if term.namespace_selector is None else label_selector(term.namespace_selector)
    return Term(term.topology_key, frozenset(listed), label_selector(term.label_selector), selector)
