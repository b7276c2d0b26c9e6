"""What one does to several nodes at once. What deletes pods is shown before it is done."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest, HttpResponse

from scheduler import store
from scheduler.admin.action_forms import CopiesForm, DrainForm, TaintForm
from scheduler.admin.action_page import SENTENCE, ActionPage, Preview
from scheduler.admin.base import ObjectAdmin
from scheduler.admin.undoing import note
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.events import Event as Happened
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.words import count
from scheduler.models import Node
from scheduler.services import nodes, nodes_cordon, nodes_drain, objects_change, write
from scheduler.services.commit import Committed
from scheduler.services.evictions import Fate, Leaving, abandoned, drained
from scheduler.services.node_changes import node_clone

FATES: dict[Fate, tuple[str, str]] = {
    "requeued": ("returns to the queue", "return to the queue"),
    "replaced": ("is made anew by its controller", "are made anew by their controllers"),
    "lost": ("goes: nothing makes it anew", "go: nothing makes them anew"),
    "blocked": (
        "stays, because a disruption budget protects it",
        "stay, because a disruption budget protects them",
    ),
    "stays": ("stays: it belongs to its node", "stay: they belong to their nodes"),
}
Rows = models.QuerySet[Node]


class NodeActions(ObjectAdmin):
    actions = ("cordon", "uncordon", "drain", "add_taint", "clone")

    @admin.action(description="Cordon", permissions=["change"])
    def cordon(self, request: HttpRequest, rows: Rows) -> None:
        self._each(request, rows.filter(unschedulable=False), "Cordoned", nodes_cordon)

    @admin.action(description="Uncordon", permissions=["change"])
    def uncordon(self, request: HttpRequest, rows: Rows) -> None:
        self._each(request, rows.filter(unschedulable=True), "Uncordoned", partial(nodes_cordon, cordoned=False))

    @admin.action(description="Drain…", permissions=["change"])
    def drain(self, request: HttpRequest, rows: Rows) -> HttpResponse | None:
        if not request.user.has_perm("scheduler.delete_pod"):
            raise Refused("Draining deletes pods, which you may not do.")
        page = ActionPage(self, request, rows, f"Drain {count(len(rows), 'node')}")
        answer = page.answer(DrainForm)
        if answer is None:
            return page.shown(drain_preview(page.rows), danger=True)
        self._each(request, rows, "Drained", partial(nodes_drain, ignore_budgets=answer["ignore_budgets"]))
        return None

    @admin.action(description="Add a taint…", permissions=["change"])
    def add_taint(self, request: HttpRequest, rows: Rows) -> HttpResponse | None:
        page = ActionPage(self, request, rows, f"Add a taint to {count(len(rows), 'node')}", "Taint")
        answer = page.answer(TaintForm)
        if answer is not None:
            try:
                self._each(request, rows, "Tainted", partial(taint, taints=answer["taints"]))
                return None
            except (Refused, Invalid) as fault:
                page.refuse(fault)
        return page.shown(chosen(page.rows))

    @admin.action(description="Clone…", permissions=["add"])
    def clone(self, request: HttpRequest, rows: Rows) -> HttpResponse | None:
        page = ActionPage(self, request, rows, f"Clone {count(len(rows), 'node')}", "Clone")
        answer = page.answer(CopiesForm)
        if answer is None:
            return page.shown(
                chosen(page.rows, "Labels, taints and resources are copied; the copies are not cordoned.")
            )
        for node in page.rows:
            made = node_clone(node.cluster_id, node.name, answer["copies"], str(request.user.get_username()))
            note(request, node.cluster_id, made)
        self.told(request, f"Added {count(len(page.rows) * answer['copies'], 'node')}.")
        return None

    def _each(self, request: HttpRequest, rows: Rows, done: str, act: Callable[..., Committed]) -> None:
        names: dict[int, list[str]] = {}
        for cluster_id, name in rows.order_by("cluster", "name").values_list("cluster", "name"):
            names.setdefault(cluster_id, []).append(name)
        for cluster_id, those in names.items():
            note(request, cluster_id, act(cluster_id, those, str(request.user.get_username())))
        many = sum(map(len, names.values()))
        self.told(request, f"{done} {count(many, 'node')}." if many else f"{done} none: they were so already.")


def taint(cluster_id: int, names: list[str], actor: str, taints: list[dict[str, Any]]) -> Committed:
    """Add taints to nodes; each takes the place of one with its key and effect (`kubectl taint --overwrite`)."""
    new = {(one.get("key"), one.get("effect")) for one in taints}

    def edit(manifest: dict[str, Any]) -> dict[str, Any]:
        spec = manifest.get("spec") or {}
        kept = [one for one in spec.get("taints") or () if (one.get("key"), one.get("effect")) not in new]
        return {**manifest, "spec": {**spec, "taints": [*kept, *taints]}}

    return objects_change(cluster_id, [("Node", "", name) for name in names], edit, actor)


def nodes_delete(cluster_id: int, names: list[str], actor: str) -> Committed:
    """Delete nodes and their pods in one commit."""

    def decide(simulation: Simulation) -> list[Happened]:
        return [event for name in names for event in nodes.remove(cluster_id, name, simulation)]

    return write(cluster_id, decide, actor=actor)


def chosen(rows: list[Node], *says: str) -> Preview:
    listed = [(node.name, node.cluster.name, node.taints or "–", str(node.pod_count)) for node in rows]
    return Preview(says, ("Node", "Cluster", "Taints", "Pods"), listed)


def drain_preview(rows: list[Node]) -> Preview:
    """What becomes of every pod on these nodes."""
    leaving = _leaving(rows, drained)
    says = [f"{count(len(rows), 'node')} will be cordoned. {fates(leaving) or no_pods(rows)}"]
    return Preview(says, ("Pod", "Node", SENTENCE), [told(one) for one in leaving])


def delete_told(rows: list[Node]) -> list[str]:
    """What the deletion of these nodes does to the pods on them."""
    leaving = _leaving(rows, abandoned)
    return [fates(leaving) or no_pods(rows)]


def no_pods(rows: list[Node]) -> str:
    return f"No pods are on {'it' if len(rows) == 1 else 'them'}."


def fates(leaving: list[Leaving]) -> str:
    """`12 pods return to the queue. 1 pod stays: it belongs to its node.`"""
    numbers = Counter(one.fate for one in leaving)
    told = ((numbers[fate], words) for fate, words in FATES.items() if numbers[fate])
    return " ".join(f"{count(number, 'pod')} {words[number != 1]}." for number, words in told)


def told(one: Leaving) -> tuple[str, str, str]:
    what = fates([one]).removeprefix("1 pod ").partition(":")[0].partition(",")[0].rstrip(".")
    return one.pod.key, one.pod.node_name, f"{what}: {one.why}" if one.why else what


def _leaving(rows: list[Node], look: Callable[[Simulation, str], list[Leaving]]) -> list[Leaving]:
    found: list[Leaving] = []
    for cluster_id in sorted({node.cluster_id for node in rows}):
        with store.reading(cluster_id) as simulation:
            for node in rows:
                if node.cluster_id == cluster_id:
                    found += look(simulation, node.name)
    return found
