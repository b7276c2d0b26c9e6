"""The admin as an operator uses it: rows and YAML of one form, an open page that changes with it, an edit undone."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scheduler.models import Node
from tests.browser import looks
from tests.browser.conftest import elsewhere
from tests.scheduler.builders import a_cluster


@pytest.fixture
def cluster(site: Any, writer: Any) -> Any:
    return elsewhere(lambda: a_cluster(nodes=2, pods=2, bound=1, name="demo"))


def address(cluster: Any, model: Any, name: str, view: str = "change") -> str:
    pk = elsewhere(lambda: model.objects.get(cluster=cluster, name=name).pk)
    return f"/admin/scheduler/{model._meta.model_name}/{pk}/{view}/"


def row(page: Page, field: str, place: int, column: str) -> Any:
    return page.locator(f".field-{field} [name={field}-{column}]").nth(place)


def test_an_edit_by_rows_and_yaml_reaches_an_open_board_and_is_taken_back(visit, cluster):
    watcher = visit().log_in().open("/c/demo/nodes/")
    page = visit().log_in().open(address(cluster, Node, "node-0"))
    page.get_by_role("button", name="Add taint").click()
    row(page, "taints", 0, "key").fill("dedicated")
    row(page, "taints", 0, "effect").select_option("NoSchedule")
    row(page, "allocatable", 0, "amount").fill("lots")
    expect(page.locator(".field-allocatable output").first).to_have_text("= not a quantity")
    row(page, "allocatable", 0, "amount").fill("250m")
    expect(page.locator(".field-allocatable output").first).to_have_text("= 0.25 CPU")
    page.get_by_label("Cordoned").check()

    page.get_by_role("tab", name="YAML").click()
    yaml = page.get_by_label("Manifest")
    expect(yaml).to_have_value(re.compile("key: dedicated"))
    yaml.fill(yaml.input_value().replace("key: dedicated", "key: [dedicated"))
    page.get_by_role("tab", name="Form").click()
    expect(page.locator("#panel-yaml .errorlist").first).to_contain_text("malformed YAML")
    expect(page.get_by_role("tab", name="YAML")).to_be_focused()
    yaml.fill(yaml.input_value().replace("key: [dedicated", "key: shared"))
    page.get_by_role("tab", name="Form").click()
    expect(row(page, "taints", 0, "key")).to_have_value("shared")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text("Changed node")
    expect(watcher.locator("main")).to_contain_text("cordoned: 1")
    looks.keep(page, "admin nodes")

    page = visit().log_in().open(address(cluster, Node, "node-0", "history"))
    expect(page.locator(".diff-in", has_text="key: shared")).to_be_visible()
    looks.keep(page, "admin history")
    page.get_by_role("button", name="Undo this edit").click()
    expect(page.locator(".messagelist")).to_contain_text("is taken back")
    assert elsewhere(lambda: Node.objects.get(cluster=cluster, name="node-0").taints) == ""


def test_a_link_that_hides_hands_the_focus_on(visit, site, writer):
    elsewhere(lambda: a_cluster(nodes=2, pods=60, bound=1, name="demo"))
    page = visit().log_in().open("/admin/scheduler/pod/")
    page.locator("#action-toggle").check()
    page.locator(".actions .question a").press("Enter")
    expect(page.locator(".actions .clear a")).to_be_focused()
    page.locator(".actions .clear a").press("Enter")
    expect(page.locator("#action-toggle")).to_be_focused()
