"""Profiles are changed, and a message is copied, in a browser. What is held of every page: test_looks."""

from typing import Any

import pytest
from playwright.sync_api import expect

from scheduler import services
from tests.browser.conftest import elsewhere
from tests.scheduler.builders import a_cluster, a_pod


@pytest.fixture
def cluster(site: Any) -> Any:
    more = [a_pod("big", cpu="99", priority=5)]
    cluster = elsewhere(lambda: a_cluster(nodes=6, pods=3, bound=3, name="demo", more=more))
    for _ in range(2):
        elsewhere(services.cycle_step, cluster.pk)
    return cluster


def test_weights_are_saved_as_an_event_and_used_by_the_next_cycle(visit, cluster, writer):
    page = visit().log_in().open("/c/demo/profiles/")
    expect(page.get_by_text("not saved yet")).to_be_hidden()
    expect(page.get_by_role("link", name="Discard")).to_be_hidden()
    page.get_by_label("Weight of NodeResourcesFit").fill("7")
    expect(page.get_by_text("not saved yet")).to_be_visible()
    expect(page.locator("tr[data-changed]")).to_have_count(1)
    page.get_by_label("All algorithms of default-scheduler").scroll_into_view_if_needed()
    expect(page.get_by_role("link", name="Discard")).to_be_in_viewport()
    page.get_by_role("button", name="Save profiles").click()
    expect(page.locator(".banner-ok")).to_contain_text("Saved.")
    expect(page.get_by_label("Weight of NodeResourcesFit")).to_have_value("7")
    elsewhere(services.cycle_step, cluster.pk)
    expect(page.locator(".banner-ok")).to_have_count(0)  # its way back is closed now
    page = visit().open("/c/demo/")
    expect(page.locator("score-matrix")).to_contain_text("×7")


def test_a_saved_profile_is_taken_back_and_the_form_follows(visit, cluster, writer):
    page = visit().log_in().open("/c/demo/profiles/")
    weight = page.get_by_label("Weight of NodeResourcesFit")
    weight.fill("7")
    page.get_by_role("button", name="Save profiles").click()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".banner-ok")).to_contain_text("Undone")
    expect(weight).to_have_value("1")
    weight.fill("9")
    page.get_by_role("button", name="Save profiles").click()
    expect(weight).to_have_value("9")
    page.locator("h1").click()
    page.keyboard.press("z")
    expect(weight).to_have_value("1")


def test_a_wrong_weight_is_told_at_its_field_and_nothing_is_saved(visit, cluster, writer):
    visitor = visit().log_in()
    page = visitor.open("/c/demo/profiles/")
    before = elsewhere(services.execute, cluster.pk).last_seq
    field = page.get_by_label("Weight of NodeResourcesFit")
    switch = page.get_by_label("NodePorts filters")
    switch.press("Space")  # is the switch's own here, and runs nothing
    expect(switch).not_to_be_checked()
    field.fill("many")
    field.press("Enter")
    expect(page.locator("h1")).to_have_text("Not saved: one thing is wrong.")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    expect(page.locator(".field-error")).to_contain_text("whole number")
    assert elsewhere(services.execute, cluster.pk).last_seq == before
    visitor.complaints = [one for one in visitor.complaints if "400" not in one]


def test_the_schedulers_message_can_be_copied(visit, cluster):
    visitor = visit(permissions=["clipboard-read", "clipboard-write"])
    page = visitor.open("/c/demo/pods/default/big/")
    page.get_by_role("button", name="Copy message").click()
    expect(page.locator("#live")).to_contain_text("Copied")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("0/6 nodes are available: 6 Insufficient cpu.")


def test_a_phone_shows_what_became_of_each_cycle_and_why(visit, cluster):
    visitor = visit()
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    page = visitor.open("/c/demo/cycles/")
    refused = page.locator(".cycle-rows tbody tr").last
    expect(refused.locator(".chip-no")).to_be_in_viewport(ratio=1)
    expect(refused.locator(".reason")).to_be_in_viewport(ratio=1)
    expect(refused.locator(".reason")).to_have_text("6\u00a0insufficient cpu")
    assert page.evaluate("document.querySelector('.data-table-wrap').scrollWidth <= innerWidth")
