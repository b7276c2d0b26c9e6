"""A run at a speed: Space after a speed was chosen, what it waits for, and clocks that go on between news."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from scheduler import services
from scheduler.execution.presence import Presence, alive
from scheduler.models import Cluster
from tests.browser.conftest import elsewhere
from tests.scheduler.builders import a_cluster, a_pod

OLDER = """before => {
  const age = document.querySelector('[data-lane=unschedulable] [data-key] .pod-card-meta > :last-child');
  return parseInt(age.textContent) >= before + 2;
}"""


@pytest.fixture
def runner(site: Any) -> Iterator[None]:
    """Says that a runner is there; none drives the cluster, so nothing happens by itself."""
    presence = Presence("runner").start()
    while not alive("runner"):
        pass
    yield
    presence.stop()


@pytest.fixture
def refused(site: Any) -> Cluster:
    def make() -> Cluster:
        cluster = a_cluster(nodes=2, pods=0, name="demo")
        services.objects_apply(cluster.pk, [a_pod("big", cpu="64")])
        services.cycle_step(cluster.pk)
        return cluster

    return elsewhere(make)


def wanted(cluster: Cluster) -> tuple[str, float]:
    return elsewhere(lambda: Cluster.objects.values_list("wanted", "speed").get(pk=cluster.pk))


def test_space_runs_and_pauses_after_a_speed_was_chosen(visit, refused, runner, writer):
    page = visit().log_in().open("/c/demo/")
    expect(page.locator("connection-chip")).to_contain_text("live")
    speed = page.locator(".topbar .run-speed")
    speed.focus()
    speed.select_option("10")
    expect(speed).to_be_enabled()
    expect(speed).to_be_focused()
    page.keyboard.press("Space")
    pause = page.locator(".topbar").get_by_role("button", name="Pause")
    expect(pause).to_be_visible()
    # The news of the run may come before the answer to the key; until then another key is one too many.
    expect(pause).not_to_have_attribute("data-state", "busy")
    assert wanted(refused) == ("running", 10.0)
    page.keyboard.press("Space")
    expect(page.locator(".topbar").get_by_role("button", name="Run", exact=True)).to_be_visible()
    assert wanted(refused)[0] == "paused"


def test_a_run_that_waits_says_for_what_and_counts_down(visit, refused):
    elsewhere(services.run_start, refused.pk, 1)
    page = visit().open("/c/demo/")
    wait = page.locator("run-wait")
    expect(wait).to_contain_text("Idle until the flush of unschedulable pods at 00:05:")
    expect(page.locator(".topbar run-until")).to_contain_text("Idle: next flush in ")
    flush = page.locator("[data-lane=unschedulable] [data-key] .pod-card-why")
    age = page.locator("[data-lane=unschedulable] [data-key] .pod-card-meta > :last-child")
    before, flush_before = int(age.inner_text().removesuffix("s")), flush.inner_text()
    page.wait_for_function(OLDER, arg=before)
    assert flush.inner_text() != flush_before
    elsewhere(services.run_pause, refused.pk)
    expect(wait).to_be_hidden()


def test_a_visitor_without_the_permission_is_told_which_one_is_missing(visit, refused, django_user_model):
    elsewhere(lambda: django_user_model.objects.create_user("lea", password="only-for-tests-1"))
    page = visit().log_in("lea").open("/c/demo/")
    expect(page.locator("connection-chip")).to_contain_text("live")
    page.keyboard.press("s")
    error = page.locator("main run-note")
    expect(error).to_contain_text("the permission “Can change cluster” is missing")
    expect(error.locator("a")).to_have_count(0)


def test_why_a_run_stopped_is_said_once_and_not_in_the_past(visit, refused, writer):
    note = "main run-note"
    visitor = visit().log_in()
    page = visitor.open("/c/demo/")
    expect(page.locator("connection-chip")).to_contain_text("live")
    elsewhere(services.run_start, refused.pk, 0)
    elsewhere(services.run_pause, refused.pk, "Nothing left to do.")
    expect(page.locator(note)).to_have_text("Nothing left to do.")
    heading = page.locator("cycle-head").bounding_box()
    told = page.locator(note).bounding_box()
    assert told["y"] + told["height"] <= heading["y"]
    page.get_by_role("button", name="Close this note").click()
    expect(page.locator(note)).to_be_hidden()
    visitor.open("/c/demo/pods/")
    expect(page.locator("connection-chip")).to_contain_text("live")
    expect(page.locator(note)).to_be_hidden()
    page.evaluate("localStorage.removeItem('podium-told /c/demo/')")
    visitor.open("/c/demo/?at=1")
    expect(page.locator("connection-chip")).to_contain_text("past")
    expect(page.locator(note)).to_be_hidden()
