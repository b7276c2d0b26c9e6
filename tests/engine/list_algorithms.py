"""Algorithms for tests: one that scores the whole list at once, and some that fail where they are told to."""

import numpy as np

from scheduler.engine.framework import Int64Array, Nodes, Plugin, PreFilterResult, Step


class CpuPlace(Plugin):
    """10 for the node with the most free CPU, 9 for the next, …; 0 from the eleventh on."""

    name = "CpuPlace"
    whole_list = True

    def score(self, cycle, nodes: Nodes) -> Int64Array:
        return np.maximum(0, 10 - self._places(cycle, nodes))

    def explain(self, cycle, row):
        place = int(self._places(cycle, cycle.nodes)[cycle.rows.tolist().index(row)])
        return [
            Step("place", "value", (place,), place, "nodes with more free CPU"),
            Step("rest", "subtract", (10, "place"), 10 - place),
            Step("score", "clip", ("rest", 0, 10), max(0, 10 - place)),
        ]

    def _places(self, cycle, nodes):
        free = nodes.take(nodes.columns[("allocatable", "cpu")]) - nodes.take(nodes.columns[("requested", "cpu")])
        return (free[None, :] > free[:, None]).sum(1)


class Fragile(Plugin):
    """7 for every node, but it fails where the label `fragile` says how."""

    name = "Fragile"

    def score(self, cycle, nodes: Nodes) -> Int64Array:
        numbers, values = nodes.columns.label("fragile")
        for number in nodes.take(numbers).tolist():
            if number:
                raise LookupError(values.values[number])
        return np.full(len(nodes), 7, np.int64)

    def explain(self, cycle, row):
        return [Step("score", "value", (7,), 7)]


class FragileList(Fragile):
    """The same over the whole list: one such node, and there is no score at all."""

    name = "FragileList"
    whole_list = True


class NoReduce(Fragile):
    """A sound map whose reduce fails."""

    name = "NoReduce"

    def score(self, cycle, nodes: Nodes) -> Int64Array:
        return nodes.rows * 3

    def normalize(self, cycle, scores: Int64Array) -> Int64Array:
        raise ArithmeticError("no scale")

    def explain(self, cycle, row):
        return [Step("score", "value", (row * 3,), row * 3)]


class NoReserve(Plugin):
    """Passes every node, and fails once one was chosen."""

    name = "NoReserve"

    def pre_filter(self, cycle):
        cycle.state[self.name] = "asked"
        return PreFilterResult()

    def reserve(self, cycle, row):
        raise RuntimeError("taken by somebody else")
