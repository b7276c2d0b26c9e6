"""The sorting that Go does: in order always, and with equals where Go leaves them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.engine.preemption.go_sort import _Sorter, sort_slice

Pair = tuple[int, int]


def sorted_by_first(pairs: list[Pair]) -> list[Pair]:
    done = list(pairs)
    sort_slice(done, lambda one, other: one[0] < other[0])
    return done


def numbered(keys: list[int]) -> list[Pair]:
    return [(key, place) for place, key in enumerate(keys)]


@given(st.lists(st.integers(0, 30), max_size=400))
def test_everything_is_there_and_in_order(keys):
    done = sorted_by_first(numbered(keys))
    assert sorted(done) == sorted(numbered(keys))
    assert [key for key, _ in done] == sorted(keys)


@given(st.lists(st.integers(0, 3), max_size=12))
def test_up_to_twelve_equals_keep_their_order(keys):
    assert sorted_by_first(numbered(keys)) == sorted(numbered(keys))


@pytest.mark.parametrize("size", [13, 49, 50, 200])
def test_what_is_sorted_already_stays_as_it_is(size):
    assert sorted_by_first(numbered([1] * size)) == numbered([1] * size)


def test_above_twelve_equals_may_change_places():
    keys = [place % 2 for place in range(13)]
    assert sorted_by_first(numbered(keys)) != sorted(numbered(keys))


@pytest.mark.parametrize("keys", [list(range(60, 0, -1)), [1, 2] * 100, [0] * 30 + [1] + [0] * 60], ids=str)
def test_patterns_that_defeat_a_plain_quicksort_are_sorted(keys):
    assert [key for key, _ in sorted_by_first(numbered(keys))] == sorted(keys)


@given(st.lists(st.integers(0, 30), min_size=13, max_size=100))
def test_after_too_many_bad_pivots_heapsort_takes_over(keys):
    sorter = _Sorter(list(keys), lambda one, other: one < other)
    sorter.sort(0, len(keys), 0)
    assert sorter.items == sorted(keys)


def test_a_bad_pivot_is_followed_by_a_shuffle(monkeypatch):
    shuffled = []
    shuffle = _Sorter._break_patterns
    monkeypatch.setattr(_Sorter, "_break_patterns", lambda *place: (shuffled.append(place), shuffle(*place)))
    # All nine elements that the pivot of 200 is chosen from are among the smallest.
    keys = [0 if (place + 1) % 50 < 3 else 200 - place for place in range(200)]
    assert [key for key, _ in sorted_by_first(numbered(keys))] == sorted(keys)
    assert shuffled


@pytest.mark.parametrize("size", [2, 12])
def test_a_comparison_that_always_says_yes_reverses_a_short_list(size):
    done = list(range(size))
    sort_slice(done, lambda one, other: True)
    assert done == list(range(size))[::-1]


def test_a_comparison_that_always_says_yes_does_not_derail_a_long_list():
    done = list(range(100))
    sort_slice(done, lambda one, other: True)
    assert sorted(done) == list(range(100))
