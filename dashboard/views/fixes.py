"""What would make a pending pod fit: fixes.json tries a few changes at a time, POST opens a branch with one done."""

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from dashboard.build.fixes import fixes
from dashboard.views.branches import tell_of_branch
from dashboard.views.common import asked_number, asked_seq, cluster_view, json_response, refuse
from scheduler import services, store
from scheduler.engine.errors import Invalid, PluginError, Refused
from scheduler.models import Cluster
from scheduler.services.access import may_create, may_write

BODY_LIMIT = 1_000
NOT_ALLOWED = "You may look but not branch: ask for the permissions to add and to change clusters."


class Order(msgspec.Struct, forbid_unknown_fields=True):
    fix: str
    seq: int


@cluster_view
def fixes_json(request: HttpRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """As at `?at=`, from candidate `?from=` on. 409 for a pod that does not wait then."""
    at = asked_seq(request, cluster)
    with store.reading(cluster.pk, at) as simulation:
        try:
            found = fixes(
                cluster.pk,
                simulation,
                f"{namespace}/{name}",
                asked_number(request, "from", 0),
                is_now=at in (None, cluster.seq),
                can_branch=_may_branch(request),
            )
        except (Refused, PluginError) as fault:
            return refuse(str(fault), 409)
    return json_response(found)


def _may_branch(request: HttpRequest) -> bool:
    return may_write(request.user) and may_create(request.user)


@require_POST
def fix_branch(request: HttpRequest, cluster: str, namespace: str, name: str) -> JsonResponse:
    """Body: `{"fix": id, "seq": n}` as fixes.json told them. Answers with the address of the pod on the branch."""
    if not _may_branch(request):
        return refuse(NOT_ALLOWED, 403)
    if request.content_type != "application/json":
        return refuse("This is sent as application/json.", 415)
    if int(request.META.get("CONTENT_LENGTH") or 0) > BODY_LIMIT:
        return refuse(f"At most {BODY_LIMIT} bytes are read here.", 413)
    try:
        order = msgspec.json.decode(request.read(BODY_LIMIT + 1), type=Order)
        row = Cluster.objects.only("pk").get(name=cluster)
        pod, actor = f"{namespace}/{name}", request.user.get_username()
        branch = services.fix_branch(row.pk, order.seq, pod, order.fix, actor=actor)
    except msgspec.DecodeError as fault:
        return refuse(f"This names no fix: {fault}.", 400)
    except Cluster.DoesNotExist:
        return refuse(f"There is no cluster {cluster}.", 404)
    except LookupError as fault:
        return refuse(str(fault), 404)
    except Invalid as fault:
        return refuse(f"{fault}.", 400)
    except (Refused, PluginError) as fault:
        return refuse(str(fault), 409)
    tell_of_branch(request, cluster, branch)
    address = reverse("pod", args=(branch.name, namespace, name))
    return JsonResponse({"ok": True, "cluster": branch.name, "seq": branch.seq, "address": address})
