"""The nearest page above an address: where somebody goes on from one that cannot be opened."""

from collections.abc import Iterator
from contextlib import suppress

from django.urls import NoReverseMatch, Resolver404, ResolverMatch, resolve, reverse

DEEPEST = 8  # parts of an address that are looked at: it may have been made up
TEXTS = {
    "home": "All clusters",
    "board": "The board of {cluster}",
    "cluster-edit": "Edit {cluster}",
    "case-edit": "Edit the case",
    "lesson": "The case",
    "learn": "All cases",
    "import-job": "The import",
    "pod": "The pod {name}",
    "node": "The node {name}",
    "cycle": "Cycle {number}",
    "uniteddeployment": "The UnitedDeployment {name}",
}


def way_on(path: str) -> tuple[str, str]:
    """(address, text) of the page that the button of this address stands on, as far as addresses tell."""
    return next((link for address in _candidates(path) if (link := _link(address))), ("/", TEXTS["home"]))


def _candidates(path: str) -> Iterator[str]:
    """What edits a thing can delete it as well; then whatever is above, the nearest first."""
    match = resolved(path)
    name = (match.url_name or "") if match else ""
    if match and name.endswith("-delete"):
        with suppress(NoReverseMatch):
            yield reverse(name.removesuffix("delete") + "edit", kwargs=match.kwargs)
    parts = path.strip("/").split("/")[:DEEPEST]
    for many in range(len(parts) - 1, 0, -1):
        yield "/" + "/".join(parts[:many]) + "/"


def _link(address: str) -> tuple[str, str] | None:
    match = resolved(address)
    if match is None or match.url_name not in TEXTS:
        return None
    return address, TEXTS[match.url_name].format(**match.kwargs)


def resolved(path: str) -> ResolverMatch | None:
    try:
        return resolve(path)
    except Resolver404:
        return None


def cluster_name(path: str) -> str:
    """Of the cluster that an address is below, known or not; "" outside of one."""
    first, _, rest = path.lstrip("/").partition("/")
    return rest.partition("/")[0] if first == "c" else ""
