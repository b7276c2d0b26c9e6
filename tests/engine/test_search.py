"""The walk of a search, and the sentence of a pod that fits nowhere."""

import numpy as np
import pytest

from scheduler.engine.cycle.fit_error import event_note, fit_error, histogram
from scheduler.engine.cycle.search import search


@pytest.mark.parametrize(
    ("passed", "start", "wanted", "feasible", "visited", "dropped"),
    [
        pytest.param("1111", 0, 2, [0, 1], [0, 1], 2, id="the next feasible one is dropped"),
        pytest.param("1101", 0, 2, [0, 1], [0, 1, 2], 3, id="refused ones before it are processed"),
        pytest.param("1100", 0, 2, [0, 1], [0, 1, 2, 3], -1, id="without a next one all are processed"),
        pytest.param("1111", 3, 2, [3, 0], [3, 0], 1, id="the walk wraps"),
        pytest.param("1111", 6, 1, [2], [2], 3, id="a start beyond the end wraps"),
        pytest.param("0000", 1, 2, [], [1, 2, 3, 0], -1, id="nothing passes"),
        pytest.param("", 5, 2, [], [], -1, id="no candidates"),
    ],
)
def test_a_search_stops_at_one_more_than_wanted(passed, start, wanted, feasible, visited, dropped):
    found = search(np.array([one == "1" for one in passed], np.bool_), start, wanted)
    assert (found.feasible.tolist(), found.visited.tolist(), found.dropped) == (feasible, visited, dropped)


def test_reasons_are_sorted_as_strings():
    message = fit_error(12, {"Insufficient cpu": 2, "Too many pods": 10})
    assert message == "0/12 nodes are available: 10 Too many pods, 2 Insufficient cpu."


def test_a_word_of_pre_filter_takes_the_place_of_reasons():
    assert fit_error(2, {"x": 2}, "no claim", "not found") == "0/2 nodes are available: no claim. not found"


def test_a_node_with_two_reasons_counts_in_both():
    assert histogram([(("a", "b"), 2), (("b",), 1)]) == {"a": 2, "b": 3}


@pytest.mark.parametrize(("length", "cut"), [(1024, 1024), (1025, 1024)])
def test_an_event_carries_at_most_1024_bytes(length, cut):
    note = event_note("x" * length)
    assert len(note) == cut
    assert note.endswith(" ...") is (length > 1024)


def test_a_cut_never_splits_a_letter():
    note = event_note("é" * 600)
    assert note == "é" * 510 + " ..."
