"""The cluster as columns: one array a fact, one row a node, in the snapshot's order.

Binding a pod touches one row. A fork shares every array until one of the two writes to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.cluster.census import Census
from scheduler.engine.cluster.change_log import ChangeLog
from scheduler.engine.cluster.domains import DomainSums
from scheduler.engine.cluster.images import image_names
from scheduler.engine.cluster.keys import FIXED, PODS, TYPES, Key, checked
from scheduler.engine.cluster.pod_counters import MAKING, TERM, Amount, PodCounters
from scheduler.engine.cluster.pod_info import Placed, PodInfo
from scheduler.engine.cluster.vocabulary import Vocabulary
from scheduler.engine.framework import Int64Array, Nodes
from scheduler.engine.labels import NAME_FIELD
from scheduler.engine.memo.answers import Memo
from scheduler.engine.objects import Node, Taint
from scheduler.engine.values.requests import node_allocatable

MAX_COUNTERS, MAX_POD_KINDS = 2048, 65536
MAX_STALE_VALUES, MAX_IMAGES = 256, 1024
_MANY_PODS = 4


def _label(node: Node, key: str) -> str | None:
    """The node's name is kept like a label: its key cannot be confused with one, as labels of that key are not read."""
    return node.name if key == NAME_FIELD else node.labels.get(key)


class Columns:
    """Columns of scalar resources, labels and images come into being when something first asks for them."""

    _groups: dict[str, list[Key]]
    _grouped = -1
    _is_part = False

    def __init__(self, nodes: Sequence[Node] = ()) -> None:
        self.nodes: list[Node] = list(nodes)
        self.size = len(self.nodes)
        self.taint_sets: Vocabulary[tuple[Taint, ...]] = Vocabulary(())
        self.label_values: dict[str, Vocabulary[str | None]] = {}
        self.counters = PodCounters()
        self.vectors: dict[Key, NDArray[Any]] = {key: self._zeros(key) for key in FIXED}
        self._owned: set[Key] = set(self.vectors)
        self._start_logs(keep=True)
        for row in range(self.size):
            self.write_node(row, self.nodes[row])

    def _start_logs(self, keep: bool) -> None:
        self.node_log, self.pod_log = ChangeLog(), ChangeLog()
        self.memo = Memo(self) if keep else None
        self.domains = DomainSums(self)
        self._census = Census()

    def _zeros(self, key: Key) -> NDArray[Any]:
        return np.zeros(self.size, TYPES.get(key[0], np.int64))

    @cached_property
    def all_rows(self) -> Int64Array:
        return np.arange(self.size, dtype=np.int64)

    @cached_property
    def all_nodes(self) -> Nodes:
        return Nodes(self, self.all_rows)

    @cached_property
    def row_of(self) -> dict[str, int]:
        return {node.name: row for row, node in enumerate(self.nodes)}

    # --- reading ------------------------------------------------------------------------------------------------------

    def __getitem__(self, key: Key) -> NDArray[Any]:
        """The column, over all rows. Read only. One that nothing has asked for yet is made.

        Raises KeyError for a key that no column can have.
        """
        vector = self.vectors.get(key)
        return self._make(checked(key)) if vector is None else vector

    def node_objects(self, rows: Int64Array) -> list[Node]:
        """The Node objects of some rows."""
        return [self.nodes[row] for row in rows.tolist()]

    def _make(self, key: Key) -> NDArray[Any]:
        """Filled before it is shown, and by one thread only: readers of one snapshot may ask at the same time."""
        if self._is_part:
            raise KeyError(f"{key} was not read on the first node: what is read may depend on the pod, not on the node")
        with MAKING:
            if key in self.vectors:
                return self.vectors[key]
            vector = self._zeros(key)
            if key[0] == "label":
                values = self.label_values.setdefault(key[1], Vocabulary(None))
                vector[:] = [values.add(_label(node, key[1])) for node in self.nodes]
            elif key[0] == "image":
                vector[:] = [key[1] in image_names(node) for node in self.nodes]
            self._owned.add(key)
            self.vectors[key] = vector
        return vector

    def label(self, key: str) -> tuple[NDArray[np.int32], Vocabulary[str | None]]:
        """Numbers of the values of a label, and the values; number 0 stands for a node without the label."""
        return self[("label", key)], self.label_values[key]

    def count(self, key: Key, amount: Amount, pods: Callable[[int], Iterable[PodInfo]]) -> Int64Array:
        """Per node, the sum of `amount` over its pods. Counted once, by `pods(row)`; kept up from then on.

        `key` begins with "count" and identifies what is counted.
        """
        vector = self.vectors.get(key)
        return self._count_anew(key, amount, pods) if vector is None else vector

    def _count_anew(self, key: Key, amount: Amount, pods: Callable[[int], Iterable[PodInfo]]) -> Int64Array:
        with MAKING:
            self._limit_counters()
            self.counters.register(key, amount)
            vector = self._census.count(self, key, pods)
            self._owned.add(key)
            self.vectors[key] = vector
        return vector

    def _limit_counters(self) -> None:
        """Begin anew with counting when there are too many counters; what is in use is counted again."""
        self.counters.forget_kinds(MAX_POD_KINDS)
        if len(self.counters) >= MAX_COUNTERS:
            self.counters = self.counters.fresh()
            self.domains.forget()
            for key in [key for key in self.vectors if key[0] == "count" and key[1] != TERM]:
                del self.vectors[key]

    def resources(self) -> list[str]:
        """Names of all resources that a node offers or a pod asked for, except pods."""
        return [key[1] for key in self._keys("requested") if key[1] != PODS]

    def _keys(self, kind: str) -> list[Key]:
        """Columns of one kind. Looked for again only when a column has come into being."""
        if self._grouped != len(self.vectors):
            self._groups = {}
            for key in self.vectors:
                self._groups.setdefault(key[0], []).append(key)
            self._grouped = len(self.vectors)
        return self._groups.get(kind, [])

    # --- writing ------------------------------------------------------------------------------------------------------

    def _writable(self, key: Key) -> NDArray[Any]:
        if key in self._owned:
            return self.vectors[key]
        vector = self.vectors.get(key)
        if vector is None:
            vector = self._make(key)
        if key not in self._owned:
            vector = self.vectors[key] = vector.copy()
            self._owned.add(key)
        return vector

    def write_node(self, row: int, node: Node) -> None:
        """Put a Node object's facts into its row."""
        self.nodes[row] = node
        allocatable = node_allocatable(node)
        for name in {*self.resources(), PODS, *allocatable}:
            self._writable(("allocatable", name))[row] = allocatable.get(name, 0)
            self[("requested", name)]
        self._writable(("unschedulable",))[row] = bool(node.spec.unschedulable)
        self._writable(("taints",))[row] = self.taint_sets.add(tuple(node.taints))
        for key, values in self.label_values.items():
            self._writable(("label", key))[row] = values.add(_label(node, key))
        self._write_images(row, node)
        self._changed(row, node=True)

    def _write_images(self, row: int, node: Node) -> None:
        tracked = self._keys("image")
        names = image_names(node) if tracked else {}
        for key in tracked:
            self._writable(key)[row] = key[1] in names

    def add_pods(self, row: int, pods: Iterable[PodInfo], sign: int = 1) -> None:
        """Count pods into a row, or out of it with sign -1."""
        for pod in pods:
            for key, amount in pod.placed.by_column:
                self._writable(key)[row] += sign * amount
            if pod.has_volumes:
                self._writable(("volumes",))[row] += sign
            if self.counters or pod.shape.has_pod_affinity:
                self._count(row, pod, sign)
        self._changed(row)

    def add_everywhere(self, rows: Sequence[int], pods: Sequence[PodInfo], sign: int = 1) -> None:
        """Count each pod into the row that stands at its place in `rows`, or out of it: the same for many at once."""
        if len(rows) < _MANY_PODS:
            for row, pod in zip(rows, pods, strict=True):
                self.add_pods(row, (pod,), sign)
            return
        alike: dict[Placed, list[int]] = {}
        for row, pod in zip(rows, pods, strict=True):
            alike.setdefault(pod.placed, []).append(row)
            if pod.has_volumes:
                self._writable(("volumes",))[row] += sign
            if self.counters or pod.shape.has_pod_affinity:
                self._count(row, pod, sign)
        for placed, places in alike.items():
            there = np.array(places, np.int64)
            for key, amount in placed.by_column:
                np.add.at(self._writable(key), there, sign * amount)
        self.pod_log.extend(rows)
        self.pod_log.trim(self.size)

    def _count(self, row: int, pod: PodInfo, sign: int) -> None:
        for key, amount in self.counters.of(pod).items():
            if key[1] == TERM or key in self.vectors:
                self._writable(key)[row] += sign * amount
                self.domains.add(key, row, sign * amount)

    def write_ports(self, row: int, count: int) -> None:
        self._writable(("ports",))[row] = count

    def mark_cloned(self, rows: Sequence[int], snapshot: int) -> None:
        if len(rows) == 1:
            self._writable(("cloned_at",))[rows[0]] = snapshot
        elif rows:
            self._writable(("cloned_at",))[list(rows)] = snapshot

    def _changed(self, row: int, node: bool = False) -> None:
        self.pod_log.append(row)
        self.pod_log.trim(self.size)
        if node:
            self.node_log.append(row)
            self.node_log.trim(self.size)
            self.domains.forget()

    # --- copies -------------------------------------------------------------------------------------------------------

    def fork(self, keep: bool = True) -> Columns:
        """A copy that shares arrays until written to; this one must not be written to any more. `keep`: with a memo."""
        copy = object.__new__(Columns)
        copy.__dict__.update(
            nodes=list(self.nodes),
            size=self.size,
            taint_sets=self.taint_sets,
            label_values=dict(self.label_values),
            counters=self.counters,
            vectors=dict(self.vectors),
            all_rows=self.all_rows,
            row_of=self.row_of,
        )
        copy._owned = set()
        copy._start_logs(keep)
        return copy

    def reordered(self, nodes: Sequence[Node], pods: Mapping[str, Sequence[PodInfo]]) -> Columns:
        """The same facts for other nodes in another order. Rows of nodes that are new here are written from scratch."""
        old = [self.row_of.get(node.name, -1) for node in nodes]
        new = object.__new__(Columns)
        new.__dict__.update(nodes=list(nodes), size=len(old), taint_sets=self.taint_sets)
        outgrown = self._outgrown()
        new.label_values = {key: values for key, values in self.label_values.items() if ("label", key) not in outgrown}
        new.counters = self.counters
        known = np.array([row >= 0 for row in old], np.bool_)
        source = np.array(old, np.int64)
        new.vectors = {}
        for key, vector in self.vectors.items():
            if key not in outgrown:
                new.vectors[key] = new._zeros(key)
                new.vectors[key][known] = vector[source[known]]
        new._owned = set(new.vectors)
        new._start_logs(keep=True)
        for row in np.flatnonzero(~known).tolist():
            new.write_node(row, nodes[row])
            new.add_pods(row, pods.get(nodes[row].name, ()))
        return new

    def _outgrown(self) -> set[Key]:
        """Columns to let go: labels whose values are mostly of nodes that have gone, images if there are too many.

        Whoever asks for one again gets it made anew.
        """
        limit = 2 * self.size + MAX_STALE_VALUES
        labels: set[Key] = {("label", key) for key, values in self.label_values.items() if len(values) > limit}
        images = self._keys("image")
        return labels | set(images if len(images) > MAX_IMAGES else ())

    def recorder(self) -> Observed:
        """A copy without a memo, which notes from now on which columns are read."""
        return Observed(self.fork(keep=False))

    def observed(self) -> Observed:
        """These very columns, through a view that notes which of them are read; costs nothing to make."""
        return Observed(self)

    def part(self, rows: Int64Array, keys: Sequence[Key], *, with_nodes: bool = False) -> Columns:
        """Some rows of some columns, Node objects only if asked for: what a worker gets. Picklable."""
        new = object.__new__(Columns)
        nodes = self.node_objects(rows) if with_nodes else []
        new.__dict__.update(nodes=nodes, size=len(rows), taint_sets=self.taint_sets, _is_part=True)
        new.counters = PodCounters()
        # Read first: a label that nobody has asked for gets its vocabulary on being read.
        new.vectors = {key: self[key][rows] for key in keys}
        new.label_values = {key[1]: self.label_values[key[1]] for key in keys if key[0] == "label"}
        new._owned = set()
        new._start_logs(keep=False)
        return new


class Observed(Columns):
    """A view of columns that notes what is read through it. `keys`: in the order of the first reading; `read_nodes`:
    whether Node objects were. What is made through it stays made.
    """

    __slots__ = ("_of", "keys", "read_nodes")

    def __init__(self, columns: Columns) -> None:
        self.__dict__ = columns.__dict__
        self._of = columns
        self.keys: dict[Key, None] = {}
        self.read_nodes = False

    def node_objects(self, rows: Int64Array) -> list[Node]:
        self.read_nodes = True
        return self._of.node_objects(rows)

    def __getitem__(self, key: Key) -> NDArray[Any]:
        vector = self._of[key]
        self.keys[key] = None
        return vector

    def count(self, key: Key, amount: Amount, pods: Callable[[int], Iterable[PodInfo]]) -> Int64Array:
        self.keys[key] = None
        return self._of.count(key, amount, pods)
