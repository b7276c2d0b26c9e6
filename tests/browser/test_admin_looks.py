"""The pages of the admin in a browser: by axe in both themes, and on a phone."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Page

from scheduler.models import Node, Pod, Profile
from tests.browser.conftest import elsewhere
from tests.browser.looks import DESK, OBSCURED, TALL, headings, too_wide, violations
from tests.scheduler.builders import a_cluster

WCAG = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]


@pytest.fixture
def cluster(site: Any, writer: Any) -> Any:
    return elsewhere(lambda: a_cluster(nodes=2, pods=2, bound=1, name="demo"))


def first(model: Any, cluster: Any) -> Any:
    return model.objects.filter(cluster=cluster).first().pk


def addresses(cluster: Any) -> list[str]:
    """One of each sort of page."""
    node, pod, profile = (first(model, cluster) for model in (Node, Pod, Profile))
    forms = (
        f"node/{node}/change/",
        f"pod/{pod}/change/",
        f"profile/{profile}/change/",
        f"cluster/{cluster.pk}/change/",
    )
    return ["", *(f"scheduler/{one}" for one in ("node/", *forms, f"node/{node}/delete/", f"node/{node}/history/"))]


def asked(page: Page, cluster: Any) -> Iterator[str]:
    """The pages between an action and its doing, opened one after the other."""
    for model, action in (("node", "drain"), ("node", "add_taint"), ("pod", "requeue"), ("pod", "delete_selected")):
        page.goto(f"{page.url.partition('/admin/')[0]}/admin/scheduler/{model}/?cluster__id__exact={cluster.pk}")
        for box in page.locator("input.action-select").all():
            box.check()
        page.locator("select[name=action]").select_option(action)
        page.get_by_role("button", name="Go").click()
        page.locator(".action-page").wait_for()
        yield f"{model} {action}"


def overtaken(page: Page, address: str) -> str:
    """The form of a node that somebody else has saved while it was open."""
    theirs = page.context.new_page()
    for one, zone in ((theirs, "a"), (page, "b")):
        one.goto(page.url.partition("/admin/")[0] + address)
        one.locator("[name=labels-value]").first.fill(zone)
    for one in (theirs, page):
        one.get_by_role("button", name="Save", exact=True).click()
        one.wait_for_load_state()
    theirs.close()
    page.locator(".theirs").wait_for()
    return "two editors"


def looked_at(page: Page, address: str) -> list[str]:
    """What is wrong with the page that is open; it is left on a desk."""
    found = headings(page)
    page.set_viewport_size(TALL)  # so that the bar of buttons lies on nothing
    found += violations(page, WCAG)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({**TALL, "width": 390})
    found += violations(page, ["color-contrast", "label", "target-size"])
    found += too_wide(page, (390, 320))
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(DESK)
    return [f"{address}: {one}" for one in found]


def test_every_sort_of_page_of_the_admin_is_accessible_and_fits_a_phone(visit, cluster):
    visitor = visit(color_scheme="light", reduced_motion="reduce")
    found: list[str] = []
    page = visitor.log_in().page
    for address in elsewhere(addresses, cluster):
        visitor.open(f"/admin/{address}")
        found += looked_at(page, address)
    page.set_viewport_size({"width": 1000, "height": 900})  # where Django would put the head's parts below each other
    found += [f"1000 px: {one}" for one in page.evaluate(OBSCURED)]
    node = f"/admin/scheduler/node/{elsewhere(first, Node, cluster)}/change/"
    for name in chain(asked(page, cluster), (overtaken(one, node) for one in [page])):
        page.set_viewport_size(TALL)
        found += [f"{name}: {one}" for one in violations(page, WCAG) + headings(page) + too_wide(page, (320,))]
        page.set_viewport_size(DESK)
    assert not found, "\n".join(found)
