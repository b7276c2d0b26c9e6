"""Set the replicas of several workloads at once."""

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest, HttpResponse

from scheduler.admin.action_forms import ReplicasForm
from scheduler.admin.action_page import ActionPage, Preview
from scheduler.admin.base import ObjectAdmin
from scheduler.admin.undoing import note
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.objects import ObjectKey
from scheduler.engine.words import count
from scheduler.services.workloads import workloads_scale

SCALED = (
    "UnitedDeployment", "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "CloneSet",
    "AdvancedStatefulSet",
)  # fmt: skip


class ScaleAction(ObjectAdmin):
    """For workloads, and for kinds some of which are workloads."""

    actions = ("scale",)

    @admin.action(description="Set replicas…", permissions=["change"])
    def scale(self, request: HttpRequest, rows: models.QuerySet[Any]) -> HttpResponse | None:
        page = ActionPage(self, request, rows, f"Set the replicas of {count(len(rows), self.word)}", "Set replicas")
        others = sorted({self.key_of(row)[0] for row in page.rows} - set(SCALED))
        if others:
            raise Refused(f"{others[0]} has no replicas to set; choose workloads alone.")
        answer = page.answer(ReplicasForm)
        if answer is not None:
            try:
                self._scale(request, page.rows, answer["replicas"])
                return None
            except (Refused, Invalid) as fault:
                page.refuse(fault)
        listed = [(str(row), row.cluster.name, str(replicas(row.manifest))) for row in page.rows]
        return page.shown(Preview((), ("Object", "Cluster", "Replicas now"), listed))

    def _scale(self, request: HttpRequest, rows: list[Any], number: int) -> None:
        keys: dict[int, list[ObjectKey]] = {}
        for row in rows:
            keys.setdefault(row.cluster_id, []).append(self.key_of(row))
        for cluster_id, those in keys.items():
            committed = workloads_scale(cluster_id, those, number, str(request.user.get_username()))
            note(request, cluster_id, committed)
        self.told(request, f"Set {count(len(rows), self.word)} to {count(number, 'replica')}.")


def replicas(manifest: dict[str, Any]) -> Any:
    """As written; one where nothing is."""
    spec = manifest.get("spec")
    number = spec.get("replicas") if isinstance(spec, dict) else None
    return 1 if number is None else number
