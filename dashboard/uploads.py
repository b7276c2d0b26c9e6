"""Bounds for request bodies, applied while they arrive: Django's ASGI handler would store any amount first.

Only an import may be large, and only for somebody who is logged in and may import.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from importlib import import_module
from typing import Any, TypeAlias

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, parse_cookie
from django.template.loader import render_to_string

from scheduler.services.access import IMPORT

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[..., Awaitable[None]]

MIB = 1 << 20
ORDINARY_BYTES = 8 * MIB
IMPORT_PATH = "/import/"


class TooLargeError(Exception):
    pass


class BoundedBodies:
    """Wraps an HTTP application; a body beyond its bound is answered with 413 and read no further."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        most, read = await bound(scope), 0

        async def bounded_receive() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise TooLargeError
            return message

        try:
            if declared(scope) > most:
                raise TooLargeError
            await self.application(scope, bounded_receive, send)
        except TooLargeError:
            await _refuse(most, reads_pages(scope), send)


def declared(scope: MutableMapping[str, Any]) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0


async def bound(scope: MutableMapping[str, Any]) -> int:
    """Bytes that this request may send."""
    if scope["path"] != IMPORT_PATH or scope["method"] != "POST":
        return ORDINARY_BYTES
    cookies = parse_cookie(dict(scope["headers"]).get(b"cookie", b"").decode("latin-1"))
    session = cookies.get(settings.SESSION_COOKIE_NAME, "")
    if session and await database_sync_to_async(may_import)(session):
        return settings.PODIUM_MAX_UPLOAD_MIB * MIB + MIB
    return ORDINARY_BYTES


def may_import(session_key: str) -> bool:
    """Whether this is the session of somebody who may: an invented one must not fill the disk."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    return get_user(request).has_perm(IMPORT)


def reads_pages(scope: MutableMapping[str, Any]) -> bool:
    """Whether it was a browser's form, which is answered with a page."""
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")


async def _refuse(most: int, as_page: bool, send: Send) -> None:
    sentence = f"This is too large: at most {most // MIB} MiB may be sent here."
    text = (render_to_string("413.html", {"sentence": sentence}) if as_page else f"{sentence}\n").encode()
    kind = b"text/html" if as_page else b"text/plain"
    headers = [(b"content-type", kind + b"; charset=utf-8"), (b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": 413, "headers": [*headers, (b"connection", b"close")]})
    await send({"type": "http.response.body", "body": text})
