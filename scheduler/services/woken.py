"""Which waiting pods a write has brought back into a queue, told with links in the message about the write."""

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from scheduler.engine.queue.entry import GATED, UNSCHEDULABLE
from scheduler.engine.words import count
from scheduler.models import Cluster, Event, QueueEntry

NAMED = 5
WAITED = (UNSCHEDULABLE, GATED)


def woken(cluster_id: int, first: int, last: int) -> dict[str, list[str]]:
    """By queue, in the order of the moves: pods (`namespace/name`) that events `first`…`last` took out of waiting."""
    rows = Event.objects.filter(cluster_id=cluster_id, kind="PodMoved", seq__range=(first, last), source__in=WAITED)
    found: dict[str, list[str]] = {}
    for key, target in rows.order_by("seq").values_list("object_key", "target"):
        if target not in ("", *WAITED):
            found.setdefault(target, []).append(key.removeprefix("Pod/"))
    return found


def woken_told(cluster_id: int, first: int, last: int) -> SafeString:
    """`3 waiting pods were moved to ActiveQ: a, b and c.`, each a link; "" where none was."""
    found = woken(cluster_id, first, last)
    name = Cluster.objects.values_list("name", flat=True).get(pk=cluster_id) if found else ""
    return format_html_join("", " {}", ((_told(name, queue, pods),) for queue, pods in found.items()))


def _told(cluster: str, queue: str, pods: list[str]) -> SafeString:
    links = format_html_join(", ", '<a href="{}">{}</a>', ((_page(cluster, pod), pod) for pod in pods[:NAMED]))
    more = f" and {len(pods) - NAMED:,} more" if len(pods) > NAMED else ""
    moved = count(len(pods), "waiting pod was", "waiting pods were")
    return format_html("{} moved to {}: {}{}.", moved, QueueEntry.Queue(queue).label, links, more)


def _page(cluster: str, pod: str) -> str:
    return reverse("pod", args=(cluster, *pod.split("/", 1)))
