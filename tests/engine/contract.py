"""What every algorithm promises, checked on one attempt: a test calls `assert_contract(cycle, "MyAlgorithm")`."""

import pickle
from typing import Any

import numpy as np

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.explain.steps import evaluate, explain_normalize, explain_score
from scheduler.engine.framework import Nodes, Plugin
from scheduler.engine.objects import decode
from tests.engine.builders import a_pod

Answers = dict[str, Any]


def assert_contract(cycle: Cycle, name: str) -> None:
    """Give a cluster with nodes that differ, of which two or more pass. Every promise is one assertion below."""
    cycle.run()
    assert cycle.error == ""
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
    """With one more pod on a node, what reads less than the cluster says the same of all other nodes."""
    pod = PodInfo(decode("Pod", a_pod("one-more", requests={"cpu": "10m"}, node=cycle.snapshot.names[0])))
    changed = Cycle(cycle.snapshot.patched({0: [pod]}, {}), cycle.profile, cycle.pod)
    before, after = _answers(cycle, plugin), _answers(changed, plugin)
    for hook, reads in (("filter", plugin.filter_reads), ("score", plugin.score_reads)):
        if hook in before and hook in after and reads != "cluster":
            first = 0 if reads == "node" else 1
            said = f'{hook}_reads = "{reads}" is too narrow: a pod on one node changed what is said of another'
            assert before[hook][first:] == after[hook][first:], said


def _answers(cycle: Cycle, plugin: Plugin) -> Answers:
    """What it says of every node, by hook."""
    if cycle.decision is None:
        cycle.run()
    rows, found = cycle.snapshot.columns.all_rows, Answers()
    if plugin.implements("filter") and plugin.name not in cycle.skipped_filters:
        found["filter"] = _verdicts(cycle, plugin, rows)
    if cycle.scoring is not None and plugin.name in cycle.scoring.plugins:
        found["score"] = plugin.score(cycle.scoring, Nodes(cycle.snapshot.columns, rows)).tolist()
    return found


def _verdicts(cycle: Cycle, plugin: Plugin, rows: Any) -> list[tuple[str, ...]]:
    verdict = plugin.filter(cycle, Nodes(cycle.snapshot.columns, np.array(rows, np.int64)))
    return [verdict.statuses[number].reasons for number in verdict.index]
