"""The nodes in a browser: the map by keyboard, the node at the side, cordon and back, a drain with its preview."""

from typing import Any

import pytest
from playwright.sync_api import expect

from scheduler import services
from scheduler.models import Node
from tests.browser.conftest import elsewhere
from tests.browser.looks import violations
from tests.scheduler.builders import a_cluster, a_node, a_pod

VIEWS = (
    "nodes/?view=map&group=zone,pool&node=node-1",
    "nodes/?view=bars&fit=cpu%3D1&group=",
    "nodes/?view=tiles",
    "nodes/?view=table&node=node-0&at=9",
    "nodes/node-0/",
    "nodes/node-0/drain/",
    "nodes/node-0/edit/",
)
BEYOND = "(table) => table.checkVisibility() && table.scrollWidth > table.clientWidth"
LONG = "worker-pool-general-purpose-eu-central-1b-00017.example.com"


@pytest.fixture
def cluster(site: Any, writer: Any) -> Any:
    more = [a_node(f"spot-{n}", zone=f"zone-{n % 2}", pool="spot") for n in range(4)]
    more += [a_node(LONG, zone="zone-2", pool="spot"), a_pod("p" * 60, cpu="100m", nodeName="node-0")]
    more += [a_pod("big", cpu="3900m", nodeName="spot-0")]
    cluster = elsewhere(lambda: a_cluster(nodes=6, pods=3, bound=3, name="demo", more=more))
    for _ in range(3):
        elsewhere(services.cycle_step, cluster.pk)
    return cluster


def test_every_view_is_quiet_accessible_and_fits_a_phone(visit, cluster):
    visitor = visit(color_scheme="light").log_in()
    found, wide, sideways, begins = [], [], [], set()
    for path in VIEWS:
        page = visitor.open(f"/c/demo/{path}")
        page.wait_for_load_state("networkidle")
        page.emulate_media(color_scheme="dark" if len(wide) % 2 else "light")
        found += [(path, one) for one in violations(page, but="target-size")]
        begins.add(page.locator(".doc").bounding_box()["x"])
        page.set_viewport_size({"width": 390, "height": 844})
        wide.append(page.evaluate("document.documentElement.scrollWidth"))
        sideways += [
            (path, one.get_attribute("aria-label"))
            for one in page.locator(".data-table-wrap").all()
            if one.evaluate(BEYOND)
        ]
        page.set_viewport_size({"width": 1440, "height": 900})
    assert found == []
    assert wide == [390] * len(VIEWS)
    assert sideways == []
    assert len(begins) == 1


def test_the_map_is_walked_by_keys_and_a_node_is_cordoned_and_opened_again(visit, cluster):
    page = visit().log_in().open("/c/demo/nodes/?view=map&group=pool")
    expect(page.get_by_role("heading", level=1)).to_contain_text("11 nodes")
    field = page.get_by_role("application")
    field.focus()
    expect(page.locator(".node-field-tip")).to_contain_text("spot-0 · cpu 97% · 1 pod · spot")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageDown")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    side = page.get_by_role("complementary", name="Chosen node")
    expect(side).to_be_focused()
    expect(side).to_contain_text("default/big")
    expect(side).to_contain_text("Last 3 cycles: refused in 3.")
    expect(side.get_by_role("row", name="Insufficient cpu 3 3")).to_be_visible()
    expect(page).to_have_url(f"{visit_url(page)}?view=map&group=pool&node=spot-0")
    side.get_by_role("button", name="Cordon").press("Enter")
    expect(page.locator(".banner-ok")).to_contain_text("Cordoned spot-0.")
    expect(side.get_by_text("Ready,SchedulingDisabled")).to_be_visible()
    expect(side.get_by_role("button", name="Uncordon")).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".banner-ok")).to_contain_text("Undone")
    expect(side.get_by_role("button", name="Cordon")).to_be_visible()
    page.keyboard.press("Escape")
    expect(side).to_be_hidden()
    page.get_by_role("link", name="Tiles").press("Enter")
    expect(page.get_by_role("link", name="Tiles")).to_be_focused()
    page.get_by_role("searchbox").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(side).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".node-tile:focus")).to_have_attribute("data-node", "spot-1")
    page.keyboard.press("v")
    expect(page.get_by_role("link", name="Map")).to_be_focused()


def visit_url(page: Any) -> str:
    return page.url.partition("?")[0]


def test_the_page_follows_the_news_and_finds_what_is_searched_for(visit, cluster):
    page = visit().open("/c/demo/nodes/?view=table")
    page.get_by_role("searchbox").fill("-l pool=spot cpu<50%")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="cpu requests").press("Enter")
    expect(page.get_by_role("link", name="cpu requests")).to_be_focused()
    rows = page.locator("tr[data-row]")
    expect(rows).to_have_count(4)
    expect(page.locator("#n-found")).to_contain_text("4 matches in 11 nodes")
    elsewhere(services.objects_apply, cluster.pk, [a_pod("more", cpu="3500m", nodeName="spot-1")])
    expect(rows).to_have_count(3)
    page.get_by_label("Would fit").fill("cpu=3")
    page.keyboard.press("Enter")
    expect(page.locator("#n-room")).to_contain_text("more of cpu=3 would fit, on")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.path().read_text().count("\n") == 4


def test_a_drain_is_shown_before_it_is_done(visit, cluster):
    page = visit().log_in().open("/c/demo/nodes/spot-0/")
    page.get_by_role("link", name="Drain…").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Draining spot-0 would evict 1 pod; it would be lost.")
    expect(page.locator(".plan")).to_contain_text("no controller owns it")
    page.get_by_role("button", name="Drain spot-0").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("holds 0 pods and takes no more: it is cordoned")
    assert elsewhere(lambda: Node.objects.get(cluster=cluster, name="spot-0").unschedulable)
