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
    link = page.locator(".topbar .run-error a")
    expect(link).to_have_text("Log in to step or run.")
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
