"""Who may read: by address, host, proxy and login; and whose pages may open a websocket."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.test import RequestFactory

from dashboard.access import AccessMiddleware, anonymous_may_read, hostname, is_loopback, same_origin


@pytest.mark.parametrize(
    ("setting", "bound", "host", "client", "headers", "allowed"),
    [
        pytest.param("loopback", "127.0.0.1", "127.0.0.1:8000", "127.0.0.1", {}, True, id="this machine"),
        pytest.param("loopback", "127.0.0.1", "localhost", "127.0.0.1", {}, True, id="by name"),
        pytest.param("loopback", "::1", "[::1]:8000", "::1", {}, True, id="IPv6"),
        pytest.param("loopback", "0.0.0.0", "127.0.0.1:8000", "127.0.0.1", {}, False, id="bound to all"),
        pytest.param("loopback", "127.0.0.1", "podium.example.com", "127.0.0.1", {}, False, id="other name"),
        pytest.param("loopback", "127.0.0.1", "localhost", "10.0.0.9", {}, False, id="other machine"),
        pytest.param("loopback", "127.0.0.1", "localhost", "", {}, False, id="unknown peer"),
        pytest.param("loopback", "127.0.0.1", "localhost", "127.0.0.1", {"x-forwarded-for": "x"}, False, id="proxy"),
        pytest.param("loopback", "127.0.0.1", "localhost", "127.0.0.1", {"forwarded": "for=x"}, False, id="RFC 7239"),
        pytest.param("nobody", "127.0.0.1", "127.0.0.1", "127.0.0.1", {}, False, id="nobody"),
        pytest.param("everyone", "0.0.0.0", "podium.example.com", "10.0.0.9", {"via": "x"}, True, id="everyone"),
    ],
)
def test_who_may_read_without_login(settings, setting, bound, host, client, headers, allowed):
    settings.PODIUM_ANONYMOUS_READ, settings.HOST = setting, bound
    assert anonymous_may_read(host, client, headers) is allowed


@pytest.mark.parametrize(
    ("host", "loopback"), [("127.8.9.1", True), ("localhost", True), ("localhost.evil.com", False), ("", False)]
)
def test_loopback(host, loopback):
    assert is_loopback(host) is loopback


@pytest.mark.parametrize(
    ("host", "name"), [("[::1]:80", "::1"), ("a:1", "a"), ("user@a", "a"), ("[", ""), ("LOCALHOST", "localhost")]
)
def test_hostname(host, name):
    assert hostname(host) == name


@pytest.mark.parametrize(
    ("origin", "same"),
    [
        ("http://127.0.0.1:8000", True),
        ("https://podium.example.com", True),
        ("http://127.0.0.1:9000", False),
        ("http://evil.example", False),
        ("null", False),
        ("", False),
    ],
)
def test_websockets_are_opened_by_our_own_pages(settings, origin, same):
    settings.CSRF_TRUSTED_ORIGINS = ["https://podium.example.com"]
    assert same_origin(origin, "127.0.0.1:8000") is same


@pytest.fixture(autouse=True)
def known_host(settings):
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "podium.example.com"]


def asked(method, path="/x", **extra):
    request = getattr(RequestFactory(), method)(path, **{"HTTP_HOST": "localhost", **extra})
    request.user = AnonymousUser()
    return request


def answer(request, view=lambda request: HttpResponse("seen")):
    middleware = AccessMiddleware(lambda request: HttpResponse("seen"))
    return middleware.process_view(request, view, (), {})


def test_reading_on_this_machine_goes_through():
    assert answer(asked("get")) is None


def test_another_host_is_sent_to_the_login_and_back():
    response = answer(asked("get", "/c/demo/?at=3", HTTP_HOST="podium.example.com"), None)
    assert (response.status_code, response["Location"]) == (302, "/login/?next=/c/demo/%3Fat%3D3")


def test_no_write_without_login_even_on_this_machine():
    assert answer(asked("post"))["Location"] == "/login/?next=/"


def test_programs_are_told_in_their_own_shape():
    response = answer(asked("post", "/c/demo/commands/", content_type="application/json"))
    assert (response.status_code, response.content) == (403, b'{"ok": false, "error": "Log in first."}')


def test_the_login_page_needs_no_login():
    def view(request):
        return HttpResponse("login")

    view.login_required = False
    assert answer(asked("get", HTTP_HOST="podium.example.com"), view) is None


def test_every_answer_carries_the_security_headers():
    response = AccessMiddleware(lambda request: HttpResponse("x"))(asked("get"))
    assert "default-src 'self'" in response["Content-Security-Policy"]
    assert not {"'unsafe-inline'", "'unsafe-eval'"} & set(response["Content-Security-Policy"].split())
    assert response["Cache-Control"] == "private, no-cache"
