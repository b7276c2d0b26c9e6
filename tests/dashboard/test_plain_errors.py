"""Pages for requests that no view could answer: they are made without a context, a user or a manifest of files."""

import pytest
from django.template.loader import render_to_string
from django.test import Client

from tests.scheduler.builders import a_cluster


@pytest.mark.parametrize(
    ("template", "code", "said"),
    [("400.html", "400", "too large"), ("413.html", "413", "Go back"), ("500.html", "500", "log")],
)
def test_it_says_what_happened_and_leads_back(template, code, said):
    page = render_to_string(template)
    assert f">{code}</p>" in page
    assert said in page
    assert ('href="/">All clusters' in page) == (template != "400.html")
    assert page.startswith("<!doctype html>")


def test_a_host_that_is_not_allowed_is_told_so(client, settings):
    settings.ALLOWED_HOSTS = ["podium.example.com"]
    answer = client.get("/login/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert "ALLOWED_HOSTS" in answer.text


@pytest.mark.django_db(transaction=True)
def test_what_is_not_there_in_a_cluster_that_is_keeps_its_menu(admin_client):
    cluster = a_cluster()
    for place in ("pods/default/nobody/", "nodes/nowhere/", "cycles/77/"):
        answer = admin_client.get(f"/c/{cluster.name}/{place}")
        page = answer.content.decode()
        assert answer.status_code == 404
        assert f'href="/c/{cluster.name}/queue/"' in page
        assert page.count('aria-current="page"') == 2  # on the rail and in the menu of a phone
    assert "/queue/" not in admin_client.get("/c/none/pods/default/nobody/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "way"),
    [
        ("/c/demo/delete/", "/c/demo/edit/"),
        ("/c/demo/commands/", "/c/demo/"),
        ("/c/demo/pods/default/web/fixes/", "/c/demo/pods/default/web/"),
        ("/learn/taint/delete/", "/learn/taint/edit/"),
        ("/learn/taint/open/", "/learn/taint/"),
        ("/import/3/cancel/", "/import/3/"),
        ("/logout/", "/"),
    ],
)
def test_an_address_of_a_button_says_so_and_leads_to_its_page(admin_client, address, way):
    answer = admin_client.get(address)
    assert (answer.status_code, answer["Allow"].split(", ")[0]) == (405, "POST")
    assert "does what a button asks for" in answer.text
    assert f'button-primary" href="{way}"' in answer.text
    assert "Content-Security-Policy" in answer


@pytest.mark.django_db
def test_an_address_that_can_only_be_read_says_so(admin_client):
    assert "can only be read" in admin_client.post("/healthz").text
    assert admin_client.post("/c/demo/state.json").json()["ok"] is False


@pytest.mark.django_db(transaction=True)
def test_a_mistyped_address_leads_to_what_is_above_it(client, admin_client):
    cluster = a_cluster()
    page = admin_client.get(f"/c/{cluster.name}/nods/")
    assert page.status_code == 404
    assert f'button-primary" href="/c/{cluster.name}/"' in page.text
    assert 'button-primary" href="/"' in admin_client.get("/nowhere/else/").text
    far = client.get(f"/c/{cluster.name}/nods/", headers={"x-forwarded-for": "203.0.113.9"})
    assert far.status_code == 404
    assert "data-base" not in far.text  # nothing of a cluster for whoever may not read


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("referer", "way"),
    [
        ("http://localhost/learn/?a=b", "/learn/?a=b"),
        ("http://localhost//evil.example/", "/import/3/"),
        ("http://evil.example/learn/", "/import/3/"),
    ],
)
def test_a_page_that_is_out_of_date_can_be_loaded_anew(referer, way):
    strict = Client(enforce_csrf_checks=True, SERVER_NAME="localhost")
    answer = strict.post("/import/3/cancel/", headers={"referer": referer})
    assert answer.status_code == 403
    assert f'button-primary" href="{way}"' in answer.text


def test_an_unknown_host_is_offered_no_link_that_is_refused_like_it(client, settings):
    settings.ALLOWED_HOSTS = ["podium.example"]
    answer = client.get("/", headers={"host": "elsewhere.example"})
    assert answer.status_code == 400
    assert "<a " not in answer.content.decode()
