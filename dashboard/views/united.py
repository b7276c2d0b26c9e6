"""UnitedDeployments: the list, and one of them with its controls. A wish is planned by GET and applied by POST."""

import io
from typing import Any

import yaml
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from dashboard.build.past import as_of
from dashboard.build.present import at_present
from dashboard.build.united import export, listing, page, part
from dashboard.build.united.passes import passes
from dashboard.build.united.seen import key_of, manifest_of, seen
from dashboard.build.united.wish import Manifest, tell, wish
from dashboard.sheets import write_csv
from dashboard.views.common import NotThere, asked_seq, cluster_or_404, json_response, past_view, show, was_there
from scheduler import services, store
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.objects import ObjectKey
from scheduler.engine.uniteddeployment.versions import VERSIONS, converted
from scheduler.models import Cluster, UnitedDeployment
from scheduler.services.access import may_write

EXPORTED = ("name", "namespace", "labels", "annotations")


@past_view
def united_list(request: HttpRequest, cluster: Cluster) -> HttpResponse:
    with store.reading(cluster.pk, cluster.seq) as simulation:
        rows, on = listing.rows(simulation, cluster.now_us), simulation.settings.controllers
    return show(
        request, "united_list.html", "uniteddeployments", cluster, rows=rows, controllers=on, **listing.summed(rows)
    )


@require_http_methods(["GET", "HEAD", "POST"])
def united_page(request: HttpRequest, cluster: str, namespace: str, name: str) -> HttpResponseBase:
    row = cluster_or_404(cluster)
    at = asked_seq(request, row)
    if request.method != "POST":
        shown = at_present(row) if at is None else as_of(row, at)
        return _show(request, shown, namespace, name, request.GET.dict(), head=row.seq)
    if not may_write(request.user):
        raise PermissionDenied("You may look at this cluster but not change it.")
    if at is not None:
        raise PermissionDenied(f"This page shows event {at}, which is the past: nothing can be written there.")
    acts = {"apply": _apply, "reconcile": _reconcile, "controllers": _controllers}
    act = acts.get(request.POST.get("form", "apply"), _apply)
    return act(request, row, namespace, name)


def _apply(request: HttpRequest, row: Cluster, namespace: str, name: str) -> HttpResponseBase:
    given = request.POST.dict()

    def edit(stored: Manifest) -> Manifest:
        wished = wish(stored, given)
        if wished.is_wrong:
            raise _WrongError
        if not wished.is_changed:
            raise _SameError
        return wished.manifest

    try:
        committed = services.objects_change(row.pk, [key_of(namespace, name)], edit, request.user.get_username())
    except _SameError:
        messages.info(request, "Nothing differs from what is stored, so nothing was written.")
        return redirect("uniteddeployment", cluster=row.name, namespace=namespace, name=name)
    except _WrongError:
        return _show(request, row, namespace, name, given, status=400)
    except Invalid as fault:
        faults = getattr(fault, "faults", (fault,))
        return _show(request, row, namespace, name, given, faults=faults, status=400)
    except Refused as fault:
        messages.error(request, str(fault))
        return redirect("uniteddeployments", cluster=row.name)
    messages.success(request, f"Applied (event {committed.last_seq}). {_what_follows(row)}")
    return redirect("uniteddeployment", cluster=row.name, namespace=namespace, name=name)


def _what_follows(row: Cluster) -> str:
    with store.reading(row.pk) as simulation:
        if not simulation.settings.controllers:
            return "Controllers are off, so nothing follows from it."
    if row.wanted == Cluster.Wanted.RUNNING:
        return "Its controller looks at it a moment later."
    return "Time stands still: run the cluster, or step to the next controller moment."


def _reconcile(request: HttpRequest, row: Cluster, namespace: str, name: str) -> HttpResponseBase:
    try:
        services.controllers_step(row.pk, request.user.get_username())
    except Refused as fault:
        messages.warning(request, str(fault))
    return redirect("uniteddeployment", cluster=row.name, namespace=namespace, name=name)


def _controllers(request: HttpRequest, row: Cluster, namespace: str, name: str) -> HttpResponseBase:
    services.controllers_switch(row.pk, request.user.get_username(), on=request.POST.get("on") == "1")
    return redirect("uniteddeployment", cluster=row.name, namespace=namespace, name=name)


@past_view
def united_yaml(request: HttpRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """The object as a file that kubectl takes, in the version that `?version=` names."""
    with store.reading(cluster.pk, cluster.seq) as simulation:
        stored = manifest_of(simulation, key_of(namespace, name))
    if stored is None:
        raise NotThere(f"Cluster `{cluster.name}` has no UnitedDeployment `{namespace}/{name}`.")
    try:
        made = converted(stored, request.GET.get("version", "v1beta1"))
    except Invalid as fault:
        return HttpResponse(f"{fault}.\n", status=400, content_type="text/plain; charset=utf-8")
    made["metadata"] = {key: value for key, value in made["metadata"].items() if key in EXPORTED and value}
    text = yaml.safe_dump(made, sort_keys=False, allow_unicode=True)
    headers = {"Content-Disposition": f'attachment; filename="{name}.yaml"'}
    return HttpResponse(text, content_type="application/yaml; charset=utf-8", headers=headers)


@require_http_methods(["GET", "HEAD"])
def united_data(request: HttpRequest, cluster: str, namespace: str, name: str, form: str) -> HttpResponse:
    """What the page shows at the same query: `csv` has its subsets, `json` the pass and the history as well."""
    row = cluster_or_404(cluster)
    at = asked_seq(request, row)
    shown = at_present(row) if at is None else as_of(row, at)
    _, context = _context(shown, namespace, name, request.GET.dict(), head=row.seq)
    if form == "json":
        return json_response(export.document(context))
    text = io.StringIO()
    write_csv(text, export.table(context["rows"]))
    headers = {"Content-Disposition": f'attachment; filename="{name}-subsets.csv"'}
    return HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8", headers=headers)


class _SameError(Exception):
    """The wish is what is stored already."""


class _WrongError(Exception):
    """The wish cannot be written; its fields say why."""


def _context(
    cluster: Cluster, namespace: str, name: str, given: dict[str, Any], *, head: int, faults: Any = ()
) -> tuple[Manifest, dict[str, Any]]:
    """The stored object and what its page shows."""
    key = key_of(namespace, name)
    looks = passes(cluster, key, max(head, cluster.seq))
    with store.reading(cluster.pk, cluster.seq) as simulation:
        stored = manifest_of(simulation, key)
        if stored is None:
            raise _not_there(cluster, key)
        view = seen(cluster, simulation, key, stored, given, is_past_pass=bool(looks.number))
        tell(view.wish, faults)
        return stored, page.context(cluster, simulation, key, view, looks, given)


def _not_there(cluster: Cluster, key: ObjectKey) -> NotThere:
    """Now, or at the event that the cluster is shown at."""
    everything, at = reverse("uniteddeployments", args=(cluster.name,)), getattr(cluster, "at", None)
    said = f"Cluster `{cluster.name}` has no UnitedDeployment `{key[1]}/{key[2]}`"
    if at is None:
        told = was_there(cluster, "/".join(key))
        return NotThere(f"{said} now. {told}", (everything, f"UnitedDeployments of {cluster.name}"))
    links = [(f"{everything}?at={at}", f"UnitedDeployments at event {at}")]
    if UnitedDeployment.objects.filter(cluster_id=cluster.pk, namespace=key[1], name=key[2]).exists():
        links.insert(0, (reverse("uniteddeployment", args=(cluster.name, *key[1:])), f"{key[2]} now"))
    return NotThere(f"{said} at event {at}.", *links)


def _show(
    request: HttpRequest,
    cluster: Cluster,
    namespace: str,
    name: str,
    given: dict[str, Any],
    *,
    head: int = 0,
    faults: Any = (),
    status: int = 200,
) -> HttpResponse:
    """`head`: the newest event, where the past is shown."""
    stored, context = _context(cluster, namespace, name, given, head=head, faults=faults)
    row = UnitedDeployment.objects.filter(cluster_id=cluster.pk, namespace=namespace, name=name).only("pk").first()
    response = show(
        request,
        "united.html",
        "uniteddeployments",
        cluster,
        namespace=namespace,
        name=name,
        view="table" if given.get("view") == "table" else "flow",
        state={},
        versions=VERSIONS,
        manifest=yaml.dump(stored, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True),
        row=row,
        query=request.GET.urlencode(),
        kept=[(name, value) for name, value in request.GET.items() if name not in ("find", "page")],
        **(part.of_part(context["part"], context) if "part" in context else context),
    )
    response.status_code = status
    return response
