"""Importing a cluster from Kubernetes files: read everything, check everything, then store all of it or nothing."""

import gc
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import OperationalError
from django.db.models import F, Q

from scheduler.engine.errors import Refused
from scheduler.engine.simulation.settings import Settings
from scheduler.manifests.demo import DEMO_NAME, ROLLOUT_NAME, demo_manifests, rollout_manifests
from scheduler.manifests.limits import DEFAULT, Limits
from scheduler.manifests.order import newest_us
from scheduler.manifests.reading import TOLD_EVERY, Progress, Reader
from scheduler.manifests.report import Notice, Report
from scheduler.manifests.sources import Source
from scheduler.manifests.warnings import Notices, overfull
from scheduler.models import Cluster, Node
from scheduler.services.clusters import checked, cluster_create

ONE_CYCLE_A_SECOND = 0.01  # a cycle takes 10 ms of virtual time: the first run can be watched


@dataclass(frozen=True)
class Imported:
    """`cluster` is None where nothing was stored; the report says why."""

    report: Report
    cluster: Cluster | None


def cluster_import(
    name: str,
    sources: Iterable[Source],
    *,
    skip_invalid: bool = False,
    replace: bool = False,
    actor: str = "",
    progress: Progress | None = None,
    before_commit: Callable[[Imported], None] | None = None,
    limits: Limits = DEFAULT,
) -> Imported:
    """A new cluster of what the files hold. Where anything is wrong nothing is stored, unless `skip_invalid`.

    Raises `Invalid` for a bad name and `Refused` for a taken one, both before anything is read; `Refused` also where a
    disk is full or may not be written to. `before_commit` is given the whole report; what it raises undoes everything.
    """
    checked(Cluster(name=name), replace)
    reader = Reader(limits, progress)
    with _no_collections(), _plain_refusals():
        return _import(name, sources, reader, skip_invalid, replace, actor, progress, before_commit)


def _import(
    name: str,
    sources: Iterable[Source],
    reader: Reader,
    skip_invalid: bool,
    replace: bool,
    actor: str,
    progress: Progress | None,
    before_commit: Callable[[Imported], None] | None,
) -> Imported:
    reader.read(sources)
    reader.check()
    report, seen = reader.report, Notices()
    supply = Supply(reader, seen)
    cluster = None

    def whole(stored: Cluster) -> None:
        report.warnings = reader.unknown.told() + seen.told() + _overfull(stored)
        if before_commit is not None:
            before_commit(Imported(report, stored))

    if supply and (skip_invalid or not report.faults):
        cluster = cluster_create(
            name,
            supply,
            start_us=supply.newest_us,
            actor=actor,
            progress=progress,
            replace=replace,
            prepared=True,
            before_commit=whole,
        )
    else:
        supply.look_through(reader.progress)
        report.warnings = reader.unknown.told() + seen.told()
    return Imported(report, cluster)


class Supply(Collection[dict[str, Any]]):
    """What was read, in the order in which it enters a cluster; each manifest is made anew when its turn comes."""

    def __init__(self, reader: Reader, seen: Notices) -> None:
        self._entries, self._seen = sorted(reader.entries.values(), key=lambda entry: entry.order), seen
        self.newest_us = max((entry.newest_us for entry in self._entries if entry.newest_us is not None), default=None)

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for entry in self._entries:
            manifest = entry.manifest
            self._seen.see(manifest)
            yield manifest

    def __contains__(self, manifest: object) -> bool:
        return any(entry.manifest == manifest for entry in self._entries)

    def look_through(self, progress: Progress) -> None:
        """For the notices alone."""
        for done, _ in enumerate(self):
            if done % TOLD_EVERY == 0:
                progress("Checking objects", done, len(self))


@contextmanager
def _plain_refusals() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Refused(f"{error.strerror or error} in writing what was read. Nothing was stored.") from error
    except OperationalError as error:
        raise Refused(f"The database could not store it: {error}. Nothing was stored.") from error


@contextmanager
def _no_collections() -> Iterator[None]:
    """Millions of dicts are made and none is garbage; collections that walk them all were a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _overfull(cluster: Cluster) -> list[Notice]:
    """Placed pods stay where they are, even on nodes that would not take them."""
    over = (
        Q(requested_milli_cpu__gt=F("milli_cpu")) | Q(requested_memory__gt=F("memory")) | Q(pod_count__gt=F("max_pods"))
    )
    notice = overfull(Node.objects.filter(over, cluster=cluster).values_list("name", flat=True))
    return [notice] if notice else []


def demo_create(
    name: str = DEMO_NAME,
    *,
    replace: bool = False,
    actor: str = "",
    progress: Progress | None = None,
    before_commit: Callable[[Cluster], None] | None = None,
) -> Cluster:
    """The demo cluster. Raises `Invalid` for a bad name, `Refused` if it is taken and not to be replaced."""
    manifests = demo_manifests()
    start_us = newest_us(manifests)
    return cluster_create(
        name,
        manifests,
        start_us=start_us,
        speed=ONE_CYCLE_A_SECOND,
        actor=actor,
        progress=progress,
        replace=replace,
        before_commit=before_commit,
    )


def rollout_create(
    name: str = ROLLOUT_NAME,
    *,
    replace: bool = False,
    actor: str = "",
    progress: Progress | None = None,
    before_commit: Callable[[Cluster], None] | None = None,
) -> Cluster:
    """The cluster to watch a rollout in: its controllers are on. Raises as `demo_create` does."""
    manifests = rollout_manifests()
    return cluster_create(
        name,
        manifests,
        start_us=newest_us(manifests),
        settings=Settings(controllers=True),
        description="Run it: a UnitedDeployment makes pods in three zones.",
        actor=actor,
        progress=progress,
        replace=replace,
        before_commit=before_commit,
    )


DEMOS = {"demo": demo_create, "rollout": rollout_create}
"""Samples that are made by code, by slug."""
