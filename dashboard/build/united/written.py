"""What the status of a pass has that the one before had not, with the sums that its numbers are."""

from collections.abc import Iterator, Sequence

from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.status import Condition, Status
from scheduler.engine.uniteddeployment.updates import updated_replicas

Change = tuple[str, str, str, bool]  # field, before, after, whether it speaks of something that failed
SUMMED = 8  # subsets that a sum has room for


def changes(before: Status, done: Pass) -> Iterator[Change]:
    """Numbers of all with the subsets' that they are the sum of, then the conditions, then each subset."""
    after, sums = done.status, _sums(done)
    numbers = ("replicas", "ready_replicas", "updated_replicas", "updated_ready_replicas", "reserved_pods")
    for name in (*numbers, "current_revision", "updated_revision"):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield _camel(name), str(old) or "none", f"{new}{sums.get(name, '')}", False
    yield from _conditions("", before.conditions, after.conditions)
    known = {one.name: one for one in before.subset_statuses}
    for one in after.subset_statuses:
        held = known.get(one.name)
        for name in ("replicas", "ready_replicas", "partition", "reserved_pods"):
            old, new = getattr(held, name, 0), getattr(one, name)
            if old != new:
                yield f"{one.name} {_camel(name)}", str(old), str(new), False
        yield from _conditions(f"{one.name} ", held.conditions if held else (), one.conditions)


def _conditions(of: str, before: Sequence[Condition], after: Sequence[Condition]) -> Iterator[Change]:
    held = {one.type: one for one in before}
    for one in after:
        old = held.get(one.type)
        if old is None or old.status != one.status:
            tail = f", {one.message}" if one.message else ""
            yield f"{of}{one.type}", old.status if old else "none", f"{one.status}{tail}", one.status == "False"


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _sums(done: Pass) -> dict[str, str]:
    """By number of the status: ` = 4 + 3 + 1`, over the workloads that the pass found; of one there is no sum."""
    held = list(done.existing.values())
    if not 1 < len(held) <= SUMMED or done.revisions is None:
        return {}
    updated = [updated_replicas(one, done.revisions.updated.name) for one in held]
    reserved = sum(one.reserved_pods for one in done.detected.values())
    parts = {
        "replicas": [one.status_replicas for one in held],
        "ready_replicas": [one.ready_replicas for one in held],
        "updated_replicas": [pods for pods, _ in updated],
        "updated_ready_replicas": [ready for _, ready in updated],
    }
    told = {name: f" = {' + '.join(map(str, numbers))}" for name, numbers in parts.items()}
    return told | ({"replicas": f"{told['replicas']} − {reserved} reserved"} if reserved else {})
