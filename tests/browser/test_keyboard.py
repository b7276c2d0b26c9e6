"""The main tasks by keys alone: the focus is never lost, dialogs give it back, and what happened is told once."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scheduler import services
from tests.browser.conftest import elsewhere
from tests.browser.looks import OBSCURED, PHONE
from tests.scheduler.builders import a_cluster

FOCUS = """() => {
  const { activeElement: one, body } = document;
  return one === body ? '' : one.getAttribute('aria-label') ?? (one.labels?.[0] ?? one).textContent.trim();
}"""
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


def test_a_phone_is_told_of_no_keys(visit, cluster):
    page = visit(has_touch=True, is_mobile=True).log_in().page
    page.set_viewport_size(PHONE)
    page.goto(page.url + "c/demo/")
    expect(page.get_by_role("button", name="Step the first cycle")).to_have_text(
        "Step the first cycle", use_inner_text=True
    )
    page.get_by_role("button", name="Search").click()
    palette = page.get_by_role("dialog", name="Search or command")
    expect(palette.get_by_role("option").first).to_have_text("Step one cycle", use_inner_text=True)
    page.keyboard.press("Escape")
    page.locator("summary[aria-label=Pages]").click()
    page.get_by_role("button", name="Help", exact=True).click()
    dialog = page.get_by_role("dialog", name="Help", exact=True)
    expect(dialog.get_by_role("button", name="Take the tour")).to_be_visible()
    expect(dialog.locator(".keys-list")).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("?")  # who has one of its own all the same
    expect(page.locator(".keys-list")).to_contain_text("step one cycle")


def test_a_case_from_its_question_to_the_next_case_by_keys_alone(visit, site):
    page = visit(reduced_motion="reduce").open("/learn/percent/")
    seek(page, "large")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Filter", exact=True)).to_be_focused()
    seek(page, "Next: Score")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Score", exact=True)).to_be_focused()
    seek(page, "50")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="NodeResourcesFit on small")).to_be_focused()
    for stage in ("Pick", "The answer"):
        page.keyboard.press("]")
        expect(page.get_by_role("region", name=stage, exact=True)).to_be_focused()
    expect(page.get_by_role("region", name="The answer")).to_have_accessible_description("right It is small.")
    seek(page, "Fill small to 3 of 4")
    page.keyboard.press("Enter")
    expect(page.get_by_text("To pack on purpose")).to_be_visible()
    seek(page, "Next: A pod that asks for nothing")
    page.keyboard.press("Enter")
    page.wait_for_url("**/learn/nothing/")


@pytest.mark.parametrize(
    ("address", "field", "typed"),
    [
        ("profiles/", "Weight of NodeAffinity", "4"),
        ("cycles/", "Pod", "default/nothing"),
        ("time/", "Longest backoff, s", "20"),
    ],
)
def test_a_form_sent_by_enter_gives_the_field_its_focus_back(visit, cluster, address, field, typed):
    elsewhere(services.cycle_step, cluster.pk)
    page = visit().log_in().open(f"/c/demo/{address}")
    expect(page.locator("connection-chip")).to_contain_text("live")
    page.get_by_label(field, exact=True).fill(typed)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_label(field, exact=True)).to_be_focused()
    expect(page.get_by_label(field, exact=True)).to_have_value(typed)


def test_a_link_to_the_same_page_and_a_button_of_its_form_keep_the_focus(visit, cluster):
    elsewhere(services.cycle_step, cluster.pk)
    page = visit().log_in().open("/c/demo/cycles/?pod=default/nothing")
    page.get_by_role("link", name="Clear").focus()
    page.keyboard.press("Tab")  # what comes by keys shows its focus
    page.keyboard.press("Shift+Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_label("Pod", exact=True)).to_be_focused()

    page.goto(page.url.partition("cycles")[0] + "nodes/node-0/")
    seek(page, "Cordon")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Uncordon")).to_be_focused()
