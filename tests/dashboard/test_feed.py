"""What is sent when: one frame under way, the newest state wins, ten frames a second at most."""

import asyncio

import pytest

from dashboard import feed as module
from dashboard.feed import Feed, Stalled, merged


def progress(cycle=1, cells=(), tasks=(), phase="Map"):
    return {"type": "progress", "cycle": cycle, "phase": phase, "cells": list(cells), "tasks": list(tasks)}


def rows(first, last, value):
    return {"rows": [first, last], "raw": [[value] * (last - first)]}


async def test_newest_news_wins_and_covers_all_that_came_before():
    feed = Feed(5)
    for seq in (6, 9, 7):
        feed.news(seq)
    await feed.turn()
    assert feed.take_news() == (5, 9)
    assert feed.take_news() is None


async def test_nothing_more_is_sent_before_the_last_frame_is_acknowledged():
    feed = Feed(0)
    feed.news(1)
    await feed.turn()
    feed.take_news()
    feed.news(2)
    waiting = asyncio.create_task(feed.turn())
    await asyncio.sleep(0.02)
    assert not waiting.done()
    feed.acknowledge()
    await asyncio.wait_for(waiting, 1)
    assert feed.take_news() == (1, 2)


async def test_a_browser_that_never_acknowledges_is_let_go(monkeypatch):
    monkeypatch.setattr(module, "ACK_DEADLINE", 0.01)
    feed = Feed(0)
    feed.news(1)
    await feed.turn()
    feed.news(2)
    with pytest.raises(Stalled):
        await feed.turn()


async def test_never_more_than_ten_frames_in_a_second():
    now = 0.0
    feed = Feed(0, clock=lambda: now)
    moments = []
    for _ in range(200):
        delay = feed._delay()
        now += delay
        moments.append(now)
    assert max(sum(1 for other in moments if start <= other < start + 1) for start in moments) <= 10


async def test_after_a_fetch_the_browser_says_what_it_holds():
    feed = Feed(3)
    feed.news(9)
    await feed.turn()
    assert feed.take_news() == (3, 9)
    feed.acknowledge(8)
    feed.news(10)
    await feed.turn()
    assert feed.take_news() == (8, 10)


@pytest.mark.parametrize("seq", [-1, 99])
async def test_a_browser_cannot_hold_what_does_not_exist(seq):
    feed = Feed(3)
    feed.acknowledge(seq)
    assert feed.seq == 3


async def test_news_drop_older_progress():
    feed = Feed(0)
    feed.add_progress(progress())
    feed.news(1)
    await feed.turn()
    assert feed.take_news() == (0, 1)
    assert feed.take_progress() is None


async def test_progress_waits_whether_the_cycle_is_over_soon(monkeypatch):
    monkeypatch.setattr(module, "PROGRESS_AFTER", 0.05)
    feed = Feed(0)
    feed.add_progress(progress())
    waiting = asyncio.create_task(feed.turn())
    await asyncio.sleep(0.02)
    assert not waiting.done()
    await asyncio.wait_for(waiting, 1)
    assert feed.take_news() is None
    assert feed.take_progress()["cycle"] == 1


async def test_a_stalled_browser_costs_one_cycle_of_cells_at_most():
    feed = Feed(0)
    for _ in range(1000):
        for first in range(0, 100, 25):
            feed.add_progress(progress(cells=[rows(first, first + 25, 7)]))
    assert len(feed.progress["cells"]) == 4
    for cycle in range(2, 500):
        feed.add_progress(progress(cycle, cells=[rows(0, 10, cycle)]))
    assert feed.progress["cells"] == [rows(0, 10, 499)]


def test_progress_of_one_cycle_is_joined_and_the_newest_word_wins():
    first = progress(cells=[rows(0, 2, 1)], tasks=[{"kind": "map", "label": "0", "ms": 1}])
    second = progress(cells=[{"algorithm": 0, "normalized": [3, 3]}], tasks=[{"kind": "map", "label": "0", "ms": 2}])
    joined = merged(first, {**second, "phase": "Reduce"})
    assert joined["phase"] == "Reduce"
    assert len(joined["cells"]) == 2
    assert joined["tasks"] == [{"kind": "map", "label": "0", "ms": 2}]
