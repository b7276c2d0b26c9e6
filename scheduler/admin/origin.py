"""Where somebody came from and goes back to: a page of the dashboard (`next`), else a list as it was left."""

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse

from scheduler.services.addresses import own_address

NEXT = "next"
FILTERS = "_changelist_filters"
EVERY_ROW = "p=1"  # stands for a list without filters, which tells it from a link that came from elsewhere
PAGES = {"board": "the board", "queue": "the queue", "uniteddeployments": "UnitedDeployments"}
OBJECTS = ("pod", "node", "uniteddeployment")


def origin(request: HttpRequest) -> str:
    """The page of this site that a link into the admin named; "" where there is none."""
    return own_address(request.GET.get(NEXT, ""))


def carried(request: HttpRequest, preserved: str) -> str:
    """What links inside the admin carry along: Django's filters of the list, and the origin."""
    both = dict(parse_qsl(preserved))
    if came_from := origin(request):
        both[NEXT] = came_from
    return urlencode(both)


def way_back(request: HttpRequest, opts: Any, cluster_id: int | None = None) -> str:
    """Where a save leads: to the origin; else to the list as it was left; else to the list of the cluster."""
    if came_from := origin(request):
        return came_from
    own = f"cluster__id__exact={cluster_id}" if cluster_id else ""
    filters = request.GET.get(FILTERS) or own
    address = reverse(f"admin:{opts.app_label}_{opts.model_name}_changelist")
    return f"{address}?{filters}" if filters else address


def above(address: str, page: str) -> str:
    """`address`, but where it is on an object's `page`, which will be gone, the list above that: `/c/demo/pods/`."""
    steps = page.split("/")  # "", "c", cluster, "pods", …
    return "/".join([*steps[:4], ""]) if len(steps) > 5 and address.startswith(page) else address


def place(address: str) -> str:
    """What the page at an address of the dashboard is called: `pods of demo`, `web-1`; "" for one without a name."""
    try:
        match = resolve(urlsplit(address).path)
    except Resolver404:
        return ""
    cluster, name = match.kwargs.get("cluster"), str(match.url_name)
    if not cluster:
        return ""
    return str(match.kwargs["name"]) if name in OBJECTS else f"{PAGES.get(name, name)} of {cluster}"
