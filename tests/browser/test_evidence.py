"""What a person does with the evidence: layers, table, explanations, weights, keys, the past."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scheduler import services
from scheduler.models import Cluster
from tests.browser.conftest import elsewhere
from tests.scheduler.builders import a_cluster, a_pod

PAINTED = "score-matrix .heatmaplayer image"
CYCLE = "/c/demo/cycles/1/"


@pytest.fixture
def cluster(site: Any) -> Cluster:
    cluster = elsewhere(lambda: a_cluster(nodes=6, pods=4, bound=3, name="demo"))
    elsewhere(services.cycle_step, cluster.pk)
    return cluster


def opened(visitor: Any, path: str = CYCLE) -> Page:
    page = visitor.open(path)
    expect(page.locator(PAINTED).first).to_be_visible()
    return page


def seq_of(cluster: Cluster) -> int:
    return elsewhere(lambda: Cluster.objects.get(pk=cluster.pk)).seq


def data(page: Page, site: Any) -> Any:
    return page.request.get(f"{site.url}/c/demo/cycles/1.json").json()


@pytest.mark.parametrize(("key", "layer"), [("1", "raw"), ("2", "normalized"), ("3", "weighted")])
def test_the_table_holds_every_figure_of_the_layer(visit, cluster, site, key, layer):
    page = opened(visit())
    page.keyboard.press(key)
    page.keyboard.press("t")
    cycle = data(page, site)
    expect(page.locator(".matrix-twin tbody tr")).to_have_count(len(cycle["rows"]["names"]))
    for row, name in enumerate(cycle["rows"]["names"]):
        expected = [str(column[row]) if column else "skip" for column in cycle["rows"][layer]]
        line = page.locator(".matrix-twin tbody tr").filter(has=page.get_by_role("link", name=name, exact=True))
        assert line.locator("td").all_inner_texts() == [str(cycle["rows"]["totals"][row]), *expected]


def test_the_table_of_timings_has_every_task_and_says_whose_time_it_is(visit, cluster, site):
    page = opened(visit())
    tasks = data(page, site)["tasks"]
    page.locator("task-gantt summary").click()
    table = page.locator("task-gantt table")
    assert tasks
    expect(table.locator("tbody tr")).to_have_count(len(tasks))
    assert table.locator("tbody th").all_inner_texts() == [task["label"] for task in tasks]
    expect(table.locator("caption")).to_have_text("Time of Podium's workers, not of kube-scheduler.")
    expect(page.locator(".gantt-note")).to_contain_text("not of kube-scheduler")


PLACE = """() => {
  const { top } = document.querySelector(':target').getBoundingClientRect();
  const bar = document.querySelector('.topbar').getBoundingClientRect().bottom;
  const left = document.documentElement.scrollHeight - innerHeight - scrollY;
  return top >= bar && (top < bar + 24 || left < 2);
}"""


def test_a_link_to_a_part_leads_there_though_what_is_above_comes_later(visit, cluster):
    page = opened(visit(), f"{CYCLE}#h-timings")
    expect(page.locator("task-gantt summary")).to_be_in_viewport()
    page.wait_for_function(PLACE)


def test_totals_are_drawn_as_their_parts(visit, cluster, site):
    page = opened(visit())
    page.keyboard.press("4")
    scored = [column for column in data(page, site)["rows"]["weighted"] if column]
    expect(page.locator("score-matrix .barlayer .trace.bars")).to_have_count(len(scored))


def test_a_cell_is_explained_by_keyboard_down_to_its_score(visit, cluster, site):
    page = opened(visit())
    cycle = data(page, site)
    fit = [one["name"] for one in cycle["algorithms"]].index("NodeResourcesFit")
    for key in ("m", *["ArrowRight"] * fit, "Enter"):
        page.keyboard.press(key)
    card = page.locator("explain-card")
    expect(card).to_contain_text("NodeResourcesFit")
    expect(card).to_contain_text(cycle["rows"]["names"][0])
    for part, layer in (("Map", "raw"), ("Reduce", "normalized"), ("Weight", "weighted")):
        number = str(cycle["rows"][layer][fit][0])
        section = card.locator(".explain-part", has=page.get_by_role("heading", name=part, exact=True))
        expect(section.locator("header b")).to_have_text(number)
        expect(section.locator(".formula-step").last.locator("> :last-child")).to_have_text(number)
    expect(card).to_contain_text("passed")


def test_a_click_on_the_board_opens_the_explanation(visit, cluster):
    page = opened(visit(), "/c/demo/")
    plot = page.locator(".matrix-plot")
    box = plot.bounding_box()
    assert box
    columns = int(page.locator("score-matrix").evaluate("element => element.style.getPropertyValue('--n')"))
    fit = page.locator(".matrix-head-name").all_inner_texts().index("Fit")
    plot.click(position={"x": box["width"] * (fit + 0.5) / columns, "y": 12})
    expect(page.locator("#explain")).to_contain_text("NodeResourcesFit")
    page.keyboard.press("Escape")
    expect(page.locator("#explain")).to_be_hidden()


def test_weights_rescore_at_once_and_write_nothing(visit, cluster, site):
    page = opened(visit())
    cycle = data(page, site)
    at = [one["name"] for one in cycle["algorithms"]].index("NodeResourcesFit")
    before = seq_of(cluster)
    page.locator(f"#w-0-{at}").fill("9")
    normalized = cycle["rows"]["normalized"]
    weights = [9 if index == at else one["weight"] for index, one in enumerate(cycle["algorithms"])]
    totals = [
        sum(column[row] * weight for column, weight in zip(normalized, weights, strict=True) if column)
        for row in range(len(cycle["rows"]["names"]))
    ]
    expect(page.locator(".weight-answer")).to_contain_text(f"{max(totals):,}")
    assert seq_of(cluster) == before


def test_single_letters_can_be_switched_off(visit, cluster):
    page = opened(visit())
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("step one cycle")
    page.get_by_label("Single-letter keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    expect(page.locator(".matrix-twin")).to_have_count(0)
    page.reload()
    page.keyboard.press("?")
    expect(page.get_by_label("Single-letter keys")).not_to_be_checked()


def test_the_palette_leads_to_a_node(visit, cluster):
    page = opened(visit(), "/c/demo/")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search or command").fill("no/node-3")
    hit = page.get_by_role("group", name="Nodes").get_by_role("option")
    expect(hit).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/demo/nodes/node-3/")


def test_a_chosen_theme_outlives_the_page(visit, cluster):
    page = opened(visit(color_scheme="light"))
    page.keyboard.press("Shift+D")
    page.keyboard.press("Shift+D")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_back_one_event_and_to_now_again(visit, cluster, writer):
    page = opened(visit().log_in(), "/c/demo/")
    seq = seq_of(cluster)
    page.keyboard.press("b")
    page.wait_for_url(f"**/c/demo/?at={seq - 1}")
    expect(page.locator("connection-chip")).to_contain_text("past")
    expect(page.get_by_role("button", name="Step one cycle")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("End")
    page.wait_for_url("**/c/demo/")
    expect(page.locator("connection-chip")).to_contain_text("live")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_card_that_changes_lane_travels_unless_motion_is_unwelcome(visit, site, motion):
    cluster = elsewhere(lambda: a_cluster(nodes=1, pods=0, bound=0, name="demo", more=[a_pod("big", cpu="99")]))
    page = visit(reduced_motion=motion).open("/c/demo/")
    expect(page.locator("connection-chip")).to_contain_text("live")
    page.evaluate("""() => {
      window.travels = 0;
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...all) { window.travels += 1; return animate.apply(this, all); };
    }""")
    elsewhere(services.cycle_step, cluster.pk)
    expect(page.locator("[data-lane=unschedulable] .pod-card[data-key]")).to_have_attribute("data-state", "arrived")
    expect(page.locator("#live")).to_contain_text("moved to Unschedulable")
    assert (page.evaluate("window.travels") > 0) is (motion == "no-preference")


def test_a_long_lane_shows_its_first_cards_and_then_the_next(visit, site):
    elsewhere(lambda: a_cluster(nodes=1, pods=130, bound=0, name="demo"))
    page = visit().open("/c/demo/")
    cards = page.locator("[data-lane=active] .pod-card[data-key]")
    expect(cards).to_have_count(100)
    page.get_by_role("button", name="Show next").click()
    expect(cards).to_have_count(130)
    expect(cards.last.locator(".pod-card-rank")).to_have_text("130")
    page.get_by_label("Filter pods of the queues").fill("web-12")
    expect(page.locator("[data-lane=active] .queue-lane-count")).to_have_text("11 of 130")


def test_nodes_are_shown_as_a_map_too(visit, cluster):
    page = opened(visit(), "/c/demo/")
    page.get_by_role("button", name="Map", exact=True).click()
    expect(page.locator("node-grid .node-map-group svg").first).to_be_visible()
    expect(page.locator("node-grid .node-tile")).to_have_count(0)
    page.get_by_role("button", name="Tiles", exact=True).click()
    expect(page.locator("node-grid .node-tile")).to_have_count(6)


def test_where_nothing_was_scored_one_sentence_says_what_to_do_next(visit, site):
    cluster = elsewhere(lambda: a_cluster(nodes=2, pods=0, bound=0, name="demo", more=[a_pod("big", cpu="99")]))
    elsewhere(services.cycle_step, cluster.pk)
    page = visit().open(CYCLE)
    expect(page.locator(".matrix-note")).to_contain_text("what would make it fit")
    expect(page.locator("#podium")).to_be_hidden()
    expect(page.locator(".score-side")).to_be_hidden()
