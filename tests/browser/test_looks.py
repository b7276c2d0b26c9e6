"""Every address in a browser: by axe in each theme, from 320 to 2560 px, on paper, by keys alone, at rest."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver
from playwright.sync_api import Page, expect

from dashboard.urls import urlpatterns
from scheduler import services
from scheduler.services.imports import rollout_create
from tests.browser.conftest import elsewhere
from tests.browser.looks import (
    DESK,
    MOVING,
    OBSCURED,
    ON_PAPER,
    PAPER,
    PHONE,
    TALL,
    headings,
    keep,
    settle,
    too_wide,
    violations,
)
from tests.scheduler.builders import a_cluster, a_pod

# What stands for the parts of an address; whatever needs another is no page that can be opened just so.
DEMO = {"<slug:cluster>": "demo", "<int:number>": "1", "nodes/<str:name>": "nodes/node-0"}
PODS = {"pods/<str:namespace>/<str:name>": "pods/default/big"}
UNITED = {"c/demo/uniteddeployments/<str:namespace>/<str:name>": "c/rollout/uniteddeployments/shop/storefront"}
MORE = (
    "/c/demo/cycles/2/",
    "/c/demo/?at=5",
    "/c/demo/time/?at=5",
    "/c/demo/pods/default/web-0/",
    "/c/demo/nodes/?view=map",
)


@pytest.fixture
def cluster(site: Any) -> Any:
    more = [a_pod("big", cpu="99", priority=5)]
    cluster = elsewhere(lambda: a_cluster(nodes=6, pods=3, bound=3, name="demo", more=more))
    for _ in range(3):
        elsewhere(services.cycle_step, cluster.pk)
    elsewhere(rollout_create)
    return cluster


def addresses(patterns: list[Any], before: str = "/") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, before + str(pattern.pattern))
        elif isinstance(pattern, URLPattern):
            address = before + str(pattern.pattern)
            for part, word in {**DEMO, **PODS, **UNITED}.items():
                address = address.replace(part, word)
            if "<" not in address:
                yield address


def pages(page: Page, url: str) -> list[str]:
    """Addresses that answer with a page; those of data, parts, commands and of what is not there are left out."""
    asked = {address: page.request.get(url + address, max_redirects=0) for address in (*addresses(urlpatterns), *MORE)}
    html = [at for at, answer in asked.items() if answer.ok and answer.body()[:9].lower() == b"<!doctype"]
    assert len(html) >= 18, {address: answer.status for address, answer in asked.items()}
    return html


def looked_at(page: Page, address: str) -> list[str]:
    """All that is held of a page. It is left as it was found: on a desk, in light."""
    found = settle(page)
    keep(page, f"{address} light")
    found += headings(page) + page.evaluate(OBSCURED) + page.evaluate(MOVING)
    page.set_viewport_size(TALL)
    settle(page)
    # The page of patterns shows whole regions several times over.
    found += violations(page, but="landmark-unique" if address == "/patterns/" else "")
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.set_viewport_size(DESK)
    settle(page)
    keep(page, f"{address} dark")
    found += violations(page, ["color-contrast"]) + too_wide(page)
    page.set_viewport_size(PHONE)
    settle(page)
    keep(page, f"{address} phone")
    page.set_viewport_size(TALL | {"width": PHONE["width"]})
    found += violations(page, ["target-size", "scrollable-region-focusable"]) + too_wide(page, (390,))
    page.set_viewport_size({"width": PAPER, "height": 900})
    page.emulate_media(media="print", reduced_motion="reduce")
    settle(page)
    keep(page, f"{address} paper")
    found += page.evaluate(ON_PAPER) + too_wide(page, (PAPER,))
    page.emulate_media(media="screen", color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size(DESK)
    return [f"{address}: {one}" for one in found]


def test_every_page_is_accessible_in_every_theme_and_size_and_on_paper(visit, cluster):
    visitor = visit(color_scheme="light", reduced_motion="reduce")
    found: list[str] = []
    for address in pages(visitor.page, visitor.site.url):
        found += looked_at(visitor.open(address), address)
    assert not found, "\n".join(found)


def test_dialogs_and_high_contrast_are_accessible_too(visit, cluster):
    page = visit(color_scheme="light", contrast="more", tour=True).open("/c/demo/")
    tour = page.get_by_role("dialog", name="The board: queues, decision, cluster")
    expect(tour).to_be_visible()
    found = violations(page)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    found += violations(page)
    keep(page, "keys in high contrast")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("no")
    found += violations(page)
    page.keyboard.press("Escape")
    found += violations(page, ["color-contrast"])
    page.emulate_media(color_scheme="dark", contrast="more")
    settle(page)
    keep(page, "board in high contrast")
    found += violations(page, ["color-contrast"])
    assert not found, "\n".join(found)


def test_the_tour_is_shown_once_walked_by_arrows_and_found_again(visit, cluster):
    visitor = visit(color_scheme="light", tour=True)
    page = visitor.open("/c/demo/")
    tour = page.locator("dialog.tour")
    expect(tour).to_contain_text("1 of 6")
    expect(tour).to_be_focused()
    page.keyboard.press("Space")  # runs, as the tour says
    expect(page.locator("run-note:visible").first).to_contain_text("Log in")
    expect(tour).to_contain_text("1 of 6")
    before = page.locator("#cycle").bounding_box()
    for step in range(2, 7):
        page.keyboard.press("ArrowRight")
        expect(tour).to_contain_text(f"{step} of 6")
    assert page.locator("#cycle").bounding_box() == before
    page.keyboard.press("Escape")
    expect(tour).not_to_be_visible()
    page.reload()
    settle(page)
    expect(tour).to_have_count(0)
    page.keyboard.press("?")
    page.get_by_role("button", name="Take the tour").click()
    expect(tour).to_contain_text("1 of 6")
    page.set_viewport_size(PHONE)
    expect(tour).to_contain_text("of 6")
    assert tour.bounding_box()["x"] >= 0
    assert not too_wide(page, (390,))


def test_high_contrast_is_chosen_from_the_menu_and_kept(visit, cluster):
    page = visit(color_scheme="light").open("/c/demo/nodes/")
    page.get_by_label("Theme: system").click()
    page.get_by_role("radio", name="Dark").check()
    page.get_by_role("switch", name="High contrast").check()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-contrast", "more")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(255, 255, 255)"
