"""Bringing a cluster in the browser: a file or text, its progress, its faults, and the way to the board."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.looks import DESK, too_wide, violations_in_both
from tests.scheduler.builders import a_node, a_pod


@pytest.fixture
def dump(tmp_path: Any) -> Any:
    def write(*objects: Any) -> str:
        path = tmp_path / "My shop.json"
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}, indent=2))
        return str(path)

    return write


@pytest.fixture(autouse=True)
def home(settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path / "home"


def is_accessible_and_fits_a_phone(page: Any) -> None:
    assert violations_in_both(page) == []
    assert too_wide(page, (390,)) == []
    page.set_viewport_size(DESK)


def test_file_becomes_a_board(visit, writer, dump):
    page = visit().log_in().open("/import/")
    is_accessible_and_fits_a_phone(page)
    page.get_by_label("File of a cluster").set_input_files(dump(a_node("n1"), a_pod("web-1")))
    assert page.get_by_label("Name of the new cluster").get_attribute("placeholder") == "my-shop"
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Cluster my-shop is there: 2 objects imported")
    page.get_by_role("link", name="Open the board").click()
    expect(page.get_by_text("web-1").first).to_be_visible()


def test_file_may_be_dropped(visit, writer):
    page = visit().log_in().open("/import/")
    page.evaluate(
        """(text) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([text], 'dropped.json'));
          const zone = document.querySelector('[data-drop-zone]');
          for (const kind of ['dragover', 'drop']) {
            zone.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
          }
        }""",
        json.dumps(a_node("n1")),
    )
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Cluster dropped is there: 1 object imported")


def test_faults_are_shown_and_the_rest_taken(visit, writer, dump):
    page = visit().log_in().open("/import/")
    page.get_by_label("File of a cluster").set_input_files(dump(a_node("n1"), a_pod("bad", cpu="lots")))
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing was stored: 1 thing in the file is wrong.")
    expect(page.locator(".diagnostic mark").first).to_have_text('"cpu": "lots",')
    is_accessible_and_fits_a_phone(page)
    page.get_by_role("button", name="Import the 1 valid object").click()
    expect(page.get_by_role("link", name="Open the board")).to_be_visible()


def test_form_works_without_scripts(visit, writer, dump):
    page = visit(java_script_enabled=False).log_in().open("/import/")
    page.get_by_label("File of a cluster").set_input_files(dump(a_node("n1")))
    page.get_by_label("Name of the new cluster").fill("plain")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("link", name="Open the board")).to_be_visible()


def test_what_cannot_be_taken_is_told_in_place(visit, writer):
    visitor = visit().log_in()
    page = visitor.open("/import/")
    page.get_by_label("Name of the new cluster").fill("two words")
    page.get_by_text("Paste YAML or JSON").click()
    page.get_by_label("YAML or JSON", exact=True).fill(json.dumps(a_node("n1")))
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("#e-name")).to_contain_text("Use lower-case letters")
    assert visitor.complaints[0] == f"400: {visitor.site.url}/import/"
    visitor.complaints.clear()
