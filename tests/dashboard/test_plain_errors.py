"""Pages for requests that no view could answer: they are made without a context, a user or a manifest of files."""

import pytest
from django.template.loader import render_to_string


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
