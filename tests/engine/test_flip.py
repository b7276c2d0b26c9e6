"""Why here and not there, and which weight would turn it: against trying out every weight."""

import random
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace

from scheduler.engine.cycle.scores import Scores, choose
from scheduler.engine.explain.flip import Flip, flips, smallest, tried
from scheduler.engine.explain.versus import differences, told
from tests.engine.builders import a_cycle, a_node, a_pod

MOST = 60


def made_up(chance, *, each_tie=False, extra=0):
    """A cycle that is nothing but its scores: few distinct values, so that ties are common."""
    names, nodes = ["A", "B", "C"], chance.randint(2, 6)
    rows = {name: np.array([chance.choice((0, 1, 2, 50, 100)) for _ in range(nodes)], np.int64) for name in names}
    weights = {name: chance.randint(1, 4) for name in names}
    profile = SimpleNamespace(weight=lambda name: weights[name], enabled=lambda point: tuple(names))
    cycle = SimpleNamespace(
        seed=chance.randint(0, 99), number=1, draws_at_each_tie=each_tie, profile=profile, extra_scores=()
    )
    cycle.scores = summed(cycle, rows, weights)
    return cycle


def summed(cycle, rows, weights) -> Scores:
    totals = sum(row * weights[name] for name, row in rows.items())
    return choose(cycle, rows, rows, weights, totals)


def by_trying(cycle, name, place) -> Flip | None:
    """The definition: the nearest weight at which the place is chosen, the smaller of two."""
    rows, weights = cycle.scores.normalized, cycle.scores.weights
    before = weights[name]
    for weight in sorted(range(MOST + 1), key=lambda one: (abs(one - before), one)):
        if weight != before and summed(cycle, rows, weights | {name: weight}).winner == place:
            return Flip(name, before, weight)
    return None


@pytest.mark.parametrize("each_tie", [False, True], ids=["one draw", "a draw at each tie"])
def test_the_smallest_change_is_the_one_that_trying_every_weight_finds(each_tie):
    chance, found = random.Random(7), {"none": 0, "more": 0, "less": 0, "tie": 0}
    for _ in range(90):
        cycle = made_up(chance, each_tie=each_tie)
        for place in range(len(cycle.scores.totals)):
            if place == cycle.scores.winner:
                continue
            expected = {name: by_trying(cycle, name, place) for name in "ABC"}
            answer = flips(cycle, place)
            # What lies beyond the weights tried by hand is no contradiction.
            assert {name: one if one and one.after <= MOST else None for name, one in answer.items()} == expected
            for one in answer.values():
                found["none" if one is None else "more" if one.after > one.before else "less"] += 1
            found["tie"] += place in cycle.scores.tied
    assert min(found.values()) > 1, found


def test_what_is_computed_comes_true_when_the_cycle_runs_again():
    chance, seen = random.Random(3), 0
    for number in range(25):
        nodes = [
            a_node(
                f"n{at}",
                cpu=str(chance.randint(4, 9)),
                memory=f"{chance.randint(8, 20)}Gi",
                images={"app:1": 500_000_000} if chance.random() < 0.4 else {},
                taints=[{"key": "k", "value": "", "effect": "PreferNoSchedule"}] if chance.random() < 0.4 else [],
            )
            for at in range(4)
        ]
        others = [a_pod(f"o{at}", node=f"n{at % 4}", cpu=f"{chance.randint(1, 20)}00m") for at in range(4)]
        cycle = a_cycle(a_pod(cpu="500m", memory="1Gi"), *nodes, *others, number=number, seed=5)
        decision = cycle.run()
        for place, node in enumerate(cycle.trace.feasible):
            if node == decision.node:
                continue
            for name, flip in flips(cycle, place).items():
                nearer = range(flip.before + 1, flip.after) if flip and flip.after > flip.before else ()
                if flip is not None:
                    seen += 1
                    assert tried(cycle, flip).node == node
                for weight in [*nearer][-2:]:
                    assert tried(cycle, Flip(name, flip.before, weight)).node != node
    assert seen > 40


def test_who_alone_scores_is_never_left_out():
    only = a_cycle(a_pod(cpu="1"), a_node("a", cpu="4"), a_node("b", cpu="8"))
    one = {"score": ("NodeResourcesFit",), "preScore": ("NodeResourcesFit",)}
    profile = replace(only.profile, plugins={**only.profile.plugins, **one}, weights={"NodeResourcesFit": 1})
    cycle = a_cycle(a_pod(cpu="1"), a_node("a", cpu="4"), a_node("b", cpu="8"), profile=profile)
    assert cycle.run().node == "b"
    assert flips(cycle, cycle.trace.feasible.index("a")) == {"NodeResourcesFit": None}


def test_the_least_of_all_is_named():
    assert smallest({"A": Flip("A", 3, 9), "B": None, "C": Flip("C", 1, 0), "D": Flip("D", 1, 2)}) == Flip("C", 1, 0)
    assert smallest({"A": None}) is None


def test_differences_add_up_to_the_margin():
    cycle = a_cycle(a_pod(cpu="1"), a_node("a", cpu="4"), a_node("b", cpu="8", images={"app:1": 900_000_000}))
    cycle.run()
    names, totals = cycle.trace.feasible, cycle.scores.totals
    here, there = names.index("b"), names.index("a")
    found = differences(cycle.scores, here, there)
    margin = int(totals[here] - totals[there])
    assert sum(one.points for one in found) == margin > 0
    assert told(found, "b", "a").startswith(f"`b` leads `a` by {margin} points: ")
    assert told(differences(cycle.scores, here, here), "b", "b") == "`b` and `b` are equal in every algorithm."
    assert told(differences(cycle.scores, there, here), "a", "b").startswith(f"`a` is {margin} points behind `b`: ")
