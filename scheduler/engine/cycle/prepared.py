"""Map and reduce: what turns feasible nodes into scores, in process or, without the cluster's pods, in a worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from scheduler.engine.cluster.columns import Columns
from scheduler.engine.cluster.images import ImageState
from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cycle.mapping import raw_scores
from scheduler.engine.cycle.score_errors import CellErrors
from scheduler.engine.cycle.unprepared import raw
from scheduler.engine.errors import PluginError
from scheduler.engine.framework import Int64Array, Nodes, Plugin


class ExtraScore(NamedTuple):
    """A score that a caller adds to the sum: `score(scoring, nodes)` gives int64 per node; it is not normalised.

    Like a plugin's `whole_list` it is asked once about all feasible nodes, but it belongs to no profile.
    """

    name: str
    weight: int
    score: Callable[[Scoring, Nodes], Int64Array]


@dataclass(slots=True)
class Scoring:
    """One pod against its feasible nodes. Picklable once `slim()`.

    `rows`: the feasible nodes' rows in the order in which they were found. `state`: what PreScore computed, by plugin.
    `node_count`: all nodes of the snapshot, feasible or not. `images`: what is known of each image by name.
    `instead_of_score`: see `unprepared.scores_without`.
    """

    pod: PodInfo
    columns: Columns
    rows: Int64Array
    plugins: dict[str, Plugin]
    state: dict[str, Any]
    node_count: int
    images: Mapping[str, ImageState] = field(default_factory=dict)
    instead_of_score: Mapping[str, str] = field(default_factory=dict)

    @property
    def algorithms(self) -> list[str]:
        """The rows of the matrix, in the order of the profile."""
        return list(self.plugins)

    @property
    def nodes(self) -> Nodes:
        return Nodes(self.columns, self.rows)

    @property
    def whole_lists(self) -> list[str]:
        """Those of them that want all feasible nodes at once."""
        return [name for name, plugin in self.plugins.items() if plugin.whole_list]

    def map(self, first: int, last: int, errors: CellErrors | None = None) -> dict[str, Int64Array]:
        """Raw scores of the feasible nodes first…last-1, by algorithm but for whole lists. int64 of (last - first,).

        `errors`: takes down what fails; without it the first PluginError is raised.
        """
        return {
            name: raw_scores(self, plugin, first, last, errors)
            for name, plugin in self.plugins.items()
            if not plugin.whole_list
        }

    def map_whole(self, algorithm: str, errors: CellErrors | None = None) -> dict[str, Int64Array]:
        """The raw row of an algorithm that wants the whole list, under its name."""
        return {algorithm: raw_scores(self, self.plugins[algorithm], 0, len(self.rows), errors)}

    def map_all(self, errors: CellErrors | None = None) -> dict[str, Int64Array]:
        """Raw scores of all feasible nodes by all algorithms, in order."""
        return {name: raw_scores(self, plugin, 0, len(self.rows), errors) for name, plugin in self.plugins.items()}

    def reduce(self, algorithm: str, raw: Int64Array) -> Int64Array:
        """The normalised row of an algorithm; `raw` itself if it does not normalise."""
        plugin = self.plugins[algorithm]
        return plugin.normalize(self, raw) if plugin.implements("normalize") else raw

    def slim(self) -> Scoring:
        """The same without the cluster: only the feasible rows of the columns that scoring this pod reads.

        Raises PluginError if an algorithm fails when it is asked for these columns.
        """
        recorder = self.columns.recorder()
        probe = replace(self, columns=recorder)
        for plugin in self.plugins.values() if len(self.rows) else ():
            raw(probe, plugin, Nodes(recorder, self.rows if plugin.whole_list else self.rows[:1]))
        state = {name: self._some(name, part) for name, part in self.state.items() if name in self.plugins}
        images = {
            key[1]: replace(self.images[key[1]], nodes=set())
            for key in recorder.keys
            if key[0] == "image" and key[1] in self.images
        }
        columns = self.columns.part(self.rows, list(recorder.keys), with_nodes=recorder.read_nodes)
        return replace(self, columns=columns, rows=columns.all_rows, state=state, images=images)

    def _some(self, name: str, part: Any) -> Any:
        """The feasible rows of a state that says how to take them, or that is an array over all rows."""
        if isinstance(part, np.ndarray) and (not part.ndim or len(part) != self.columns.size):
            said = f"is an array of shape {part.shape}, and an array there holds a number for each of all nodes"
            raise PluginError(f'{name}.pre_score cycle.state["{name}"] {said}; wrap another one in a tuple')
        return (
            part.take(self.rows, 0)
            if isinstance(part, np.ndarray)
            else getattr(part, "take", lambda _: part)(self.rows)
        )


def concatenate(parts: list[Int64Array]) -> Int64Array:
    """The ranges of one algorithm as a row."""
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
