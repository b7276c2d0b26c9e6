"""A picked pod that every node answers, totals that open down to their formula, and the timeline of every page."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import elsewhere
from tests.scheduler.builders import a_cluster, a_node, a_pod


@pytest.fixture
def cluster(site: Any) -> Any:
    more = [a_node("small", cpu="1"), a_pod("large", cpu="3500m", priority=10)]
    return elsewhere(lambda: a_cluster(nodes=3, pods=2, bound=0, name="demo", more=more))


def test_every_node_answers_a_pod_that_is_picked(visit, cluster):
    page = visit(reduced_motion="reduce").open("/c/demo/")
    card = page.locator(".pod-card[data-key='default/large']")
    card.focus()
    page.keyboard.press("Enter")
    expect(page.locator("pod-answers")).to_contain_text("default/large would fit on 3 of 4 nodes now.")
    expect(card).to_have_attribute("aria-current", "true")
    small = page.locator(".node-tile[href$='/small/']")
    expect(small).to_have_attribute("data-state", "out")
    expect(small.locator(".node-tile-why")).to_have_text("cpu")
    expect(page.locator(".node-tile[data-state=out]")).to_have_count(1)
    page.locator(".node-tile[tabindex='0']").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".node-tile:focus")).to_have_attribute("tabindex", "0")
    expect(page.locator(".node-tile[tabindex='0']")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("pod-answers")).to_be_hidden()
    expect(small).not_to_have_attribute("data-state", "out")
    card.click()
    expect(page.locator("pod-answers")).to_be_visible()
    card.click()
    page.wait_for_url("**/pods/default/large/")


def test_a_total_opens_to_its_formula_and_an_undone_cycle_is_hollow_on_every_page(visit, cluster, writer):
    page = visit().log_in().open("/c/demo/")
    page.keyboard.press("s")
    expect(page.locator("cycle-head")).to_contain_text("Cycle 1")
    page.goto(page.url + "cycles/1/")
    total = page.locator(".podium-line .total").first
    total.click()
    card = page.locator("explain-card")
    expect(card).to_contain_text("Rank 1")
    expect(card.locator(".total-figure")).to_have_text(total.inner_text())
    parts = [int(one) for one in card.locator(".total-parts .cell-open").all_inner_texts()]
    assert sum(parts) == int(total.inner_text())
    expect(card).to_contain_text("skipped: not run for this pod; adds nothing.")
    card.get_by_title("Explain NodeResourcesFit").click()
    expect(card.locator(".formula-step").first).to_be_visible()
    card.get_by_role("button", name="Total").click()
    expect(card.locator(".total-figure")).to_be_visible()

    page.goto(re.sub("cycles/1/$", "pods/", page.url))
    marks = page.locator("event-timeline .tl a")
    expect(marks).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(page.locator("event-timeline .tl a[data-undone]")).to_have_count(1)
    page.keyboard.press("Control+Shift+Z")
    expect(marks).to_have_count(4)
    expect(page.locator("event-timeline .tl a[data-undone][aria-label^='Cycle 1']")).to_have_count(0)
    marks.nth(1).hover()
    expect(page.locator(".tl-tip")).to_contain_text("Open cycle 1")
    marks.nth(1).click()
    page.wait_for_url(re.compile(r"/pods/\?at=\d+$"))
    expect(page.locator("event-timeline .chip")).to_contain_text("event")
