"""The timeline in the past, and what a visitor is told."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import elsewhere
from tests.scheduler.builders import a_cluster


@pytest.fixture
def cluster(site: Any) -> Any:
    return elsewhere(lambda: a_cluster(nodes=3, pods=2, name="demo"))


def test_a_visitor_who_presses_a_key_is_told_to_log_in(visit, cluster):
    page = visit().open("/c/demo/")
    page.keyboard.press("s")
    link = page.locator("main run-note a")
    expect(link).to_have_text("Log in to step, run or branch.")
    expect(link).to_have_attribute("href", re.compile(r"^/login/\?next=%2Fc%2Fdemo%2F"))


def test_the_marker_of_the_past_stands_before_the_head(visit, cluster, writer):
    page = visit().log_in().open("/c/demo/")
    for number in (1, 2):
        page.keyboard.press("s")
        expect(page.locator("cluster-figures, cycle-head").first).to_contain_text(str(number))
    page.goto(page.url + "?at=1")
    expect(page.locator("event-timeline .head:not([visibility])")).to_have_count(1)  # a line has no box
    now = float(page.locator("event-timeline .now").get_attribute("x1"))
    assert now < float(page.locator("event-timeline .head").get_attribute("x1"))


def test_a_drag_over_the_timeline_travels_and_escape_does_not(visit, cluster, writer):
    page = visit().log_in().open("/c/demo/")
    for number in (1, 2):
        page.keyboard.press("s")
        expect(page.locator("cycle-head")).to_contain_text(f"Cycle {number}")
    expect(page.locator("event-timeline .tl a")).to_have_count(3)
    marks = [mark.bounding_box() for mark in page.locator("event-timeline .event-timeline-plot .tl a").all()]
    plot = page.locator("event-timeline .event-timeline-plot svg.tl").bounding_box()
    across = plot["y"] + plot["height"] / 2

    def drag() -> None:
        page.mouse.move(marks[-1]["x"], across)
        page.mouse.down()
        page.mouse.move(marks[1]["x"] + 20, across)
        page.mouse.move(marks[1]["x"] + 4, across)

    drag()
    expect(page.locator("event-timeline .chip")).to_contain_text("to event")
    page.keyboard.press("Escape")
    expect(page.locator("event-timeline .chip")).to_have_text("at now")
    page.mouse.up()
    assert "at=" not in page.url
    drag()
    page.mouse.up()
    page.wait_for_url(re.compile(r"[?]at=\d+$"))
    expect(page.locator("event-timeline .chip")).to_contain_text(page.url.split("=")[1])
    page.keyboard.press("End")
    page.wait_for_url("**/c/demo/")
    gap = (marks[0]["x"] + marks[1]["x"]) / 2 - 6  # nearer to the first
    page.mouse.move(gap, across)
    expect(page.locator(".tl-tip")).to_contain_text("Cluster created")
    page.mouse.click(gap, across)
    page.wait_for_url(re.compile(r"[?]at=\d+$"))
    first = page.url
    page.keyboard.press("End")
    page.wait_for_url("**/c/demo/")
    page.keyboard.press("Home")
    page.wait_for_url(first)


def test_phases_of_a_cycle_are_turned_back_and_forth(visit, cluster, writer):
    page = visit().log_in().open("/c/demo/")
    page.keyboard.press("s")
    says, painted = page.locator("cycle-says"), page.locator("score-matrix .heatmaplayer image")
    expect(says).to_contain_text("went to node-")
    expect(painted.first).to_be_visible()
    for _ in range(7):  # from Bind to Filter
        page.keyboard.press("[")
    expect(page.locator("cycle-head")).to_contain_text("Filter")
    expect(says).to_contain_text("3 of 3 nodes passed the filters.")
    for _ in range(7):
        page.keyboard.press("]")
    expect(page.locator("cycle-head")).to_contain_text("placed")
    expect(says).to_contain_text("went to node-")
