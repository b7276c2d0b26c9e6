"""Searches that stop early in a cluster whose nodes come and go: who is visited and dropped, where the next begins."""

from __future__ import annotations

from collections import Counter

from scheduler.engine.admission.admission import Context, admit
from scheduler.engine.conformance.cycles import Manifest, cluster_of
from scheduler.engine.conformance.sequence import attempt, bind, profile_of, without_post_filter
from scheduler.engine.conformance.until_idle import best
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.outcome import refusal_message
from scheduler.engine.cycle.search import feasible_nodes_to_find
from scheduler.engine.objects import Pod, decode
from scheduler.engine.profile import Profiles


def run_adaptive_vector(vector: Manifest) -> Manifest:
    """What this engine says to an `adaptive` vector, in the shape of its `expected`."""
    replay = _Replay(vector)
    return {"steps": [replay.step(op) for op in vector["ops"]], "bindings": replay.bindings}


class _Replay:
    def __init__(self, vector: Manifest) -> None:
        self.cluster = cluster_of(vector["objects"])
        self.profiles = without_post_filter(Profiles.from_configuration(vector["config"]))
        self.context = Context.of(vector["objects"])
        self.start_index = 0
        self.order: list[str] = []
        self.bindings: dict[str, str] = {}

    def step(self, op: Manifest) -> Manifest:
        kind = op["op"]
        if kind == "schedule":
            return {"op": kind, **self.schedule(op["pod"])}
        if kind in ("add_node", "update_node"):
            node = decode("Node", admit("Node", op["node"], self.context))
            (self.cluster.add if kind == "add_node" else self.cluster.update)("Node", node)
            return {"op": kind, "node": node.name}
        if kind == "delete_node":
            self.cluster.delete("Node", "", op["name"])
            return {"op": kind, "node": op["name"]}
        self.cluster.delete("Pod", *op["key"].split("/"))
        self.bindings.pop(op["key"], None)
        return {"op": kind, "pod": op["key"]}

    def schedule(self, manifest: Manifest) -> Manifest:
        pod = decode("Pod", admit("Pod", manifest, self.context))
        assert isinstance(pod, Pod)
        cycle = attempt(self.cluster, profile_of(self.profiles, pod), pod, self.start_index, None)
        self.start_index = cycle.next_start_index
        found = {"pod": pod.key, **self._order(cycle), **_searched(cycle), **_chosen(cycle)}
        bind(self.cluster, pod, found["bound_to"])
        if found["bound_to"]:
            self.bindings[pod.key] = found["bound_to"]
        return found

    def _order(self, cycle: Cycle) -> Manifest:
        names = list(cycle.snapshot.names)
        is_new, self.order = names != self.order, names
        return {"nodes": len(names)} | ({"node_order": names} if is_new else {})


def _searched(cycle: Cycle) -> Manifest:
    names, failures = cycle.snapshot.names, cycle.trace.first_failures
    start, rows = cycle.start_index, range(len(names))
    visiting = [*rows[start % len(names) :], *rows[: start % len(names)]]
    rejected = [row for row in visiting if row in failures and failures[row].plugin]
    narrowed = {} if cycle.node_names is None else {"narrowed_to": sorted(cycle.node_names)}
    dropped = {}
    if cycle.filtered is not None and cycle.found.dropped >= 0:
        dropped = {"dropped": names[int(cycle.filtered.rows[cycle.found.dropped])]}
    feasible = list(cycle.trace.feasible)
    processed = len(feasible) + len(rejected)
    is_prefix = {names[row] for row in visiting[:processed]} == {*feasible, *(names[row] for row in rejected)}
    return {
        "start_index": start,
        "next_start_index": cycle.next_start_index,
        "find_by_percentage": feasible_nodes_to_find(cycle.percentage, len(names)),
        "num_to_find": cycle.nodes_to_find(len(names)),
        "processed": processed,
        "feasible": sorted(feasible) if narrowed else feasible,
        "rejected": [names[row] for row in rejected],
        "rejected_by": dict(Counter(failures[row].plugin for row in rejected)),
        **dropped,
        **narrowed,
        **({} if is_prefix else {"contiguous": False}),
    }


def _chosen(cycle: Cycle) -> Manifest:
    trace = cycle.trace
    tied = best(cycle)
    chosen: Manifest = {"best": tied, "bound_to": tied[0] if tied else None}
    if len(trace.feasible) > 1 and trace.scores:
        chosen["totals"] = dict(zip(trace.feasible, trace.scores.totals.tolist(), strict=True))
    if trace.scoring_bypassed:
        chosen["scoring_bypassed"] = True
    if not trace.feasible:
        chosen["fit_error_without_postfilter"] = refusal_message(cycle, trace.diagnosis, post_filter=False)
    return chosen
