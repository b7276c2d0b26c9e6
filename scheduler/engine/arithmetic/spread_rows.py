"""Which rows of the cluster a spread constraint counts, and the column that counts pods for it.

Source: kube-scheduler v1.34.1 plugins/podtopologyspread/common.go.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.arithmetic.spread import Constraint
from scheduler.engine.cluster.domains import ALL, Counted
from scheduler.engine.cluster.selection import affinity_matches, kept, tolerated
from scheduler.engine.framework import BoolArray
from scheduler.engine.labels import RequiredNodeAffinity

if TYPE_CHECKING:
    from scheduler.engine.cluster.keys import Key
    from scheduler.engine.cycle.attempt import Cycle


def keys_of(rules: Sequence[Constraint]) -> tuple[str, ...]:
    """The labels that the constraints spread over, in their order."""
    return tuple([rule.key for rule in rules])


def labelled_rows(cycle: Cycle, keys: tuple[str, ...]) -> BoolArray | None:
    """Which rows have all labels; None: all rows."""
    columns = cycle.snapshot.columns
    if not any(columns.domains.of(key).exists[0] for key in keys):
        return None
    labelled: BoolArray = np.logical_and.reduce([columns.label(key)[0] > 0 for key in keys])
    return labelled


def counted_rows(cycle: Cycle, rule: Constraint, keys: tuple[str, ...]) -> Counted:
    """Rows that have all labels and that the inclusion policies let count."""
    columns, pod = cycle.snapshot.columns, cycle.pod
    rows, names = [], list[Hashable]()
    if (labelled := labelled_rows(cycle, keys)) is not None:
        rows.append(labelled)
        names.append(keys)
    if rule.honors_affinity and _is_stated(required := pod.shape.required_node_affinity):
        names.append(("affinity", required))
        rows.append(kept(columns, names[-1], "node", lambda nodes: affinity_matches(nodes, required)))
    if rule.honors_taints:
        tolerations = pod.pod.spec.tolerations or []
        names.append(("tolerated", pod.shape.tolerations_key))
        rows.append(kept(columns, names[-1], "node", lambda nodes: tolerated(nodes, tolerations)))
    return Counted(tuple(names), np.logical_and.reduce(rows)) if rows else ALL


def counter_of(cycle: Cycle, rule: Constraint) -> Key:
    """The column that counts, per row, the pods of the pod's namespace that the selector counts."""
    namespace = cycle.pod.namespace
    key = ("count", "spread", namespace, rule.selector)
    cycle.snapshot.count(key, lambda pod: rule.counts(namespace, pod))
    return key


def _is_stated(required: RequiredNodeAffinity) -> bool:
    return required.affinity is not None or not required.labels.is_empty
