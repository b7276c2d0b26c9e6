"""A UnitedDeployment from the page to the nodes: planned, applied, reconciled step by step, rolled by partitions."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scheduler import services
from scheduler.services.imports import rollout_create
from tests.browser.conftest import elsewhere
from tests.browser.looks import TALL, too_wide, violations_in_both
from tests.scheduler.test_controllers_tables import run

ADDRESS = "/c/rollout/uniteddeployments/shop/storefront/"


@pytest.fixture
def cluster(site: Any) -> Any:
    return elsewhere(rollout_create)


@pytest.fixture
def running(cluster: Any) -> Any:
    elsewhere(run, cluster.pk, 15)
    return cluster


def replicas(page: Page) -> Any:
    return page.locator("#replicas")


def planned(page: Page, subset: str) -> Any:
    return page.locator(f"#u-planned-{subset}")


@pytest.mark.parametrize("query", ["", "?replicas=12", "?replicas=-1&min.spot-pool=9", "?fail-create=spot-pool"])
def test_the_page_is_quiet_accessible_and_fits_a_phone(visit, running, query):
    page = visit(color_scheme="light").open(ADDRESS + query)
    page.wait_for_load_state("networkidle")
    page.set_viewport_size(TALL)  # so that the foot lies on no field
    assert violations_in_both(page) == []
    assert too_wide(page, (390,)) == []
    for column in ("planned", "change", "ready"):
        box = page.locator(f"#u-{column}-default-pool").bounding_box()
        assert 0 <= box["x"] < box["x"] + box["width"] <= 390


def test_what_is_typed_is_planned_at_once_and_nothing_is_written(visit, running):
    page = visit().open(ADDRESS)
    expect(page.get_by_role("heading", level=1)).to_have_text("shop/storefront has 8 pods over 3 subsets.")
    seq = elsewhere(services.execute, running.pk).last_seq
    replicas(page).fill("13")
    expect(planned(page, "elastic-pool")).to_have_text("6")
    expect(page.locator("#u-wait-elastic-pool")).to_have_text("2")
    expect(page.locator("#u-evidence")).to_contain_text("Pending: 0/6 nodes are available")
    expect(page).to_have_url(f"{page.url.partition('?')[0]}?replicas=13")
    planned(page, "elastic-pool").click()
    expect(page.get_by_role("group", name="elastic-pool: what is planned")).to_contain_text("1 + 5")
    page.locator("[data-sums=default-pool]").click()
    expect(page.get_by_role("button", name="Arithmetic of default-pool")).to_be_focused()
    page.get_by_role("button", name="Arithmetic of default-pool").press("Enter")
    page.get_by_role("button", name="Arithmetic of spot-pool").press("Enter")
    expect(page).to_have_url(re.compile("sums=spot-pool%2Celastic-pool"))
    page.reload()
    expect(planned(page, "elastic-pool")).to_have_text("6")
    assert elsewhere(services.execute, running.pk).last_seq == seq


def test_a_column_of_the_curve_is_planned(visit, running):
    page = visit().open(ADDRESS)
    page.get_by_role("link", name="5 replicas: default-pool 4, spot-pool 1, elastic-pool 0").click()
    expect(replicas(page)).to_have_value("5")
    expect(page.locator("#u-total")).to_contain_text("-3")
    expect(page.locator("#u-evidence")).to_contain_text("would go")


def test_a_fault_is_told_at_its_field_in_the_webhooks_words(visit, running, writer):
    page = visit().log_in().open(ADDRESS)
    apply = page.get_by_role("button", name="Apply plan")
    field = page.get_by_label("Minimum of spot-pool")
    field.fill("9")
    expect(page.locator("[id='e-min.spot-pool']")).to_contain_text("must be less than or equal to maxReplicas")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(apply).to_be_disabled()
    expect(apply).to_have_attribute("title", re.compile("It cannot be applied: .*must be less than or equal"))
    field.fill("1")
    expect(apply).to_be_enabled()
    expect(page.locator("[id='e-min.spot-pool']")).to_be_empty()
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_a_plan_is_applied_and_reconciled_step_by_step(visit, cluster, writer):
    page = visit().log_in().open(f"/c/{cluster.name}/")
    expect(page.locator("first-cycle")).to_contain_text("shop/storefront will make 8 pods")
    page.locator("first-cycle").get_by_role("link", name="shop/storefront").click()
    expect(page.get_by_role("button", name="Apply plan")).to_be_disabled()
    replicas(page).fill("3")
    expect(planned(page, "default-pool")).to_have_text("3")
    page.get_by_role("button", name="Apply plan").click()
    expect(page.locator(".banner-ok")).to_contain_text("Applied")
    page.get_by_role("button", name="Next controller moment").click()
    expect(page.locator("#u-records")).to_contain_text("Create 3 Subset (CloneSet)")
    page.get_by_role("button", name="Next controller moment").click()
    pods = page.get_by_role("region", name="Table of pods")
    expect(pods.get_by_text("Pending · active")).to_have_count(3)
    for _ in range(3):
        elsewhere(services.cycle_step, cluster.pk)
    expect(pods.get_by_text("Not ready")).to_have_count(3)
    pods.get_by_role("link", name="storefront-default-pool").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("shop/storefront-default-pool")


def test_a_new_image_rolls_by_partitions_from_the_page_to_the_nodes(visit, running, writer):
    page = visit().log_in().open(ADDRESS)
    page.get_by_label("Image").fill("shop/storefront:2.0")
    page.get_by_label("Partition of default-pool", exact=True).fill("3")
    expect(page.locator("#u-evidence")).to_contain_text("its revision is another, partition 0 → 3")
    page.get_by_role("button", name="Apply plan").click()
    expect(page.locator(".banner-ok")).to_be_visible()
    elsewhere(run, running.pk, 20)
    expect(page.locator("#u-facts")).to_contain_text("8 of 8 ready")
    expect(page.locator("#u-updated-default-pool")).to_have_text("1")
    expect(page.locator("#u-updated-spot-pool")).to_have_text("3")
    old = page.get_by_role("region", name="Table of pods").locator("td.mono.no")
    expect(old).to_have_count(3)
    page.get_by_label("Partition of default-pool", exact=True).fill("")
    page.get_by_role("button", name="Apply plan").click()
    expect(page.get_by_label("Partition of default-pool", exact=True)).to_have_value("")
    elsewhere(run, running.pk, 20)
    expect(old).to_have_count(0)
    history = page.get_by_role("region", name="Table of what happened")
    expect(history).to_contain_text("image shop/storefront:1.0 → shop/storefront:2.0; partition of default-pool")
    history.get_by_role("row").filter(has_text="is asked for").first.get_by_role("link").first.click()
    expect(page.locator("#u-due")).to_contain_text("at event")
    expect(page.get_by_role("region", name="Phase update")).to_contain_text("its revision is another")
    page.keyboard.press("]")
    expect(page.get_by_role("region", name="Phase status")).to_contain_text("updatedRevision")
    page.keyboard.press(".")
    expect(page.get_by_role("region", name="Phase status")).to_be_hidden()
    page.keyboard.press("End")
    page.locator("body:has(#u-due:not(:has-text('at event')))").wait_for()
    page.keyboard.press("t")
    where = page.get_by_role("region", name="Table of where pods are")
    where.get_by_role("link", name="b-1").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("b-1")


def test_controllers_are_turned_on_where_they_are_off(visit, cluster, writer):
    elsewhere(lambda: services.controllers_switch(cluster.pk, on=False))
    page = visit().log_in().open(ADDRESS)
    expect(page.get_by_text("Workloads make no pods in this cluster:")).to_be_visible()
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_text("Workloads make no pods in this cluster:")).to_have_count(0)


def test_the_list_leads_to_the_page(visit, cluster):
    page = visit().open("/c/rollout/time/")  # a light page: nothing of it is in the way of the next
    page.get_by_role("link", name="UDs").click()
    page.wait_for_url("**/uniteddeployments/", wait_until="domcontentloaded")
    page.get_by_role("region", name="Table of UnitedDeployments").get_by_role("link", name="storefront").click()
    page.wait_for_url(f"**{ADDRESS}", wait_until="domcontentloaded")
    expect(page.get_by_role("heading", level=1)).to_contain_text("shop/storefront")
