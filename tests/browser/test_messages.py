"""What pages say of a deed is dismissed, or goes once it was read; the admin's button for the theme tells the truth."""

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from scheduler.models import Node
from tests.browser.conftest import elsewhere
from tests.scheduler.builders import a_cluster

LOOKS = ("light", "dark", "system, high contrast", "light, high contrast", "dark, high contrast", "system")


@pytest.fixture
def node(site: Any, writer: Any) -> Any:
    cluster = elsewhere(lambda: a_cluster(nodes=2, pods=0, name="demo"))
    return elsewhere(lambda: Node.objects.filter(cluster=cluster).first())


def test_messages_go_when_dismissed_or_read_and_the_theme_says_what_is_next(visit, node):
    visitor = visit(color_scheme="light").log_in()
    page = visitor.page
    page.clock.install()
    visitor.open(f"/c/demo/nodes/{node.name}/")
    message = page.locator("[data-message]")
    page.get_by_role("button", name="Cordon").click()
    page.clock.run_for(200)
    expect(page.locator("#live")).to_contain_text(f"Cordoned {node.name}")
    page.locator("h1").click()
    expect(message).to_be_visible()  # nobody has read it in that time
    page.clock.fast_forward(7000)
    expect(message).to_be_visible()  # nor does time alone take it away
    page.locator("h1").click()
    expect(page.locator(".frame-messages")).to_have_count(0)

    visitor.open(f"/admin/scheduler/node/{node.pk}/change/?next=/c/demo/nodes/")
    button = page.locator("[data-theme-switch]")
    for now, then in pairwise(("system", *LOOKS)):
        expect(button).to_have_attribute("title", f"Theme: {now}. Click for {then}.")
        button.click()
    page.get_by_label("Cordoned").uncheck()
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/c/demo/nodes/")
    expect(message).to_contain_text(f"Changed node {node.name}.")
    page.get_by_role("button", name="Dismiss this message").focus()
    page.keyboard.press("Escape")
    expect(message).to_have_count(0)
    assert page.evaluate("document.activeElement.id") == "page"
