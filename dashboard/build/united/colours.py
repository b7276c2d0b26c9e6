"""Which colour a subset has on every drawing of its page: eight that are filled, then the same eight as outlines."""

SUBSET_COLOURS = 16


def subset_colour(index: int) -> int:
    """1…16 by the place of the subset in the topology; from 9 on it is drawn pale with an outline (united.css)."""
    return index % SUBSET_COLOURS + 1
