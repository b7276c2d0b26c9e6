"""Rows of the small tables: each function answers a row's input in the shape of the rest of the row."""

import struct
from typing import Any

import msgspec

from scheduler.engine import config, labels, objects, plugins
from scheduler.engine.arithmetic import golang
from scheduler.engine.conformance.select_host import heap_pop_order
from scheduler.engine.cycle.search import feasible_nodes_to_find
from scheduler.engine.errors import Invalid
from scheduler.engine.hints.event import Action, ClusterEvent, action_name
from scheduler.engine.hints.table import registrations
from scheduler.engine.profile import Profiles
from scheduler.engine.values import taints

Row = dict[str, Any]


def label_selector(row: Row) -> Row:
    try:
        if "text" in row:
            selector = labels.parse(row["text"])
        else:
            selector = labels.label_selector(msgspec.convert(row["selector"], objects.LabelSelector | None))
    except Invalid as error:
        return {"valid": False, "error": str(error)}
    matches = [selector.matches(one) for one in row["labels"]]
    return {"valid": True, "canonical": str(selector), "empty": selector.is_empty, "matches": matches}


def tolerations(row: Row) -> Row:
    tolerated = msgspec.convert(row["tolerations"] or [], list[objects.Toleration])
    tainted = msgspec.convert(row["taints"] or [], list[objects.Taint])
    first = taints.first_untolerated(tainted, tolerated)
    return {
        "tolerated": [taints.is_tolerated(taint, tolerated) for taint in tainted],
        "schedulable": first is None,
        "prefer_no_schedule_untolerated": taints.prefer_no_schedule_untolerated(tainted, tolerated),
    } | ({"first_untolerated": _taint(first)} if first else {})


def _taint(taint: objects.Taint) -> Row:
    """As Go writes it: the key in any case, a value only if there is one."""
    return {"key": taint.key} | ({"value": taint.value} if taint.value else {}) | {"effect": taint.effect}


def node_selector(row: Row) -> Row:
    affinity = msgspec.convert(row.get("node_affinity"), objects.NodeAffinity | None)
    spec = objects.PodSpec(node_selector=row.get("node_selector"), affinity=objects.Affinity(node_affinity=affinity))
    required = labels.RequiredNodeAffinity.of(objects.Pod(spec=spec))
    nodes = [(node["name"], node.get("labels", {})) for node in row["nodes"]]
    errors = [required.error(*node) for node in nodes]
    found: Row = {"matches": [required.matches(*node) for node in nodes]} | (
        {"match_errors": errors} if any(errors) else {}
    )
    if affinity is None or (affinity.preferred is None and affinity.required is not None):
        return found
    try:
        terms = labels.preferred_terms(affinity.preferred)
    except Invalid as error:
        return found | {"preferred_error": str(error)}
    return found | {"preferred_scores": [terms.score(*node) for node in nodes]}


def feasible_nodes(row: Row) -> Row:
    return {"find": feasible_nodes_to_find(row["percentage"], row["nodes"])}


def default_plugins(point: str) -> list[str]:
    """What the default profile runs at a point, or has registered for. PreEnqueue has no order: names are sorted."""
    profile = Profiles.default().first
    if point == "queueing_hints":
        names = {name for enabled in profile.plugins.values() for name in enabled}
        return sorted(f"{name} <- {_event(one.event)}" for name in names for one in registrations(name))
    if point == "score":
        return [f"{name} weight={profile.weight(name)}{_normalizes(name)}" for name in profile.enabled(point)]
    names_in_order = list(profile.enabled(point))
    return sorted(names_in_order) if point == "preEnqueue" else names_in_order


def _event(event: ClusterEvent) -> str:
    """`Node: Add|UpdateNodeLabel`."""
    actions = [action_name(action) for action in Action if event.action & action]
    if event.action & Action.UPDATE == Action.UPDATE:
        actions = [name for name in actions if not name.startswith("Update")] + ["Update(any)"]
    return f"{event.resource}: {'|'.join(sorted(actions))}"


def _normalizes(name: str) -> str:
    plugin = plugins.registry().get(name)
    return " (normalizes)" if plugin is not None and plugin.implements("normalize") else ""


def logarithm(number: int) -> str:
    """ln(number) as big-endian float64 in hex."""
    return struct.pack(">d", golang.log(number)).hex()


def pop_order(case: Row) -> list[int]:
    return heap_pop_order(case["scores"])


def configuration(document: Any) -> Row:
    """`document`: the parsed configuration. An error of the decoder counts by its stage: its words are ours."""
    try:
        found = config.read(document)
    except config.InvalidConfiguration as error:
        return refused(error)
    profiles = [
        _profile(profile, built) for profile, built in zip(found.effective["profiles"], found.expanded, strict=True)
    ]
    return {"valid": True, "errors": [], "profiles": profiles, "effective": found.effective}


def refused(error: config.InvalidConfiguration) -> Row:
    has_own_words = error.stage in ("load", "panic")
    return {"valid": False, "stage": error.stage} | ({} if has_own_words else {"errors": error.errors})


def _profile(effective: Row, built: config.Expanded) -> Row:
    scores = [{"name": name, "weight": built.weights[name]} for name in built.plugins["score"]]
    return {
        "schedulerName": effective["schedulerName"],
        "percentageOfNodesToScore": effective.get("percentageOfNodesToScore"),
        "instantiated": list(built.instantiated),
        "plugins": {point: list(names) for point, names in built.plugins.items()} | {"score": scores},
    }
