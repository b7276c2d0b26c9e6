"""The board in a browser: it steps, runs, follows what others do, and is used by keys."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scheduler import services
from tests.browser.conftest import elsewhere
from tests.scheduler.builders import a_cluster, a_node, a_pod

PAINTED = "score-matrix .heatmaplayer image"


@pytest.fixture
def cluster(site: Any) -> Any:
    return elsewhere(lambda: a_cluster(nodes=6, pods=4, bound=3, name="demo"))


def board(visitor: Any) -> Page:
    page = visitor.open("/c/demo/")
    expect(page.locator("connection-chip")).to_contain_text("live")
    return page


def lane(page: Page, name: str) -> Any:
    return page.locator(f"[data-lane={name}] .queue-lane-count")


def test_step_and_see(visit, cluster, writer):
    page = board(visit().log_in())
    expect(lane(page, "active")).to_have_text("4")
    page.get_by_role("button", name="Step one cycle").click()
    expect(page.locator("cycle-says")).to_contain_text("default/web-0 went to node-")
    expect(page.locator(PAINTED).first).to_be_visible()
    expect(lane(page, "active")).to_have_text("3")
    cluster.refresh_from_db()
    expect(page.locator("cluster-clock")).to_contain_text(f"event {cluster.seq}")


def test_a_step_through_workers_says_who_worked(visit, cluster, writer, start_worker):
    start_worker()
    page = board(visit().log_in())
    page.keyboard.press("s")
    expect(page.locator("cycle-says")).to_contain_text(re.compile(r"Map: 6 nodes in 4 ranges on \d workers?"))
    expect(page.locator(PAINTED).first).to_be_visible()


def test_phase_by_phase_nothing_is_told_too_early(visit, cluster, writer):
    page = board(visit().log_in())
    phase = page.get_by_role("button", name="Step one phase")
    for words in ("is being placed.", "is being placed.", "6 of 6 nodes passed the filters"):
        phase.click()
        expect(page.locator("cycle-says")).to_contain_text(words)
    figures = page.locator("score-matrix .textpoint")
    expect(page.locator(PAINTED).first).to_be_visible()  # cells that wait
    expect(figures).to_have_count(0)
    for _ in range(2):
        phase.click()
        expect(phase).not_to_have_attribute("data-state", "busy")
    expect(figures.first).to_be_visible()
    expect(page.locator("cycle-says")).not_to_contain_text("leads")
    page.get_by_role("button", name="Step one cycle").click()
    expect(page.locator("cycle-says")).to_contain_text("went to node-")


def test_map_cells_appear_range_by_range_as_the_workers_returned_them(visit, cluster, writer, start_worker):
    start_worker()
    page = board(visit().log_in())
    phase = page.get_by_role("button", name="Step one phase")
    for words in ("is being placed.", "is being placed.", "6 of 6 nodes passed the filters"):
        phase.click()
        expect(page.locator("cycle-says")).to_contain_text(words)
    phase.click()
    expect(page.locator("cycle-head")).to_contain_text("PreScore")
    page.evaluate("""() => {
      window.heads = new Set();
      const look = () => {
        for (const head of document.querySelectorAll('.matrix-head .state')) window.heads.add(head.textContent);
        requestAnimationFrame(look);
      };
      look();
    }""")
    phase.click()
    expect(page.locator(".matrix-head .state", has_text="next").first).to_be_visible()
    assert "map" in page.evaluate("[...window.heads]")
    expect(page.locator("cycle-says")).to_contain_text(re.compile(r"Map: 6 nodes in \d ranges on \d workers?"))


def test_two_browsers_stay_in_step(visit, cluster, writer):
    first, second = board(visit().log_in()), board(visit())
    for pods in ("3", "2", "1"):
        first.get_by_role("button", name="Step one cycle").click()
        for page in (first, second):
            expect(lane(page, "active")).to_have_text(pods)
    expect(second.locator("cycle-says")).to_have_text(first.locator("cycle-says").inner_text())


def test_a_cut_connection_is_told_and_made_good(visit, cluster):
    visitor = visit()
    wires: list[Any] = []

    def wire(socket: Any) -> None:
        wires.append(socket)
        socket.connect_to_server()

    visitor.page.route_web_socket(re.compile("/ws/"), wire)
    page = board(visitor)
    wires[-1].close()
    expect(page.locator("connection-chip")).to_contain_text("reconnecting")
    for _ in range(3):
        elsewhere(services.cycle_step, cluster.pk)  # nobody tells this page
    expect(page.locator("connection-chip")).to_contain_text("live")
    expect(lane(page, "active")).to_have_text("1")
    expect(page.locator("cycle-says")).to_contain_text("default/web-2")
    elsewhere(services.cycle_step, cluster.pk)
    expect(lane(page, "active")).to_have_text("0")


def test_an_edit_in_the_admin_shows_on_the_open_board(visit, cluster, writer):
    watcher, editor = board(visit()), visit().log_in()
    tile = watcher.locator("node-grid a[href$='/nodes/node-0/']")
    expect(tile).not_to_have_attribute("data-state", "cordon")
    page = editor.open("/admin/scheduler/node/")
    page.get_by_role("link", name="node-0").first.click()
    page.get_by_label("Cordoned").check()
    page.locator("[name=_save]").first.click()
    expect(page.locator(".messagelist")).to_contain_text("Changed ")
    expect(tile).to_have_attribute("data-state", "cordon")


def test_a_lane_with_pods_has_heads_over_its_columns(visit, cluster):
    page = board(visit())
    expect(page.locator("[data-lane=active] .pod-card-cols")).to_be_visible()
    expect(page.locator("[data-lane=active] .pod-card-cols")).to_contain_text("priority")
    expect(page.locator("[data-lane=backoff] .pod-card-cols")).to_be_hidden()
    cards = page.locator("[data-lane=active] .pod-card[data-key]")
    for key, at in (("j", 0), ("j", 1), ("k", 0)):
        page.keyboard.press(key)
        expect(cards.nth(at)).to_be_focused()


def test_a_refused_tile_keeps_its_pods_and_says_of_which_cycle_its_verdict_is(visit, cluster):
    elsewhere(services.objects_apply, cluster.pk, [a_pod("huge", cpu="64", priority=10)])
    elsewhere(services.cycle_step, cluster.pk)
    page = board(visit())
    tile = page.locator("node-grid a[data-state=out]", has=page.locator("rect[class^=o]")).first
    expect(tile.locator(".node-tile-why")).to_have_text("cpu")
    words = page.locator(".node-verdicts > span")
    expect(words).to_have_text("Verdicts of cycle 1")
    expect(page.locator("node-grid .node-tile-name").first).to_have_text(re.compile(r"node-\d"))
    elsewhere(services.objects_apply, cluster.pk, [a_node("node-0", cpu="128")])
    expect(words).to_have_text("Verdicts of cycle 1, before the cluster changed")
    shown = page.get_by_role("switch", name="Verdicts of cycle 1")
    expect(shown).to_be_checked()
    shown.uncheck()
    expect(page.locator("node-grid a[data-state=out]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_an_added_pod_appears_in_its_lane(visit, cluster):
    page = board(visit())
    elsewhere(services.objects_apply, cluster.pk, [a_pod("fresh"), a_pod("alien", schedulerName="other")])
    expect(lane(page, "active")).to_have_text("5")
    foreign = page.locator("[data-lane=foreign]")
    foreign.locator("summary").click()
    expect(foreign).to_contain_text("It waits for a scheduler that has no profile here")
    expect(foreign.locator("a[href$='/pods/default/alien/']")).to_be_visible()
    expect(page.locator("[data-lane=active]")).to_contain_text("fresh")


def test_who_may_only_look_cannot_press(visit, cluster):
    page = board(visit())
    step = page.get_by_role("button", name="Step one cycle")
    expect(step).to_have_attribute("aria-disabled", "true")
    step.click(force=True)
    expect(lane(page, "active")).to_have_text("4")
