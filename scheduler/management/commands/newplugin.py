"""`manage.py newplugin MyAlgorithm`: a new scheduling algorithm that works, and its test, ready to be changed."""

import re
from argparse import ArgumentParser
from pathlib import Path
from string import Template
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

PLUGINS, TESTS = Path("scheduler/engine/plugins"), Path("tests/engine/plugins")

PLUGIN = Template('''\
"""$name: say in one sentence what it is for. This text is its help."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.framework import MAX_NODE_SCORE, Int64Array, Nodes, Plugin, Step

if TYPE_CHECKING:
    from scheduler.engine.cycle.prepared import Scoring


class $name(Plugin):
    """Prefers nodes with few pods. Replace this by an idea of your own.

    Besides `score` there are `pre_filter`, `filter`, `pre_score`, `normalize` and more: see `framework.Plugin`. A rule
    for one node at a time is fine too: `np.array([one(row) for row in nodes.rows])`.
    """

    name = "$name"
    weight = 1
    score_reads = "pods"  # "node": only the Node object; "pods": also the pods on it; "cluster": anything

    def score(self, cycle: Scoring, nodes: Nodes) -> Int64Array:
        """MAP: the raw score of each node, int64, 0 to 100 unless `normalize` brings it there."""
        scores: Int64Array = np.maximum(MAX_NODE_SCORE - nodes.take(nodes.columns[("requested", "pods")]), 0)
        return scores

    def explain(self, cycle: Scoring, row: int) -> list[Step]:
        """The same for one node, in steps that people can follow; see `explain.OPERATIONS`."""
        pods = int(cycle.columns[("requested", "pods")][row])
        free = MAX_NODE_SCORE - pods
        return [
            Step("free", "subtract", (MAX_NODE_SCORE, pods), free, "100 less the pods on the node"),
            Step("score", "clip", ("free", 0, MAX_NODE_SCORE), max(free, 0)),
        ]
''')

TEST = Template('''\
"""$name by examples. Change them together with the algorithm."""

from msgspec.structs import replace

from scheduler.engine.explain.steps import evaluate, explain_score
from scheduler.engine.profile import Profiles
from tests.engine.builders import a_cycle, a_node, a_pod, raw_scores


def profile():
    """The default profile, with $name scoring as well."""
    default = Profiles.default().first
    return replace(
        default,
        plugins={**default.plugins, "score": (*default.enabled("score"), "$name")},
        weights={**default.weights, "$name": 1},
    )


def cycle():
    return a_cycle(a_pod(), a_node("busy"), a_node("idle"), a_pod("other", node="busy"), profile=profile())


def test_a_node_with_fewer_pods_scores_higher():
    # 100 - 1 pod, 100 - 0 pods
    assert raw_scores(cycle(), "$name") == {"busy": 99, "idle": 100}


def test_every_score_is_explained():
    attempt = cycle()
    raw = raw_scores(attempt, "$name")
    for name, row in attempt.snapshot.row_of.items():
        assert evaluate(explain_score(attempt, "$name", row)) == raw[name]
''')


class Command(BaseCommand):
    help = "Write a new scheduling algorithm and its test: newplugin MyAlgorithm"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default="", help="name in the manner of NodeAffinity")
        parser.add_argument("--root", type=Path, default=settings.BASE_DIR, help="where the project lies")

    def handle(self, *args: Any, **options: Any) -> None:
        name, root = options["name"], Path(options["root"])
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]{1,62}", name):
            raise CommandError(f'"{name}" is no name for an algorithm; one is written like NodeAffinity')
        module = snake_case(name)
        files = {root / PLUGINS / f"{module}.py": PLUGIN, root / TESTS / f"test_{module}.py": TEST}
        for path in files:
            if path.exists():
                raise CommandError(f"{path.relative_to(root)} is already there")
        for path, template in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(template.substitute(name=name), encoding="utf-8")
            self.stdout.write(f"wrote {path.relative_to(root)}")
        self.stdout.write(f"{name} is known from now on. Enable it in a cluster's profile to let it score.")


def snake_case(name: str) -> str:
    """`NodeAffinity` → `node_affinity`, `CSILimits2` → `csi_limits2`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
