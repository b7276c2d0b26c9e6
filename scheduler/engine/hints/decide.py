"""Whether a refused pod is worth another attempt after an event. Source: v1.34.1, scheduling_queue.go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache

from scheduler.engine.errors import Invalid
from scheduler.engine.hints.context import Context
from scheduler.engine.hints.event import ASSIGNED_POD, UNSCHEDULABLE_POD, Action, ClusterEvent, matches
from scheduler.engine.hints.table import IMPLICIT, Registration, registrations
from scheduler.engine.objects import KubernetesObject, Pod
from scheduler.engine.queue.entry import Entry
from scheduler.engine.queue.nominator import uid_of

_NO_CONTEXT = Context()


class Strategy(IntEnum):
    SKIP = 0
    AFTER_BACKOFF = 1
    IMMEDIATELY = 2


class Hints:
    """The hints of the enabled plugins. `enabled` off: every event is worth a try, for every pod, unless it is an
    update of a pod in which nothing of use has changed.

    `plugins`: names of the enabled plugins by scheduler name; `contexts`: what their hints may look up.
    """

    def __init__(
        self,
        plugins: Mapping[str, Sequence[str]],
        contexts: Mapping[str, Context] | None = None,
        *,
        enabled: bool = True,
    ) -> None:
        self.enabled = enabled
        self._contexts = contexts or {}
        self._registered = {
            scheduler: {name: registrations(name) for name in names} for scheduler, names in plugins.items()
        }
        self._interested = lru_cache(maxsize=512)(self._find_interested)
        self._concerned = lru_cache(maxsize=512)(self._find_concerned)

    def is_of_interest(self, event: ClusterEvent) -> bool:
        if not self.enabled:
            return not _says_nothing(event)
        return event.is_wildcard or bool(self._interested(event))

    def interested(self, event: ClusterEvent) -> Iterable[str] | None:
        """Plugins that registered for the event in any profile; None = whoever waits is concerned."""
        return self._interested(event) if self.enabled and not event.is_wildcard else None

    def wakes_gated(self, plugin: str, event: ClusterEvent) -> bool:
        """Whether a pod gated by this plugin is looked at when the event happens."""
        return not self.enabled or self._concerned(plugin, event)

    def is_worth_requeuing(
        self,
        pod: Pod,
        entry: Entry,
        event: ClusterEvent,
        old: KubernetesObject | None,
        new: KubernetesObject | None,
    ) -> tuple[Strategy, str]:
        """How to requeue, and the plugin whose hint decided ("" where no hint was asked)."""
        rejectors = entry.unschedulable_plugins + entry.pending_plugins
        if not self.enabled:
            return (Strategy.SKIP if _says_nothing(event) else Strategy.AFTER_BACKOFF), ""
        if not rejectors or _scheduler(pod) not in self._registered:
            return Strategy.AFTER_BACKOFF, ""
        if event.is_wildcard:
            concerns = new is None or (isinstance(new, Pod) and uid_of(new) == uid_of(pod))
            return (Strategy.AFTER_BACKOFF if concerns else Strategy.SKIP), ""
        answer, by = Strategy.SKIP, ""
        for plugin in rejectors:
            if not self.ask(plugin, pod, event, old, new):
                continue
            if plugin in entry.pending_plugins:
                return Strategy.IMMEDIATELY, plugin
            if not entry.pending_plugins:
                return Strategy.AFTER_BACKOFF, plugin
            answer, by = Strategy.AFTER_BACKOFF, plugin
        return answer, by

    def ask(
        self,
        plugin: str,
        pod: Pod,
        event: ClusterEvent,
        old: KubernetesObject | None,
        new: KubernetesObject | None,
    ) -> bool | None:
        """Whether one plugin sees help for the pod in the event; None if it did not register for such events."""
        if not self.enabled:
            return not _says_nothing(event)
        registered = self._registered[_scheduler(pod)].get(plugin, ())
        heard = [one for one in registered if matches(one.event, event)]
        about = self.context_of(pod)
        return any(_says_yes(one, pod, old, new, about) for one in heard) if heard else None

    def is_unasked(self, plugin: str, pod: Pod, event: ClusterEvent) -> bool:
        """Whether it hears of the event only since whoever hears of new nodes hears of changed taints."""
        registered = self._registered[_scheduler(pod)].get(plugin, ())
        return [one for one in registered if matches(one.event, event)] == [IMPLICIT]

    def context_of(self, pod: Pod) -> Context:
        """What the profile that is responsible for the pod adds to it."""
        return self._contexts.get(_scheduler(pod), _NO_CONTEXT)

    def _find_concerned(self, plugin: str, event: ClusterEvent) -> bool:
        return any(
            matches(one.event, event) for by_plugin in self._registered.values() for one in by_plugin.get(plugin, ())
        )

    def _find_interested(self, event: ClusterEvent) -> tuple[str, ...]:
        names = {
            name: None
            for by_plugin in self._registered.values()
            for name, registered in by_plugin.items()
            if any(matches(one.event, event) for one in registered)
        }
        return tuple(names)


def _scheduler(pod: Pod) -> str:
    return pod.spec.scheduler_name or "default-scheduler"


def _says_nothing(event: ClusterEvent) -> bool:
    return event.resource in (ASSIGNED_POD, UNSCHEDULABLE_POD) and event.action == Action.UPDATE


def _says_yes(
    registered: Registration,
    pod: Pod,
    old: KubernetesObject | None,
    new: KubernetesObject | None,
    about: Context,
) -> bool:
    """An error of a hint counts as yes: rather one attempt too many."""
    try:
        return registered.hint is None or registered.hint(pod, old, new, about)
    except Invalid:
        return True
