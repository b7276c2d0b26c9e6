"""Creating a whole cluster at once, and deleting one."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from scheduler import store
from scheduler.engine.codec import codec
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.events import Event as Happened
from scheduler.engine.profile import Profiles
from scheduler.engine.simulation.settings import Settings
from scheduler.engine.simulation.simulation import Simulation
from scheduler.manifests.order import rank_of
from scheduler.models import Cluster, Event
from scheduler.services.admit import Admission
from scheduler.services.commit import Committed, write
from scheduler.services.news import publish
from scheduler.services.objects import OnInvalid
from scheduler.services.past import settled_at
from scheduler.services.staging import Staging

Progress = Callable[[str, int, int], None]
"""Stage, done, total. May raise to stop: nothing has been written then."""

TELL_EVERY = 250


class Beginning(TypedDict, total=False):
    """How a cluster begins. `start_us`: its virtual time, None = now."""

    seed: int
    start_us: int | None
    configuration: dict[str, Any] | None
    settings: Settings | None


def cluster_create(
    name: str,
    manifests: Iterable[dict[str, Any]] = (),
    *,
    speed: float = 1.0,
    description: str = "",
    actor: str = "",
    on_invalid: OnInvalid | None = None,
    progress: Progress | None = None,
    replace: bool = False,
    prepared: bool = False,
    before_commit: Callable[[Cluster], None] | None = None,
    **beginning: Unpack[Beginning],
) -> Cluster:
    """A new cluster with these objects, or nothing at all.

    `speed`: of its first run. Raises `Invalid` (name, configuration, manifests), `Refused` if the name is taken and is
    not to be replaced. With `on_invalid` a bad one is told by its index and left out instead. `prepared` manifests are
    a collection in the order of `in_order`; they hold no null and no fault, are taken one at a time, and become the
    cluster's own. What `before_commit` raises stops it.
    """
    tell = progress or (lambda stage, done, total: None)
    cluster = checked(Cluster(name=name, description=description, speed=speed), replace)
    staging = Staging(*_begun(name, **beginning), actor)
    given = manifests if prepared and isinstance(manifests, Collection) else list(manifests)
    _add_all(staging, Admission(staging.simulation, prepared), given, on_invalid, tell)
    for cluster_id in _save(cluster, staging, tell, replace, before_commit):
        store.forget(cluster_id)
    return cluster


def _begun(
    name: str,
    seed: int = 1,
    start_us: int | None = None,
    configuration: dict[str, Any] | None = None,
    settings: Settings | None = None,
) -> tuple[Simulation, list[Happened]]:
    now = time.time_ns() // 1_000 if start_us is None else start_us
    Profiles.from_configuration(configuration or {})
    return Simulation.create(name, seed, now, configuration or {}, settings or Settings())


def cluster_delete(cluster_id: int) -> None:
    """Delete the cluster with its whole log. Raises `Cluster.DoesNotExist`."""
    with transaction.atomic():
        cluster = Cluster.objects.select_for_update().get(pk=cluster_id)
        seq = cluster.seq
        cluster.delete()
    store.forget(cluster_id)
    transaction.on_commit(lambda: publish(cluster_id, seq))


def cluster_describe(cluster_id: int, description: str) -> None:
    """Set what people read about it: no event, for no state changes. Raises `Invalid`, `Cluster.DoesNotExist`."""
    row = Cluster.objects.get(pk=cluster_id)
    row.description = description.strip()
    checked(row, replace=True)
    Cluster.objects.filter(pk=cluster_id).update(description=row.description)


def cluster_reset(cluster_id: int, to_seq: int, actor: str = "", head: int | None = None) -> Committed:
    """Undo: from here on the state is again the one of `to_seq`. The log keeps what was. Raises `Refused`.

    `head`: the event that must still be the last one.
    """

    def decide(simulation: Simulation) -> list[Happened]:
        if head is not None and simulation.seq != head:
            raise Refused(grown(cluster_id, head, actor))
        if not 0 < to_seq < simulation.seq:
            raise Refused(f"Event {to_seq} is not in the past of this cluster: its log ends at {simulation.seq}.")
        return simulation.reset(settled_at(cluster_id, to_seq))

    return write(cluster_id, decide, actor=actor)


def grown(cluster_id: int, head: int, actor: str) -> str:
    """Why nothing is undone where the log has grown beyond `head`: by others, or by the person's own deeds."""
    since = Event.objects.filter(cluster_id=cluster_id, seq__gt=head)
    if actor and not since.exclude(actor=actor).exists():
        return "You have done something else since this page was made; nothing was undone."
    return "Something else has happened meanwhile; nothing was undone."


def checked(cluster: Cluster, replace: bool = False) -> Cluster:
    """The same, if its name may be used. Raises `Invalid`, and `Refused` if it is taken and not to be replaced."""
    try:
        cluster.full_clean(validate_unique=False)
    except ValidationError as fault:
        field, messages = next(iter(fault.message_dict.items()))
        raise Invalid(messages[0], field) from None
    if not replace and Cluster.objects.filter(name=cluster.name).exists():
        raise _taken(cluster.name)
    return cluster


def _taken(name: str) -> Refused:
    return Refused(f"There is a cluster {name} already.")


def in_order(manifests: Collection[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Manifests with their index: what pods refer to first, pods last, otherwise as given."""
    if not isinstance(manifests, list):
        return enumerate(manifests)
    return iter(sorted(enumerate(manifests), key=lambda item: rank_of(str(item[1].get("kind")))))


def _add_all(
    staging: Staging,
    admission: Admission,
    manifests: Collection[dict[str, Any]],
    on_invalid: OnInvalid | None,
    tell: Progress,
) -> None:
    """Waiting pods come 1 µs apart, so that they queue in their order: those of one moment leave as a heap has them."""
    for done, (index, manifest) in enumerate(in_order(manifests)):
        if done % TELL_EVERY == 0:
            tell("Adding objects", done, len(manifests))
        try:
            kind, admitted = admission.create(manifest)
        except Invalid as fault:
            if on_invalid is None:
                raise
            on_invalid(index, fault)
            continue
        if kind == "Pod" and not admitted["spec"].get("nodeName"):
            staging.simulation.clock.now_us += 1
        staging.add(kind, admitted)
    tell("Adding objects", len(manifests), len(manifests))


def _save(
    cluster: Cluster,
    staging: Staging,
    tell: Progress,
    replace: bool,
    before_commit: Callable[[Cluster], None] | None,
) -> list[int]:
    """All-or-nothing: one transaction, and the checkpoint that spares later readers the long way.

    Returns the ids of clusters that this one took the place of.
    """
    simulation = staging.simulation
    cluster.seq, cluster.now_us = simulation.seq, simulation.now_us
    cluster.start_us, cluster.tally = simulation.start_us, simulation.tally.dump()
    with ThreadPoolExecutor(1) as aside, transaction.atomic():
        blob = aside.submit(codec.encode_checkpoint, simulation)
        replaced = _insert(cluster, replace)
        staging.write(cluster.pk, lambda done, total: tell("Writing events", done, total))
        tell("Writing tables", 0, 1)
        store.checkpoint_save(cluster.pk, simulation.seq, blob.result())
        if before_commit is not None:
            before_commit(cluster)
    tell("Writing tables", 1, 1)
    identity, _ = store.identity_of(cluster.pk)
    transaction.on_commit(lambda: store.restore(identity, simulation))
    transaction.on_commit(lambda: publish(cluster.pk, simulation.seq))
    return replaced


def _insert(cluster: Cluster, replace: bool) -> list[int]:
    """Its row, in place of those whose ids are returned. Raises `Refused` if the name was taken meanwhile."""
    replaced = list(Cluster.objects.filter(name=cluster.name).values_list("pk", flat=True)) if replace else []
    Cluster.objects.filter(pk__in=replaced).delete()
    try:
        with transaction.atomic():
            cluster.save(force_insert=True)
    except IntegrityError:
        raise _taken(cluster.name) from None
    return replaced
