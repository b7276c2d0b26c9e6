"""The main tasks by keys alone: the focus is never lost, dialogs give it back, and what happened is told once."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import elsewhere
from tests.browser.looks import OBSCURED, PHONE
from tests.scheduler.builders import a_cluster

FOCUS = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()"
TOLD = "() => [...document.querySelectorAll('[role=status], [aria-live]')].map((one) => one.innerText).join('\\n')"


@pytest.fixture
def cluster(site: Any, writer: Any) -> Any:
    return elsewhere(lambda: a_cluster(nodes=3, pods=2, name="demo"))


def seek(page: Page, words: str) -> None:
    """Tab until what has the focus says `words`."""
    seen = []
    while words not in (seen or [""])[-1]:
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUS))
        assert len(seen) < 150, f"{words} cannot be reached by Tab: {seen}"


def test_a_step_its_arithmetic_and_a_moment_of_the_past_by_keys_alone(visit, cluster):
    page = visit().log_in().open("/c/demo/")
    expect(page.locator("connection-chip")).to_contain_text("live")
    page.keyboard.press("s")
    expect(page.locator(".cyc-say")).to_contain_text("went to")
    words = page.locator(".cyc-say").inner_text()
    expect(page.locator("#live")).to_contain_text(words)
    assert page.evaluate(TOLD).count(words) == 1

    page.keyboard.press("m")
    cell = page.evaluate(FOCUS)
    page.keyboard.press("Enter")
    expect(page.locator("#explain")).to_be_visible()
    assert page.evaluate(FOCUS) == "Close"
    page.keyboard.press("Escape")
    expect(page.locator("#explain")).to_be_hidden()
    assert page.evaluate(FOCUS) == cell

    seek(page, "Cycle 1: ")
    page.keyboard.press("ArrowLeft")
    mark = page.evaluate(FOCUS)
    page.keyboard.press("Enter")
    page.wait_for_url("**/?at=*")
    expect(page.locator("event-timeline a:focus")).to_have_attribute("aria-label", mark)

    page.set_viewport_size(PHONE)
    page.goto(page.url.partition("?")[0])
    expect(page.locator("connection-chip")).to_contain_text("live")
    assert page.evaluate(OBSCURED) == []
