"""The queues as people see them: graph, lanes, moves, and why a pod was not retried. The admin on a phone."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from dashboard.build import flow
from scheduler import services
from scheduler.engine.simulation.moves import Move
from tests.browser.conftest import elsewhere
from tests.browser.looks import PHONE, too_wide
from tests.scheduler.builders import a_cluster, a_node, a_pod


@pytest.fixture
def cluster(site: Any) -> Any:
    """`big` was refused once, and a node came that is too small for it."""
    more = [a_pod("big", cpu="8", priority=5)]
    cluster = elsewhere(lambda: a_cluster(nodes=2, pods=2, bound=1, name="demo", more=more))
    elsewhere(services.cycle_step, cluster.pk)
    elsewhere(lambda: services.objects_apply(cluster.pk, [a_node("worker-3", cpu="4")]))
    return cluster


def test_the_graph_counts_and_follows_the_log(visit, cluster):
    page = visit().open("/c/demo/queue/")
    popped = page.get_by_role("link", name="ActiveQ to In flight, 1 move: Pop (its turn came) 1")
    expect(popped).to_be_visible()
    expect(page.get_by_role("link", name="Unschedulable: 1 pod")).to_be_visible()
    elsewhere(services.cycle_step, cluster.pk)
    expect(page.get_by_role("link", name="ActiveQ to In flight, 2 moves: Pop (its turn came) 2")).to_be_visible()
    expect(page.get_by_role("link", name="Placed: 2 pods")).to_be_visible()


COVERED = """() => {
  const all = (selector) => [...document.querySelectorAll(`.queue-graph ${selector}`)];
  const boxes = all('[data-place] rect').map((one) => one.getBoundingClientRect());
  const labels = all('a:not([data-place])').flatMap((link) =>
    [...link.querySelectorAll('rect, .why')].map((one) => [link, one, one.getBoundingClientRect()])
  ).filter(([, , box]) => box.width);
  const lines = all('> g path').map((path) => {
    const [length, at] = [path.getTotalLength(), path.getScreenCTM()];
    const points = Array.from({ length: Math.ceil(length / 2) }, (_, step) => path.getPointAtLength(step * 2));
    return [path.parentElement, points.map((point) => point.matrixTransform(at))];
  });
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const holds = (box, { x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom;
  const found = [];
  labels.forEach(([link, one, box], at) => {
    const name = `${link.getAttribute('aria-label')} ${one.textContent}`;
    if (boxes.some((other) => meet(box, other))) found.push(`${name} over a box`);
    for (const [other, next, more] of labels.slice(at + 1))
      if (meet(box, more)) found.push(`${name} over ${other.getAttribute('aria-label')} ${next.textContent}`);
    for (const [of, points] of lines) {
      const own = of === link && one.matches('rect');
      if (!own && points.some((point) => holds(box, point))) found.push(`${name} over a line`);
    }
  });
  return [labels.length, found];
}"""
# Tables of which a part can only be seen by scrolling sideways.
ASIDE = """() => [...document.querySelectorAll('main :is(#story, .sheet) .data-table-wrap')]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.getAttribute('aria-label'))"""
MANY = ["UnschedulableTimeout", "NodeUpdateNodeTaint", "AssignedPodDelete", "storage.k8s.io/CSIStorageCapacityUpdate"]


@pytest.fixture
def crowded(cluster, monkeypatch):
    """Pods have gone all ways between the lanes, each way by many events."""
    ways = ["gated>active", "unschedulable>active", "unschedulable>backoff", "backoff>active", "error_backoff>active"]
    ways += ["in_flight>gated", "in_flight>backoff", "backoff>in_flight", "unschedulable>gone", "active>gone", ">gated"]
    moves = {Move(*way.split(">"), event): 12_345 for way in ways for event in MANY}
    edges = flow._edges
    monkeypatch.setattr(flow, "_edges", lambda _: edges(moves))
    return cluster


def test_no_label_of_the_graph_covers_anything(visit, crowded):
    page = visit().open("/c/demo/queue/")
    for width in (1000, 1440, 2560):
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.locator(".queue-graph")).to_be_visible()
        assert page.evaluate(COVERED) == [33, []]
    page.set_viewport_size(PHONE)
    expect(page.locator(".queue-graph")).to_be_hidden()
    counts = page.get_by_role("table", name="Moves between the lanes").locator("td.n").all()
    assert len(counts) == 44
    assert max(one.bounding_box()["x"] + one.bounding_box()["width"] for one in counts) <= 390
    expect(page.get_by_role("table", name="Unschedulable")).to_contain_text("NodeResourcesFit")
    assert page.evaluate(ASIDE) == []
    page.goto(page.url.replace("queue/", "moves/"))
    assert page.evaluate(ASIDE) == []
    page.goto(page.url.replace("moves/", "pods/default/big/?tab=history#story"))
    expect(page.locator("#story tbody")).to_contain_text("NodeResourcesFit")
    assert page.evaluate(ASIDE) == []


def test_a_line_of_the_graph_opens_its_moves(visit, cluster):
    page = visit().open("/c/demo/queue/")
    page.get_by_role("link", name="In flight to Unschedulable, 1 move").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("1 move from In flight to Unschedulable.")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody")).to_contain_text("ScheduleAttemptFailure")


def test_the_table_says_what_the_graph_says(visit, cluster):
    page = visit().open("/c/demo/queue/")
    page.get_by_role("button", name="Table").click()
    table = page.get_by_role("table", name="Moves between the lanes, by event and hint")
    expect(table.get_by_role("row", name="ActiveQ In flight Pop its turn came <none> 1")).to_be_visible()
    expect(page.locator(".queue-graph")).to_be_hidden()
    page.keyboard.press("t")
    expect(page.locator(".queue-graph")).to_be_visible()


def test_a_row_opens_to_everything_that_decides_about_the_pod(visit, cluster):
    page = visit().open("/c/demo/queue/")
    lane = page.get_by_role("table", name="Unschedulable")
    expect(lane).to_contain_text("Pod/Delete, Pod/UpdatePodScaleDown, Node/Add")
    lane.get_by_role("button", name="More about default/big").click()
    expect(lane).to_contain_text("1, never reset")
    expect(lane).to_contain_text("2s if it fails again")
    expect(lane).to_contain_text("NodeResourcesFit hears of Pod/Delete")
    lane.get_by_role("link", name="Why is it (not) retried?").click()
    expect(page.get_by_role("heading", name="Why was it (not) retried?")).to_be_in_viewport()


def test_lanes_follow_the_news_and_can_be_filtered(visit, cluster):
    page = visit().open("/c/demo/queue/")
    active = page.get_by_role("table", name="ActiveQ")
    expect(active.get_by_role("link")).to_have_text(["default/web-0", "default/web-1"])
    elsewhere(services.cycle_step, cluster.pk)
    expect(active.get_by_role("link")).to_have_text(["default/web-1"])
    page.get_by_label("Filter pods of all lanes").fill("big")
    expect(active).to_be_hidden()
    expect(page.get_by_role("table", name="Unschedulable")).to_be_visible()


def test_the_screen_alone_tells_why_a_pod_was_not_retried(visit, cluster):
    page = visit().open("/c/demo/pods/default/big/?tab=history")
    story = page.locator("#story")
    expect(story).to_contain_text("It was not retried: NodeResourcesFit, which refused it, sees no help")
    answer = story.get_by_role("row", name="NodeResourcesFit")
    expect(answer).to_contain_text("Skip: no help")
    expect(answer).to_contain_text("even empty, node worker-3 is too small: it has 4 cpu, the pod asks for 8 cpu")
    elsewhere(lambda: services.objects_apply(cluster.pk, [a_node("worker-4", cpu="16")]))
    page.reload()
    story.get_by_role("button", name="Node worker-4 added").click()
    expect(story).to_contain_text("NodeResourcesFit sees help, so it was to be retried: it went to BackoffQ")
    expect(page).to_have_url(re.compile("event=[0-9]+#story"))
    story.get_by_role("button", name="Node worker-3 added").click()
    expect(story).to_contain_text("It was not retried")


def test_the_lists_and_fields_of_the_admin_fit_a_phone(visit, cluster, writer):
    visitor = visit().log_in()
    for path in ("node", "pod", "cluster", "queueentry"):
        assert too_wide(visitor.open(f"/admin/scheduler/{path}/"), (390,)) == []
    visitor.page.set_viewport_size(PHONE)
    for path in ("node", "pod", "cluster"):
        page = visitor.open(f"/admin/scheduler/{path}/add/")
        fields = page.locator(".form-row :is(input:not([type=hidden]), select, textarea):visible").all()
        boxes = [field.bounding_box() for field in fields]
        assert len(boxes) > 3
        assert [box for box in boxes if box["x"] < 12 or box["x"] + box["width"] > 378] == []
