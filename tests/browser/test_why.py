"""The page of a pod: why it waits, node by node and reason by reason, and why it is where it is."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scheduler import services
from scheduler.services import cluster_create
from tests.browser.conftest import elsewhere
from tests.browser.looks import too_wide, violations
from tests.scheduler.builders import START_US, a_node, a_pod

ZONE = "topology.kubernetes.io/zone"
RULE = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}
SPREAD = {"topologySpreadConstraints": [{**RULE, "labelSelector": {"matchLabels": {"app": "web"}}}]}
HIDDEN_NAMES = """panel => [...panel.querySelectorAll('.waterfall-name, td:first-child')]
    .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"""
PLACED = "/c/demo/pods/default/small/"
WAITING = "/c/demo/pods/default/big/"


@pytest.fixture
def pods(site: Any) -> None:
    """130 nodes: `big` fits on none of them, by cpu and by spread; `small` was placed."""
    nodes = [a_node(f"n-{place:03}", cpu="2", **{ZONE: f"z-{place % 3}"}) for place in range(130)]
    held = [a_pod(f"web-{place}", nodeName="n-000", cpu="400m", labels={"app": "web"}) for place in range(2)]
    big = a_pod("big", cpu="3", labels={"app": "web"}, **SPREAD)
    cluster = elsewhere(lambda: cluster_create("demo", [*nodes, *held, big, a_pod("small")], start_us=START_US))
    for _ in range(2):
        elsewhere(services.cycle_step, cluster.pk)


def no_faults(page: Page) -> None:
    """Beside what `test_looks` holds every page to: with its table filled."""
    assert violations(page, but="target-size") == []
    assert too_wide(page, (390, 1440)) == []


def test_a_pod_that_waits_is_explained_down_to_every_node(visit, pods):
    page = visit().open(WAITING)
    expect(page.get_by_role("heading", level=1)).to_contain_text("waits because no node has 3 cpu, even empty.")
    rows = page.get_by_role("region", name="Table of every node").locator("[data-node]")
    expect(rows).to_have_count(100)
    page.get_by_role("button", name="Show 30 more").click()
    expect(rows).to_have_count(130)
    page.get_by_label("Only nodes with this reason").select_option(
        label="node(s) didn't match pod topology spread constraints"
    )
    expect(rows).to_have_count(44)
    expect(page.locator(".why-says")).to_contain_text("44 nodes: 44 short of cpu.")
    page.get_by_label("Filter nodes").fill("n-000")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("1.2 / 2")
    expect(rows).to_contain_text("−1.8")
    page.get_by_role("button", name="Steps of the filters on n-000").click()
    expect(page.get_by_role("group", name="Steps of NodeResourcesFit")).to_contain_text("3000m ≤ 2000m − 800m")
    no_faults(page)
    page.get_by_role("tab", name="By node").focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("tab=reasons"))
    expect(page.get_by_role("region", name="Table of reasons").locator("tbody tr")).to_have_count(2)
    page.keyboard.press("End")
    expect(page.get_by_role("heading", name="Its way so far")).to_be_visible()
    page.get_by_role("tab", name="Spread and affinity").click()
    expect(page.get_by_role("region", name=f"Constraint 1: domains of {ZONE}").locator("tbody tr")).to_have_count(3)
    page.get_by_role("tab", name="Preemption").click()
    expect(page.locator("preemption-table")).to_contain_text("no eviction changes")
    page.get_by_role("tab", name="Request").click()
    expect(page.get_by_role("region", name="Table of resources").locator("tbody tr")).to_have_count(2)


def test_the_message_and_the_text_for_an_issue_can_be_taken_along(visit, pods):
    page = visit(permissions=["clipboard-read", "clipboard-write"]).open(WAITING)
    page.get_by_label("Kubernetes version of the message").select_option("before 1.34")
    expect(page).to_have_url(re.compile("form=1.33"))
    page.goto(page.url.partition("?")[0])
    expect(page.locator("#message-1\\.33")).to_be_visible()
    expect(page.locator("#message-1\\.34")).to_be_hidden()
    page.get_by_role("button", name="Copy message").click()
    expect(page.locator("#live")).to_contain_text("Copied")
    assert "no new claims" not in page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("link", name="Copy for issue").click()
    expect(page.locator("#live")).to_contain_text("Markdown for an issue copied")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("### Pod `namespace-")
    assert "n-000" not in text


def test_a_placed_pod_is_compared_with_any_other_node(visit, pods):
    page = visit(color_scheme="dark").open(PLACED)
    field = page.get_by_label("instead of")
    field.fill("n-000")
    field.press("Enter")
    page.wait_for_url("**/small/?vs=n-000")
    versus = page.locator("#versus")
    expect(versus).to_contain_text("leads n-000 by")
    table = versus.get_by_role("region", name="Table of differences")
    points = table.locator("tbody tr td:nth-child(2)").all_inner_texts()
    numbers = [int(text.replace("−", "-")) for text in points]
    assert sum(numbers[:-1]) == numbers[-1] > 0
    steps = versus.get_by_role("list").locator(".waterfall-value").all_inner_texts()
    first, *gains, last = [int(text.replace("−", "-")) for text in steps]
    assert first + sum(gains) == last
    again = page.locator("would-go")
    page.route("**/again/*", lambda route: route.fulfill(body="<main>Log in</main>", content_type="text/html"), times=1)
    again.get_by_role("button", name="Try it").click()
    expect(again).to_contain_text("It could not be tried: the server did not tell.")
    again.get_by_role("button", name="Try again").click()
    expect(again).to_contain_text("It would go to ")
    expect(again.get_by_role("region", name="Best nodes now").locator("tbody tr").first).to_have_attribute(
        "data-state", "win"
    )
    page.set_viewport_size({"width": 390, "height": 844})
    assert table.evaluate("table => table.scrollWidth - table.clientWidth") == 0
    assert page.get_by_role("tablist").evaluate("list => list.scrollWidth - list.clientWidth") == 0
    assert versus.evaluate(HIDDEN_NAMES) == []
    expect(page.get_by_role("region", name="Table of the best nodes").locator("tbody tr")).to_have_count(6)


def test_the_page_of_a_pod_that_stands_open_follows_its_attempts(visit, site):
    cluster = elsewhere(lambda: cluster_create("demo", [a_node("n-0"), a_pod("small")], start_us=START_US))
    page = visit().open("/c/demo/pods/default/small/?tab=request")
    expect(page.get_by_role("heading", level=1)).to_contain_text("for its first attempt: it is next, as ")
    expect(page.locator("fix-list")).to_be_visible()
    page.get_by_role("button", name="Copy", exact=True).focus()
    row = visit().open("/c/demo/pods/").get_by_role("row").filter(has_text="small")
    expect(row).to_contain_text("0/1")
    expect(row).to_contain_text("Pending")
    elsewhere(services.cycle_step, cluster.pk)
    expect(page.get_by_role("heading", level=1)).to_contain_text("went to n-0")
    expect(page.locator("#p-facts")).to_contain_text("Running")
    expect(page.locator("fix-list")).to_have_count(0)
    expect(page.get_by_role("heading", name="Why here and not there?")).to_be_visible()
    expect(page.locator("#live")).to_contain_text("went to n-0")
    expect(page.get_by_role("tab", name="Request")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_focused()
    page.get_by_role("tab", name="By node").click()
    expect(page.get_by_role("region", name="Table of every node").locator("[data-node]")).to_have_count(1)
    expect(row).to_contain_text("Running")
    expect(row).to_contain_text("1/1")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("group", name="Transport")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
