"""Who goes back in time stays there until they leave it; undo and branch are a key away."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import elsewhere
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


def test_an_event_is_undone_and_a_branch_made_by_key(visit, cluster, writer):
    page = visit().log_in().open("/c/demo/")
    page.keyboard.press("e")
    expect(page.locator("phase-strip")).to_be_visible()
    expect(page.locator("queue-lanes")).to_contain_text("web-0")
    page.keyboard.press("z")
    expect(page.locator("main run-note")).to_contain_text("Undone: the Pop of default/web-0 (cycle 1).")
    page.keyboard.press("Shift+B")
    expect(page).to_have_url(re.compile(r"/c/demo-at-\d+/$"))
