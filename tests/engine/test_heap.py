"""The heap keeps Go's order among equals, finds by key at once, and survives any sequence of operations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.engine.queue.heap import Heap
from tests.engine.vectors import ROOT, read

Item = tuple[int, str]


def by_number(a: Item, b: Item) -> bool:
    return a[0] < b[0]


def key_of(item: Item) -> str:
    return item[1]


def a_heap(*items: Item) -> Heap[Item]:
    heap = Heap(by_number, key_of)
    for item in items:
        heap.add_or_update(item)
    return heap


@pytest.mark.parametrize("case", read(ROOT / "numeric" / "heap_order.json")["cases"])
def test_equal_elements_come_out_as_in_go(case):
    heap = Heap(lambda a, b: a[0] > b[0], lambda item: str(item[1]))
    heap.heapify([(score, index) for index, score in enumerate(case["scores"])])
    assert [heap.pop()[1] for _ in range(len(heap))] == case["pop_order"]


def test_pushing_equal_elements_keeps_gos_order():
    # push a, b, c, d (all equal): no sifting; pop swaps the last to the front each time
    heap = a_heap((1, "a"), (1, "b"), (1, "c"), (1, "d"))
    assert [heap.pop()[1] for _ in range(4)] == ["a", "d", "c", "b"]


def test_an_update_moves_the_element():
    heap = a_heap((1, "a"), (2, "b"), (3, "c"))
    heap.add_or_update((0, "c"))
    assert [key_of(item) for item in heap.in_order()] == ["c", "a", "b"]


def test_a_removed_element_is_gone_and_an_unknown_one_is_none():
    heap = a_heap((1, "a"), (2, "b"))
    assert heap.remove("a") == (1, "a")
    assert heap.remove("a") is None
    assert "a" not in heap
    assert heap.get("b") == (2, "b")


def test_popping_an_empty_heap_is_an_error():
    with pytest.raises(IndexError):
        a_heap().pop()
    assert a_heap().peek() is None


def test_a_broken_order_is_noticed():
    heap = a_heap((1, "a"), (2, "b"))
    heap.load([(2, "b"), (1, "a")])
    with pytest.raises(AssertionError, match="heap order broken at a"):
        heap.validate()


operations = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(0, 5), st.sampled_from("abcdefgh")),
        st.tuples(st.just("remove"), st.just(0), st.sampled_from("abcdefgh")),
        st.tuples(st.just("pop"), st.just(0), st.just("")),
    ),
    max_size=60,
)


@given(operations)
def test_it_always_yields_the_least_and_never_loses_one(steps):
    heap, model = a_heap(), {}
    for operation, number, key in steps:
        if operation == "put":
            heap.add_or_update((number, key))
            model[key] = number
        elif operation == "remove":
            assert heap.remove(key) == ((model.pop(key), key) if key in model else None)
        elif model:
            least = heap.pop()
            assert least[0] == min(model.values())
            assert model.pop(least[1]) == least[0]
        heap.validate()
        assert {key_of(item): item[0] for item in heap} == model
