"""Where a branch comes from, and where branches went: their description says so, while nobody has rewritten it."""

import re
from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse

from scheduler.models import Cluster

SAID = re.compile(r"Branch of (?P<name>[-a-z0-9]+) at event (?P<seq>\d{1,18})(, by [^: ]+)?(: (?P<done>.+))?")


def branches_of(cluster: Cluster, most: int) -> list[str]:
    """Names of the branches of a cluster that still say so, the newest first."""
    younger = Cluster.objects.filter(created__gt=cluster.created)
    said = younger.filter(description__startswith=f"Branch of {cluster.name} at event ")
    return list(said.order_by("-created").values_list("name", flat=True)[:most])


class Origin(NamedTuple):
    """`done`: what was changed on the branch from the beginning, "" for nothing. `address`: the same page there."""

    name: str
    seq: int
    done: str
    address: str


def origin_of(cluster: Cluster, request: HttpRequest) -> Origin | None:
    """None for a cluster that is no branch, or whose origin is gone."""
    said = SAID.fullmatch(cluster.description)
    if said is None:
        return None
    older = Cluster.objects.filter(name=said["name"], created__lt=cluster.created, seq__gte=int(said["seq"]))
    if not older.exists():
        return None
    return Origin(said["name"], int(said["seq"]), said["done"] or "", _there(request, cluster.name, said["name"]))


def _there(request: HttpRequest, branch: str, origin: str) -> str:
    """The page of the same thing. A cycle's number means another cycle there: its board, then."""
    match = request.resolver_match
    board = reverse("board", args=(origin,))
    if match is None or "number" in match.kwargs:
        return board
    return request.path.replace(reverse("board", args=(branch,)), board, 1)
