"""Bodies are bounded while they arrive: large ones only for imports, and only by those who may import."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from dashboard import uploads
from dashboard.uploads import MIB, BoundedBodies

SESSION = (b"cookie", b"a=b; sessionid=abc")
INVENTED = (b"cookie", b"sessionid=invented")


async def answered(path, parts, *headers):
    """Status of the answer and how many bytes the application got to read."""
    sent, read, waiting = [], [], list(parts)

    async def receive():
        body = waiting.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    async def send(message):
        sent.append(message)

    async def application(scope, receive, send):
        more = True
        while more:
            message = await receive()
            read.append(len(message["body"]))
            more = message["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})

    scope = {"type": "http", "method": "POST", "path": path, "headers": list(headers)}
    await BoundedBodies(application)(scope, receive, send)
    return sent[0]["status"], sum(read)


@pytest.fixture(autouse=True)
def limit(settings):
    settings.PODIUM_MAX_UPLOAD_MIB = 20


@pytest.fixture
def session(monkeypatch, db):  # the thread that asks may hold a connection of an earlier test
    monkeypatch.setattr(uploads, "may_import", lambda session: session == "abc")


@pytest.mark.usefixtures("session")
@pytest.mark.parametrize(
    ("path", "size", "headers", "status"),
    [
        ("/import/", 20, [SESSION], 200),
        ("/import/", 22, [SESSION], 413),
        ("/import/", 9, [], 413),
        ("/import/", 9, [INVENTED], 413),
        ("/import/", 7, [], 200),
        ("/c/demo/commands/", 9, [SESSION], 413),
        ("/", 7, [SESSION], 200),
    ],
)
async def test_body_in_parts(path, size, headers, status):
    got, read = await answered(path, [b"x" * MIB] * size, *headers)
    assert got == status
    assert read == size * MIB if status == 200 else read < size * MIB


@pytest.mark.usefixtures("session")
async def test_declared_length_is_refused_before_anything_is_read():
    assert await answered("/import/", [], SESSION, (b"content-length", str(22 * MIB).encode())) == (413, 0)


async def test_a_browser_s_form_is_answered_with_a_page():
    said = []

    async def send(message):
        said.append(message)

    async def nothing(scope, receive, send):
        await receive()

    async def receive():
        return {"body": b"x" * 9 * MIB}

    scope = {"type": "http", "method": "POST", "path": "/learn/new/", "headers": [(b"accept", b"text/html,*/*;q=0.8")]}
    await BoundedBodies(nothing)(scope, receive, send)
    page = said[1]["body"].decode()
    assert said[0]["status"] == 413
    assert page.startswith("<!doctype html>")
    assert "at most 8 MiB" in page


async def test_odd_length_is_left_to_the_server():
    assert (await answered("/", [b"x"], (b"content-length", b"-1")))[0] == 200


@pytest.mark.django_db
@pytest.mark.parametrize(("permissions", "may"), [(["add_cluster"], True), (["change_cluster"], False)])
def test_only_who_may_import_may_send_much(permissions, may):
    user = User.objects.create_user("mira")
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    browser = Client()
    browser.force_login(user)
    key = browser.session.session_key
    assert uploads.may_import(key) is may
    assert not uploads.may_import("invented")
    browser.logout()
    assert not uploads.may_import(key)
