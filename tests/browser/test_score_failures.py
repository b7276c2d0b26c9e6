"""A cycle of the classic preset in which an algorithm fails on a node: the marked cell, its words, the whole list."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from scheduler import services
from scheduler.engine import plugins
from scheduler.engine.config import DEFAULT_DOCUMENT
from scheduler.engine.simulation.settings import CLASSIC
from tests.browser.conftest import elsewhere
from tests.engine.list_algorithms import CpuPlace, Fragile
from tests.scheduler.builders import a_cluster, a_node

ENABLED = [{"name": "Fragile"}, {"name": "CpuPlace"}]
CONFIGURATION = DEFAULT_DOCUMENT | {"profiles": [{"plugins": {"multiPoint": {"enabled": ENABLED}}}]}
TOLD = re.compile("failed: Fragile.score raised LookupError: crack")


@pytest.fixture
def page(visit: Any, site: Any, monkeypatch: Any) -> Any:
    known = {**plugins.registry(), "Fragile": Fragile, "CpuPlace": CpuPlace}
    monkeypatch.setattr(plugins, "registry", lambda: known)
    more = [a_node("glass", fragile="crack")]
    options = {"nodes": 3, "pods": 1, "bound": 0, "more": more, "name": "demo"}
    cluster = elsewhere(lambda: a_cluster(**options, configuration=CONFIGURATION, settings=CLASSIC))
    elsewhere(services.cycle_step, cluster.pk)
    page = visit().open("/c/demo/cycles/1/")
    expect(page.locator("score-matrix .heatmaplayer image").first).to_be_visible()
    return page


def test_the_cell_that_failed_says_why(page):
    marks = page.locator("score-matrix .scatterlayer text", has_text="✕")
    expect(marks).to_have_count(1)
    marks.evaluate("mark => mark.scrollIntoView({block: 'center'})")
    box = marks.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
    expect(page.locator(".matrix-tip")).to_contain_text(TOLD)
    page.mouse.down()
    page.mouse.up()
    expect(page.locator("explain-card [role=alert]")).to_contain_text("The map of Fragile failed on glass")
    expect(page.locator("score-matrix .matrix-note")).to_contain_text("1 score failed (Fragile). The others went on")
    expect(page.locator("scheduler-message")).to_contain_text("Fragile.score raised LookupError: crack")
    expect(page.locator("weight-sliders")).to_be_hidden()


def test_the_table_says_it_in_the_same_cell(page):
    page.keyboard.press("t")
    failed = page.locator(".matrix-twin tr[data-node=glass] td.no")
    expect(failed).to_have_text("failed")
    expect(failed).to_have_attribute("title", re.compile("LookupError: crack"))
    expect(page.locator(".matrix-twin td.no")).to_have_count(1)


def test_a_whole_list_says_so_at_its_head(page):
    head = page.locator(".matrix-head", has_text="CpuPlace")
    expect(head).to_contain_text("whole list")
    expect(page.locator(".matrix-head", has_text="whole list")).to_have_count(1)
