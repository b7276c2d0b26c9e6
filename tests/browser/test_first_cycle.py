"""The board before its first cycle: who is next, and a button that begins."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import elsewhere
from tests.scheduler.builders import a_cluster, a_pod

# How many letters wide it is: all are of one width.
LETTERS = """head => {
    const probe = document.createElement('span');
    probe.textContent = '0'.repeat(100);
    head.parentElement.append(probe);
    const one = probe.scrollWidth / 100;
    probe.remove();
    return head.getBoundingClientRect().width / one;
}"""


@pytest.fixture
def cluster(site: Any) -> Any:
    return elsewhere(lambda: a_cluster(nodes=3, pods=2, name="demo"))


def test_who_is_next_is_told_and_one_button_does_the_first_cycle(visit, cluster, writer):
    page = visit().log_in().open("/c/demo/")
    first = page.locator("first-cycle")
    expect(first.locator(".first-say")).to_contain_text("is scheduled next.")
    expect(first).to_contain_text("3 nodes")
    first.get_by_role("button", name="Step the first cycle").focus()
    page.keyboard.press("Enter")
    expect(page.locator("cycle-head")).to_contain_text("Cycle 1")
    expect(first).to_be_hidden()
    assert page.evaluate("document.activeElement.id === 'page'")


def test_a_visitor_is_shown_the_login_and_no_button_that_does_nothing(visit, cluster):
    page = visit().open("/c/demo/")
    first = page.locator("first-cycle")
    expect(first.get_by_role("link", name="Log in")).to_be_visible()
    expect(first.get_by_role("button", name="Step the first cycle")).to_have_count(0)
    expect(page.get_by_role("button", name="Branch from here")).to_have_attribute("aria-disabled", "true")


def test_the_tour_begins_where_it_is_offered(visit, cluster):
    page = visit().open("/c/demo/")
    page.locator("first-cycle").get_by_role("button", name="Tour in six steps").click()
    expect(page.locator("dialog.tour")).to_be_visible()


def test_a_key_of_two_names_is_one_row_of_the_list(visit, cluster):
    page = visit().open("/c/demo/")
    expect(page.locator("connection-chip")).to_contain_text("live")
    page.keyboard.press("?")
    rows = page.locator("#keys dl > div").filter(has_text="undo the last action")
    expect(rows).to_have_count(1)
    expect(rows.locator("kbd")).to_have_text(["Z", "Ctrl", "Z"])


def test_a_name_is_cut_at_whole_letters_so_that_it_reads_as_one_word(visit, site):
    long = a_pod("storefront-5h42xbdkn-with-quite-a-long-name-ncsnd")
    elsewhere(lambda: a_cluster(nodes=1, pods=0, bound=0, name="long", more=[long]))
    page = visit().open("/c/long/")
    head = page.locator(".pod-card[data-key] .pod-card-name b").first
    expect(head).to_be_visible()
    letters = head.evaluate(LETTERS)
    assert abs(letters - round(letters)) < 0.05
