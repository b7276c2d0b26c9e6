"""A case of one's own, from a waiting pod to the slides of a presenter, by keys."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import elsewhere
from tests.browser.looks import PHONE, settle, too_wide, violations
from tests.scheduler.builders import a_cluster, a_pod


def test_a_moment_is_saved_as_a_case_and_presented(visit: Any, writer: Any) -> None:
    elsewhere(lambda: a_cluster(nodes=3, pods=0, bound=1, name="demo", more=[a_pod("big", cpu="99")]))
    page = visit(color_scheme="light", reduced_motion="reduce").log_in().open("/c/demo/case/")
    settle(page)
    found = violations(page)
    page.get_by_text("In which lane does a pod end?").click()
    page.get_by_label("Title").fill("Far too big")
    page.get_by_role("button", name="Save the case").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Far too big")
    page.keyboard.press("p")
    expect(page.get_by_text("Question · 1 of 5")).to_be_visible()
    expect(page.locator(".topbar")).to_have_count(0)
    found += violations(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_text("Filter · 2 of 5")).to_be_visible()
    expect(page.get_by_role("heading", name="The cluster")).not_to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.get_by_label("Gated").check()
    page.keyboard.press("PageDown")
    expect(page.get_by_text("Filter · 2 of 5")).to_be_visible()
    page.wait_for_url("**/learn/far-too-big/?present&stage=1&guess=Gated")
    for _ in range(3):
        page.keyboard.press("Space")
    expect(page.get_by_text("not quite")).to_be_visible()
    expect(page.locator(".say b")).to_have_text("Unschedulable")
    page.reload()
    expect(page.get_by_text("The answer · 5 of 5")).to_be_visible()
    page.set_viewport_size(PHONE)
    found += violations(page) + too_wide(page, (390,))
    page.keyboard.press("Escape")
    page.wait_for_url("**/learn/far-too-big/?guess=Gated")
    assert not found, "\n".join(found)


def test_a_case_file_is_dropped_and_mended(visit: Any, writer: Any) -> None:
    visitor = visit(color_scheme="light", reduced_motion="reduce").log_in()
    page = visitor.open("/learn/new/")
    settle(page)
    text = page.request.get(f"{visitor.site.url}/learn/fragments.yaml").text()
    drop = """(text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'mine.yaml'));
      document.querySelector('[data-drop-zone]').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer }));
    }"""
    page.evaluate(drop, text.replace("answer: Pending", "answer: node-b"))
    expect(page.locator(".diagnostic mark")).to_have_text("answer: node-b")
    assert all("400" in complaint for complaint in visitor.complaints)
    visitor.complaints.clear()
    settle(page)
    assert not violations(page)
    page.locator("#text").fill(text)
    page.get_by_role("button", name="Add the case").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Free in all, but in pieces")
    expect(page).to_have_url(f"{visitor.site.url}/learn/free-in-all-but-in-pieces/")
