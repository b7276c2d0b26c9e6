"""Choosing among ties, three ways."""

from collections import Counter

import pytest

from scheduler.engine.conformance.select_host import heap_pop_order, heap_walk
from scheduler.engine.cycle.draw import dice, draw
from scheduler.engine.cycle.select import reservoir
from scheduler.engine.simulation.settings import CLASSIC, Settings
from tests.engine.scenario import Scenario, a_node, a_pod
from tests.engine.vectors import ROOT, read

HEAPS = read(ROOT / "numeric" / "heap_order.json")["cases"]


@pytest.mark.parametrize("case", HEAPS, ids=lambda case: str(len(case["scores"])))
def test_the_heap_gives_out_nodes_as_go_s_does(case):
    assert heap_pop_order(case["scores"]) == case["pop_order"]


@pytest.mark.parametrize("choose", [heap_walk, reservoir])
def test_every_tie_wins_equally_often(choose):
    scores = [7, 9, 9, 3, 9, 9, 1]
    wins = Counter(choose(scores, dice(seed, 1)) for seed in range(4000))
    assert set(wins) == {1, 2, 4, 5}
    assert all(abs(count - 1000) < 150 for count in wins.values())


def test_reservoir_forgets_ties_of_a_lower_score():
    asked = []
    assert reservoir([5, 5, 8, 8], lambda n: asked.append(n) or 1) == 2
    assert asked == [2, 2]


@pytest.mark.parametrize("choose", [heap_walk, reservoir])
def test_a_single_best_is_chosen_without_a_draw(choose):
    assert choose([4, 9, 5, 1], lambda n: pytest.fail("nothing to draw")) == 1


def test_the_heap_walk_draws_once_a_further_tie():
    asked = []
    assert heap_walk([9, 9, 3, 9], lambda n: asked.append(n) or 1) == heap_pop_order([9, 9, 3, 9])[0]
    assert asked == [2, 3]


@pytest.mark.parametrize("choose", [heap_walk, reservoir])
def test_nothing_to_choose_from_is_an_error(choose):
    with pytest.raises(ValueError, match="empty priority list"):
        choose([], lambda n: 0)


def test_a_draw_depends_on_every_part_of_its_place():
    here = [draw(1, 1, number, 2**60) for number in range(3)]
    assert len({*here, draw(2, 1, 0, 2**60), draw(1, 2, 0, 2**60)}) == 5


def test_draws_stay_the_same_for_ever():
    assert [draw(42, 7, number, 10) for number in range(8)] == [4, 0, 4, 5, 2, 6, 0, 0]


def test_draws_cover_their_bound_evenly():
    counts = Counter(draw(1, cycle, 0, 5) for cycle in range(5000))
    assert all(abs(counts[value] - 1000) < 150 for value in range(5))


def test_a_draw_from_nothing_is_an_error():
    with pytest.raises(ValueError, match="0 possibilities"):
        draw(1, 1, 1, 0)


def bound_to(seed: int, settings: Settings) -> str:
    """Where a pod goes of five nodes that are all alike."""
    scenario = Scenario(settings, seed=seed)
    scenario.add(*(a_node(f"n{place}") for place in range(5)), a_pod("web"))
    return scenario.schedule()


def test_the_classic_preset_chooses_by_a_draw_at_each_tie_of_the_list():
    chosen = [bound_to(seed, CLASSIC) for seed in range(40)]
    assert chosen == [f"n{reservoir([1] * 5, dice(seed, 1))}" for seed in range(40)]
    assert chosen != [bound_to(seed, Settings()) for seed in range(40)]
    assert set(chosen) == {f"n{place}" for place in range(5)}


def test_a_draw_at_each_tie_is_told_as_the_place_among_the_tied():
    scenario = Scenario(CLASSIC, seed=3)
    scenario.add(a_node("full", cpu="1"), *(a_node(f"n{place}") for place in range(3)), a_pod("web"))
    scenario.schedule()
    decision = scenario.log[-1].happening.decision
    assert decision["tied_count"] == 3
    assert decision["tied"][decision.get("drawn", 0)] == decision["node"] == scenario.node_of("web")
