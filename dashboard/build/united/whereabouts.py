"""On which node a pod was between its coming and its going, as the log tells it: also of pods that are gone."""

from collections.abc import Iterable

from dashboard.build.united.passes import counted
from scheduler.models import Event

CHUNK = 200


def placed(cluster_id: int, head: int, pods: Iterable[str]) -> dict[str, list[tuple[int, str]]]:
    """By pod as the log names it, `Pod/default/web`: (seq, node) of each time that it was bound, oldest first."""
    names, found = sorted(set(pods)), dict[str, list[tuple[int, str]]]()
    for first in range(0, len(names), CHUNK):
        rows = Event.objects.filter(
            counted(cluster_id, head),
            cluster_id=cluster_id,
            kind="CycleFinished",
            outcome="bound",
            object_key__in=names[first : first + CHUNK],
        ).order_by("seq")
        for seq, name, payload in rows.values_list("seq", "object_key", "payload").iterator():
            found.setdefault(name, []).append((seq, payload["decision"]["node"]))
    return found


def between(places: Iterable[tuple[int, str]], after: int, before: int) -> str:
    """The node of the last time within; "" if there was none."""
    return next((node for seq, node in reversed(list(places)) if after < seq < before), "")
