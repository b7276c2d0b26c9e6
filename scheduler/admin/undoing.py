"""The way back right after a write: a button in the message that tells of it, which takes back exactly its events."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from scheduler.models import Cluster
from scheduler.services.access import may_write
from scheduler.services.commit import Committed
from scheduler.services.woken import woken_told

Stretch = tuple[int, int]


def note(request: HttpRequest, cluster_id: int, committed: Committed) -> None:
    """Remember what this request has written; nothing can be offered where somebody else wrote in between."""
    written = _written(request)
    if not committed.events:
        return
    first, last = written.get(cluster_id, (committed.first_seq, committed.first_seq - 1))
    written[cluster_id] = (first if last + 1 == committed.first_seq else 0, committed.last_seq)


def ways_back(request: HttpRequest) -> SafeString:
    """For each cluster that was written, once: the pods that were woken, the event, and a button."""
    written = _written(request) if may_write(request.user) else {}
    whole = {cluster_id: stretch for cluster_id, stretch in written.items() if stretch[0]}
    _written(request).clear()
    names = Cluster.objects.in_bulk(whole)
    return format_html_join("", "{}", ((_button(names[one], whole[one], len(whole) > 1),) for one in whole))


def has_written(request: HttpRequest) -> bool:
    """Whether this request has written an event that no message has told of yet."""
    return bool(_written(request))


def _button(cluster: Cluster, stretch: Stretch, one_of_many: bool) -> SafeString:
    words = f"Undo in {cluster}" if one_of_many else "Undo"
    return format_html(
        '{} (event {}) <button class="button" form="undo" formaction="{}" name="range" value="{}-{}">{}</button>',
        woken_told(cluster.pk, *stretch),
        stretch[1],
        reverse("undo", args=(cluster.name,)),
        *stretch,
        words,
    )


def _written(request: HttpRequest) -> dict[int, Stretch]:
    """First and last event by cluster; 0 for a first that is not known."""
    written: dict[int, Stretch] = request.__dict__.setdefault("podium_written", {})
    return written
