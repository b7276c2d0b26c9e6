"""The score matrix without a mouse: reach it, walk over its cells, open one, go to the table and back; and its tip."""

from typing import Any

import pytest
from playwright.sync_api import expect

from scheduler import services
from tests.browser.conftest import elsewhere
from tests.scheduler.builders import a_cluster

CURSOR = "score-matrix .matrix-cursor"
TIP = ".matrix-tip"


@pytest.fixture
def page(visit: Any, site: Any) -> Any:
    cluster = elsewhere(lambda: a_cluster(nodes=90, pods=1, name="demo"))
    elsewhere(services.cycle_step, cluster.pk)
    page = visit().open("/c/demo/")
    expect(page.locator("score-matrix .heatmaplayer image").first).to_be_visible()
    return page


def test_the_cell_is_outlined_and_scrolled_into_view(page):
    page.keyboard.press("m")
    cursor = page.locator(CURSOR)
    expect(cursor).to_be_focused()
    assert cursor.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
    for _ in range(60):
        page.keyboard.press("ArrowDown")
    expect(cursor).to_be_in_viewport(ratio=1)
    page.keyboard.press("PageUp")
    expect(cursor).to_be_in_viewport(ratio=1)
    name = cursor.get_attribute("aria-label").split(",")[0]
    row = page.locator(f".matrix-labels [data-node='{name}']").bounding_box()
    cell = cursor.bounding_box()
    assert abs(cell["y"] - row["y"]) < 1
    heads = page.locator(".score-matrix-heads").bounding_box()
    assert cell["y"] >= heads["y"] + heads["height"]


def test_the_matrix_is_one_stop_of_tab(page):
    expect(page.locator(".matrix-middle [tabindex], .matrix-middle button")).to_have_count(1)
    page.keyboard.press("m")
    page.keyboard.press("t")
    expect(page.locator(".matrix-twin .cell-open").first).to_be_visible()
    expect(page.locator(".matrix-twin .cell-open[tabindex='0']")).to_have_count(1)


def test_the_table_takes_the_focus_over_and_gives_it_back(page):
    page.keyboard.press("m")
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    name, algorithm = page.locator(CURSOR).get_attribute("aria-label").split(": ")[0].split(", ")
    page.keyboard.press("t")
    focused = page.locator(".matrix-twin .cell-open:focus")
    expect(focused).to_have_attribute("title", f"Explain {algorithm} on {name}")
    page.keyboard.press("ArrowDown")
    expect(focused).not_to_have_attribute("title", f"Explain {algorithm} on {name}")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("t")
    expect(page.locator(CURSOR)).to_be_focused()
    expect(page.locator(CURSOR)).to_have_attribute("aria-label", f"{name}, {algorithm}: " + _value(page, CURSOR))


def _value(page: Any, place: str) -> str:
    return page.locator(place).get_attribute("aria-label").split(": ")[1]


def test_the_tip_stands_beside_its_cell_and_goes_with_escape(page):
    plot = page.locator(".matrix-plot").bounding_box()
    columns = int(page.locator("score-matrix").evaluate("element => element.style.getPropertyValue('--n')"))
    fit = page.locator(".matrix-head-name").all_inner_texts().index("Fit")
    wide = plot["width"] / columns
    page.mouse.move(plot["x"] + wide * (fit + 0.5), plot["y"] + 40)
    tip = page.locator(TIP)
    expect(tip).to_contain_text("NodeResourcesFit")
    box = tip.bounding_box()
    left, right = plot["x"] + wide * fit, plot["x"] + wide * (fit + 1)
    assert box["x"] >= right - 1 or box["x"] + box["width"] <= left + 1
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.keyboard.press("m")
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect(page.locator(CURSOR)).not_to_be_focused()


def test_totals_stand_at_the_end_of_their_rows_and_open(page):
    page.keyboard.press("m")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    second = page.locator(".matrix-totals .cell-open").nth(1)
    expect(second).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#explain")).to_contain_text("best total")
    page.keyboard.press("Escape")
    first = page.locator(".matrix-totals .cell-open").first
    expect(first).to_be_focused()
    page.keyboard.press("t")
    expect(page.locator(".matrix-twin .cell-open:focus")).to_have_attribute("data-at", "-1")
    page.keyboard.press("t")
    expect(first).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(CURSOR)).to_be_focused()


def test_the_list_of_keys_names_them(page):
    page.keyboard.press("?")
    keys = page.locator("[data-keys-list]")
    for text in ("walk over the cells", "from cell to cell", "explain the cell", "leave the matrix"):
        expect(keys).to_contain_text(text)
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.keyboard.press("Enter")
    expect(page.locator("#explain")).to_be_visible()


def test_ninety_nodes_have_figures_in_their_cells(page):
    expect(page.locator("score-matrix .scatterlayer .textpoint").first).to_be_visible()
