"""What every algorithm promises, checked on one attempt: a test calls `assert_contract(cycle, "MyAlgorithm")`."""

import copy
import pickle
from dataclasses import replace
from typing import Any

import numpy as np

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.explain.steps import evaluate, explain_normalize, explain_score
from scheduler.engine.framework import Nodes, Plugin
from scheduler.engine.framework.reading import too_narrow
from scheduler.engine.objects import Pod, decode
from tests.engine.builders import a_pod

Answers = dict[str, Any]
BESIDE_SHAPE = frozenset({"key", "kind", "labels", "namespace", "priority", "uid"})
"""What pods of one shape may differ in."""


class SeenPod(PodInfo):
    """A pod that notes what is read of it beside its shape."""

    __slots__ = ("seen",)

    def __init__(self, pod: Pod) -> None:
        self.seen: set[str] = set()
        super().__init__(pod)
        self.seen.clear()

    def __getattribute__(self, name: str) -> Any:
        if name in BESIDE_SHAPE:
            self.seen.add(name)
        return super().__getattribute__(name)


def assert_contract(cycle: Cycle, name: str) -> None:
    """Give a cluster with nodes that differ, of which two or more pass. Every promise is one assertion below."""
    cycle.run()
    assert not cycle.error, cycle.error
    plugin = cycle.line_up.plugins[name]
    if plugin.implements("filter") and name not in cycle.skipped_filters:
        _assert_filter(cycle, plugin)
    if plugin.implements("score") and name not in cycle.skipped_scores:
        _assert_score(cycle, plugin)
    _assert_reads(cycle, plugin)


def _assert_filter(cycle: Cycle, plugin: Plugin) -> None:
    rows = cycle.snapshot.columns.all_rows
    together = _verdicts(cycle, plugin, rows)
    alone = [_verdicts(cycle, plugin, rows[row : row + 1])[0] for row in rows]
    assert alone == together, "a verdict must not depend on which other nodes are asked with it"
    for row, reasons in enumerate(together):
        if steps := plugin.explain_filter(cycle, row):
            assert evaluate(steps) == reasons, "explain_filter must end with the reasons of the verdict"


def _assert_score(cycle: Cycle, plugin: Plugin) -> None:
    assert plugin.implements("explain"), "whoever scores explains: write explain(cycle, row)"
    if cycle.scoring is None:
        cycle.score_feasible()
    scoring = cycle.scoring
    assert scoring is not None
    count = len(scoring.rows)
    assert count > 1, "at least two nodes must pass the filters, or there is nothing to score"
    together = scoring.map_all()[plugin.name]
    if not plugin.whole_list:
        alone = [int(scoring.map(place, place + 1)[plugin.name][0]) for place in range(count)]
        said = "a score must not depend on which other nodes are asked with it (whole_list = True if it does)"
        assert alone == together.tolist(), said
    there = pickle.loads(pickle.dumps(scoring.slim()))
    assert there.map_all()[plugin.name].tolist() == together.tolist(), "a worker must get the same scores"
    normalized = scoring.reduce(plugin.name, together)
    assert ((normalized >= 0) & (normalized <= 100)).all(), "normalised scores are 0 to 100"
    for place, row in enumerate(scoring.rows.tolist()):
        assert evaluate(explain_score(cycle, plugin.name, row)) == together[place], "explain must end with the score"
        if steps := explain_normalize(cycle, plugin.name, together, place):
            assert evaluate(steps) == normalized[place], "explain_normalize must end with the normalised score"


def _assert_reads(cycle: Cycle, plugin: Plugin) -> None:
    for hook in ("filter", "score"):
        if plugin.implements(hook) and hook in _answers(cycle, plugin):
            _assert_columns(cycle, plugin, hook)
            _assert_shape(cycle, plugin, hook)
    for row in cycle.snapshot.columns.all_rows.tolist():
        _assert_others_stay(cycle, plugin, row)


def _assert_columns(cycle: Cycle, plugin: Plugin, hook: str) -> None:
    """What it reads of the columns, through `nodes` or through `cycle`, is no more than it says."""
    reads, columns = getattr(plugin, f"{hook}_reads"), cycle.snapshot.columns
    through_nodes, through_cycle = columns.observed(), columns.observed()
    asked = Nodes(through_nodes, columns.all_rows)
    _ask(cycle, plugin, hook, asked, columns=through_cycle)
    read_nodes = through_nodes.read_nodes or through_cycle.read_nodes
    fault = too_narrow(hook, reads, [*through_nodes.keys, *through_cycle.keys], read_nodes)
    assert not fault, f"{plugin.name}.{hook} {fault}"
    if reads == "columns":
        elsewhere = [key for key in through_cycle.keys if key not in through_nodes.keys]
        assert not elsewhere, f'{hook}_reads = "columns": read {elsewhere[0]!r} from nodes.columns, not from the cycle'


def _assert_shape(cycle: Cycle, plugin: Plugin, hook: str) -> None:
    """Answers that read less than the cluster are kept for all pods whose `shape_key` is the same."""
    pod = SeenPod(cycle.pod.pod)
    plugin.shape_key(pod)
    in_key = set(pod.seen)
    pod.seen.clear()
    _ask(cycle, plugin, hook, cycle.snapshot.columns.all_nodes, pod=pod)
    if getattr(plugin, f"{hook}_reads") != "cluster":
        missing = ", ".join(sorted(pod.seen - in_key))
        assert not missing, f'{hook} reads the pod\'s {missing}: shape_key must hold that, or {hook}_reads = "cluster"'


def _ask(cycle: Cycle, plugin: Plugin, hook: str, nodes: Nodes, *, columns: Any = None, pod: Any = None) -> None:
    """Ask with the cycle's columns or pod replaced by views that note what is read."""
    columns, pod = columns or cycle.snapshot.columns, pod or cycle.pod
    if hook == "filter":
        there = copy.copy(cycle)
        there.snapshot, there.pod = replace(cycle.snapshot, columns=columns), pod
        plugin.filter(there, nodes)
    else:
        assert cycle.scoring is not None
        plugin.score(replace(cycle.scoring, columns=columns, pod=pod), nodes)


def _assert_others_stay(cycle: Cycle, plugin: Plugin, row: int) -> None:
    """With a pod more that takes all of one node, what reads less than the cluster says the same of the others."""
    node = cycle.snapshot.columns.nodes[row]
    requests = {name: amount for name, amount in (node.status.allocatable or {}).items() if name != "pods"}
    port = {"containerPort": 80, "hostPort": 80}
    pod = PodInfo(decode("Pod", a_pod("one-more", requests=requests, ports=[port], node=node.name)))
    changed = Cycle(cycle.snapshot.patched({row: [pod]}, {}), cycle.profile, cycle.pod)
    before, after = _answers(cycle, plugin), _answers(changed, plugin)
    for hook, reads in (("filter", plugin.filter_reads), ("score", plugin.score_reads)):
        if hook in before and hook in after and reads != "cluster":
            same = [place for place in range(len(before[hook])) if place != row or reads == "node"]
            said = f'{hook}_reads = "{reads}" is too narrow: a pod on {node.name} changed what is said of '
            for place in same:
                name = cycle.snapshot.names[place]
                assert before[hook][place] == after[hook][place], said + ("it" if place == row else name)


def _answers(cycle: Cycle, plugin: Plugin) -> Answers:
    """What it says of every node, by hook."""
    if cycle.decision is None:
        cycle.run()
        assert not cycle.error, cycle.error
    if cycle.scoring is None and len(cycle.feasible):
        cycle.score_feasible()
    rows, found = cycle.snapshot.columns.all_rows, Answers()
    if plugin.implements("filter") and plugin.name not in cycle.skipped_filters:
        found["filter"] = _verdicts(cycle, plugin, rows)
    if cycle.scoring is not None and plugin.name in cycle.scoring.plugins:
        found["score"] = plugin.score(cycle.scoring, Nodes(cycle.snapshot.columns, rows)).tolist()
    return found


def _verdicts(cycle: Cycle, plugin: Plugin, rows: Any) -> list[tuple[str, ...]]:
    verdict = plugin.filter(cycle, Nodes(cycle.snapshot.columns, np.array(rows, np.int64)))
    return [verdict.statuses[number].reasons for number in verdict.index]
