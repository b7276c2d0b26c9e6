"""Pages for requests that no view could answer: they are made without a context, a user or a manifest of files."""

import pytest
from django.template.loader import render_to_string

from tests.scheduler.builders import a_cluster


@pytest.mark.parametrize(("template", "code", "said"), [("400.html", "400", "too large"), ("500.html", "500", "log")])
def test_it_says_what_happened_and_leads_back(template, code, said):
    page = render_to_string(template)
    assert f">{code}</p>" in page
    assert said in page
    assert 'href="/">All clusters' in page
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
