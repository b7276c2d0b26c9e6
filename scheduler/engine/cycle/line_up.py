"""Which algorithms a profile runs at each extension point, and which of them a pod of one sort has to do with."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scheduler.engine.errors import PluginError
from scheduler.engine.framework import Plugin, Reads

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.profile import Profile

_METHODS = {
    "preEnqueue": "pre_enqueue",
    "preFilter": "pre_filter",
    "filter": "filter",
    "postFilter": "post_filter",
    "preScore": "pre_score",
    "score": "score",
    "reserve": "reserve",
}
_KEPT_SORTS = 4096


@dataclass(frozen=True, slots=True)
class Group:
    """Filters or scorers of an attempt, by name and in order. `local` ones answer for each node by itself, `others` do
    not. `weights`: of scores. `rest`: all but the local ones that do not normalise, and whether each is local.

    `key` is the same object for all pods that get the same answers from the local ones.
    """

    plugins: dict[str, Plugin]
    weights: dict[str, int]
    local: tuple[Plugin, ...]
    others: tuple[Plugin, ...]
    rest: tuple[tuple[Plugin, bool], ...]
    key: Hashable


@dataclass(frozen=True, slots=True)
class Asked:
    """The algorithms that a pod has to do with, by extension point, in order.

    `no_filter` and `no_score`: names of those that it has nothing to do with, which PreFilter or PreScore would skip.
    `fault`: an algorithm could not say so, and how it failed.
    """

    pre_filters: tuple[Plugin, ...]
    filters: tuple[Plugin, ...]
    pre_scores: tuple[Plugin, ...]
    scorers: tuple[Plugin, ...]
    no_filter: tuple[str, ...]
    no_score: tuple[str, ...]
    fault: str = ""
    filter_groups: dict[tuple[str, ...], Group] = field(default_factory=dict)
    score_groups: dict[tuple[str, ...], Group] = field(default_factory=dict)


class LineUp:
    """`points`: all algorithms that the profile runs at each extension point and that exist here, in order.

    `unprepared`: by point, names of those that run there without the PreFilter or PreScore that they have.
    `faults`: algorithms that the profile asks for and that cannot be had, with the reason; `fault`: all of it in a
    sentence, "" if there are none. With any, nothing may be scheduled.
    """

    def __init__(self, profile: Profile, plugins: dict[str, Plugin], faults: dict[str, str]) -> None:
        self.plugins = plugins
        self.faults = faults
        self.fault = _sentence(profile, faults)
        self._profile = profile
        self.points = {point: _at(profile, plugins, point, method) for point, method in _METHODS.items()}
        self.unprepared = {
            after: frozenset(one.name for one in self.points[after] if one.implements(hook)).difference(
                one.name for one in self.points[before]
            )
            for before, hook, after in (("preFilter", "pre_filter", "filter"), ("preScore", "pre_score", "score"))
        }
        self._asked: dict[Hashable, Asked] = {}
        self._keys: dict[Hashable, object] = {}

    def of(self, pod: PodInfo) -> Asked:
        """Found out once for all pods of one sort: of one shape and node name, with or without volumes."""
        sort = (pod.shape.key, bool(pod.pod.spec.volumes), pod.node_name)
        asked = self._asked.get(sort)
        if asked is None:
            if len(self._asked) >= _KEPT_SORTS:
                self._asked.clear()
                self._keys.clear()
            asked = self._asked[sort] = self._find(pod)
        return asked

    def filters(self, pod: PodInfo, asked: Asked, skipped: tuple[str, ...]) -> Group:
        """The filters but for those that PreFilter skipped."""
        group = asked.filter_groups.get(skipped)
        if group is None:
            left = _without(asked.filters, skipped)
            group = asked.filter_groups[skipped] = self._group(pod, "filter", left, [one.filter_reads for one in left])
        return group

    def scorers(self, pod: PodInfo, asked: Asked, skipped: tuple[str, ...]) -> Group:
        """The scoring algorithms but for those that PreScore skipped."""
        group = asked.score_groups.get(skipped)
        if group is None:
            left = _without(asked.scorers, skipped)
            group = asked.score_groups[skipped] = self._group(pod, "score", left, [one.score_reads for one in left])
        return group

    def _group(self, pod: PodInfo, point: str, plugins: tuple[Plugin, ...], reads: list[Reads]) -> Group:
        unprepared = self.unprepared[point]
        local = tuple(
            one for one, read in zip(plugins, reads, strict=True) if read != "cluster" and one.name not in unprepared
        )
        others = tuple(one for one in plugins if one not in local)
        key = (point, *((one, one.shape_key(pod)) for one in local))
        by_name = {one.name: one for one in plugins}
        weights = {name: self._profile.weight(name) or 1 for name in by_name}
        rest = tuple((one, one in local) for one in plugins if one in others or one.implements("normalize"))
        return Group(by_name, weights, local, others, rest, self._keys.setdefault(key, object()))

    def _find(self, pod: PodInfo) -> Asked:
        points = self.points
        try:
            no_filter = tuple(one.name for one in points["preFilter"] if not one.concerns(pod))
            no_score = tuple(one.name for one in points["preScore"] if not one.concerns(pod))
        except PluginError as problem:
            return Asked((), (), (), (), (), (), str(problem))
        return Asked(
            _without(points["preFilter"], no_filter),
            _without(points["filter"], no_filter),
            _without(points["preScore"], no_score),
            _without(points["score"], no_score),
            no_filter,
            no_score,
        )


def _sentence(profile: Profile, faults: dict[str, str]) -> str:
    if not faults:
        return ""
    said = "; ".join(
        f"{name}, but {fault}" if name else f"a configuration, but {fault}" for name, fault in faults.items()
    )
    return f"The profile {profile.scheduler_name} enables {said}. Switch it off in the profile, or put it right."


def _at(profile: Profile, plugins: dict[str, Plugin], point: str, method: str) -> tuple[Plugin, ...]:
    here = (plugins[name] for name in profile.enabled(point) if name in plugins)
    return tuple(plugin for plugin in here if plugin.implements(method))


def _without(plugins: tuple[Plugin, ...], names: tuple[str, ...]) -> tuple[Plugin, ...]:
    return tuple(one for one in plugins if one.name not in names)
