"""A long matrix: only rows in view exist, and nobody notices."""

from typing import Any

import pytest
from playwright.sync_api import expect

from scheduler import services
from tests.browser.conftest import elsewhere
from tests.scheduler.builders import a_cluster

NODES = 300
PAINTED = "score-matrix .heatmaplayer image"


@pytest.fixture
def page(visit: Any, site: Any) -> Any:
    cluster = elsewhere(lambda: a_cluster(nodes=NODES, pods=1, name="demo"))
    elsewhere(services.cycle_step, cluster.pk)
    page = visit().open("/c/demo/cycles/1/")
    expect(page.locator(PAINTED).first).to_be_visible()
    return page


def test_rows_come_into_being_as_they_are_scrolled_to(page):
    rows, totals = page.locator(".matrix-labels > *"), page.locator(".matrix-totals > *")
    count = int(rows.first.get_attribute("aria-setsize"))
    assert count > 100
    assert rows.count() == totals.count() < count
    last = page.locator(f".matrix-labels > [aria-posinset='{count}']")
    expect(last).to_have_count(0)
    page.evaluate("document.querySelector('.matrix-body').scrollIntoView({ block: 'end' })")
    expect(last).to_be_visible()
    height = page.locator(".matrix-plot").bounding_box()["height"]
    assert page.locator(".matrix-labels").bounding_box()["height"] == height
    bottom = last.bounding_box()
    plot = page.locator(".matrix-plot").bounding_box()
    assert abs(bottom["y"] + bottom["height"] - plot["y"] - plot["height"]) < 1


def test_the_tab_key_walks_past_the_last_row_that_exists(page):
    shown = page.locator(".matrix-labels > *").count()
    page.locator(".matrix-labels a").first.focus()
    for _ in range(shown + 20):
        page.keyboard.press("Tab")
        page.evaluate("() => new Promise(requestAnimationFrame)")
    place = page.evaluate("document.activeElement.parentElement.getAttribute('aria-posinset')")
    assert place == str(shown + 21)
