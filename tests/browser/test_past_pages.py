"""Who goes back in time stays there until they leave it; undo and branch are a key away."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from scheduler import services
from tests.browser.conftest import elsewhere
from tests.browser.looks import PHONE, too_wide
from tests.scheduler.builders import a_cluster


@pytest.fixture
def cluster(site: Any) -> Any:
    return elsewhere(lambda: a_cluster(nodes=3, pods=2, bound=0, name="demo"))


def test_links_and_keys_keep_to_the_past_and_end_leaves_it(visit, cluster, writer):
    page = visit().log_in().open(f"/c/demo/pods/?at={cluster.seq}")
    expect(page.locator(".banner")).to_contain_text("You are in the past")
    page.locator("td a").first.click()
    expect(page).to_have_url(re.compile(rf"/pods/default/web-0/\?at={cluster.seq}$"))
    page.keyboard.press("g")
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile(rf"/nodes/\?at={cluster.seq}$"))
    expect(page.locator(".topbar [data-command=step]")).to_have_attribute("title", re.compile("This is the past"))
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile(r"/nodes/$"))


@pytest.mark.parametrize("path", ["", "pods/"])
def test_the_foot_of_a_phone_has_room_for_the_number_of_a_late_event(visit, cluster, writer, path):
    elsewhere(services.run_speed, cluster.pk, 0.01)  # the longest name of a speed
    page = visit().log_in().open(f"/c/demo/{path}?at={cluster.seq - 1}")
    page.set_viewport_size(PHONE)
    expect(page.locator(".topbar run-controls")).to_be_hidden()
    page.locator(".foot .chip-warn > span").evaluate("chip => { chip.textContent = 'event 115,004'; }")
    assert too_wide(page, (PHONE["width"],)) == []


def test_an_event_is_undone_and_a_branch_made_by_key(visit, cluster, writer):
    page = visit().log_in().open("/c/demo/")
    with page.expect_response("**/commands/"):
        page.keyboard.press("e")
    expect(page.locator("cycle-says")).to_contain_text("is being placed")
    page.keyboard.press("z")
    expect(page.locator("main run-note")).to_contain_text("Undone: the Pop of default/web-0 (cycle 1).")
    page.keyboard.press("Shift+B")
    expect(page).to_have_url(re.compile(r"/c/demo-at-\d+/$"))


def test_the_page_of_the_time_follows_an_undo_by_key(visit, cluster, writer):
    for _ in range(2):
        elsewhere(services.cycle_step, cluster.pk)
    page = visit().log_in().open("/c/demo/time/")
    page.get_by_label("Name of the new cluster").fill("mine")
    page.get_by_role("button", name="Undo Z").click()
    expect(page.locator("[data-message]")).to_contain_text("Undone: cycle 2")
    expect(page.locator("#t-undo b").first).to_contain_text("cycle 1")
    expect(page.locator("#t-undo")).to_contain_text("Redo brings back cycle 2")
    page.get_by_label("Name of the new cluster").fill("mine")
    page.locator("h1").click()
    page.keyboard.press("z")
    expect(page.locator("main run-note")).to_contain_text("Undone: cycle 1")
    expect(page.locator("[data-message]")).to_have_count(0)
    expect(page.locator("#t-undo")).to_contain_text("There is nothing to undo")
    now = elsewhere(lambda: str(type(cluster).objects.get(pk=cluster.pk).seq))
    expect(page.get_by_label("Branch from event")).to_have_value(now)
    expect(page.get_by_label("Name of the new cluster")).to_have_value("mine")
