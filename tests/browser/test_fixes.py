"""What would make a pod fit: tried while one looks, opened to see the change, and gone on with on a branch."""

from typing import Any

import pytest
from playwright.sync_api import expect

from scheduler import services
from scheduler.services import cluster_create
from tests.browser.conftest import elsewhere
from tests.browser.looks import violations
from tests.scheduler.builders import START_US, a_node, a_pod

BIG = "/c/demo/pods/default/big/"


@pytest.fixture
def fragmented(site: Any) -> None:
    """Two nodes of 4 cpu with a pod of 1 on each, and a pod that asks for 4."""
    placed = [a_pod(f"p{number}", cpu="1", nodeName=f"n{number}") for number in (1, 2)]
    more = [a_node("n1"), a_node("n2"), *placed, a_pod("big", cpu="4")]
    cluster = elsewhere(lambda: cluster_create("demo", more, start_us=START_US))
    elsewhere(services.cycle_step, cluster.pk)


def test_a_fix_is_tried_looked_at_and_opened_as_a_branch_by_keys_alone(visit, writer, fragmented):
    page = visit().log_in().open(BIG)
    tried = page.locator("fix-list")
    expect(tried.locator(".fix-says")).to_contain_text("changes tried")
    first = tried.get_by_role("listitem").first
    expect(first).to_contain_text("Ask for 3 cpu instead of 4")
    expect(first).to_contain_text("Lands on n1, one of 2 nodes that fit")
    move = tried.get_by_role("listitem").filter(has_text="Move")
    expect(move).to_contain_text("default/p1 → n2")
    page.get_by_label("Kubernetes version of the message").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    diff = first.get_by_label("Pod big, before and after")
    expect(diff).to_contain_text("+        cpu: '3'")
    assert violations(page) == []
    page.keyboard.press("Tab")
    opens = first.get_by_role("button", name="Open branch")
    expect(opens).to_be_focused()
    page.evaluate("document.querySelector('fix-list').draw(false)")
    expect(opens).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/demo-at-*/pods/default/big/")
    page.keyboard.press("s")
    expect(page.locator("cluster-clock")).to_contain_text("event")
    page.goto(page.url.replace("/pods/default/big/", "/pods/?q=big"))
    expect(page.get_by_role("row").filter(has_text="big")).to_contain_text("n1")
