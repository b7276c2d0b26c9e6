"""A real Chromium against the real server: uvicorn in a thread, the test database, the embedded broker."""

import importlib
import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvicorn
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connections
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from scheduler.management.commands.web import UVICORN
from tests.browser.looks import keep
from tests.services import redis_socket, redis_url, start_worker

__all__ = ["redis_socket", "redis_url", "start_worker"]

# Playwright's synchronous interface runs an event loop of its own in this thread.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
PATIENCE_MS = 15_000
LONGEST = ["test_looks", "test_nodes", "test_admin_looks", "test_admin", "test_uniteddeployment", "test_topology"]
Result = TypeVar("Result")
PASSWORD = "only-for-tests-1"
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # A browser on a loaded machine may miss a deadline; a real fault fails every time.
            item.add_marker(pytest.mark.flaky(reruns=2))
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    """Of browser tests the longest first, so that no process of xdist is left with one at the end."""
    if not item.get_closest_marker("browser"):
        return -1
    stem = item.path.stem
    return LONGEST.index(stem) if stem in LONGEST else len(LONGEST)


@pytest.fixture(scope="session")
def static_root(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Path:
    """Static files as they are served in earnest: hashed, compressed."""
    from django.test import override_settings

    root = tmp_path_factory.mktemp("static")
    with override_settings(STATIC_ROOT=root):
        call_command("collectstatic", interactive=False, verbosity=0)
    return root


@pytest.fixture(scope="session")
def application(static_root: Path) -> Any:
    """The ASGI application, made while the static files lie where it looks for them."""
    from django.test import override_settings

    with override_settings(STATIC_ROOT=static_root):
        import config.asgi

        return importlib.reload(config.asgi).application


class Site:
    """The running server. `url` has no slash at its end."""

    def __init__(self, application: Any) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.server = uvicorn.Server(uvicorn.Config(application, **UVICORN))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listener]}, daemon=True)

    def start(self) -> "Site":
        self.thread.start()
        deadline = time.monotonic() + 10
        while not self.server.started:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        self.server.should_exit = self.server.force_exit = True
        self.thread.join(10)
        self.listener.close()


@pytest.fixture
def site(transactional_db: None, redis_url: str, application: Any, static_root: Path, settings: Any) -> Iterator[Site]:
    settings.STATIC_ROOT = static_root
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    running = Site(application).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


class Visitor:
    """A browser of its own (cookies, storage) with one page; what its console complains about is kept."""

    def __init__(self, chromium: Browser, site: Site, *, tour: bool = False, **options: Any) -> None:
        """`tour`: as somebody who was never here; everybody else has seen the tour of the board."""
        self.site = site
        self.context: BrowserContext = chromium.new_context(viewport={"width": 1440, "height": 900}, **options)
        if not tour:
            self.context.add_init_script("try { localStorage.setItem('podium-tour', 'seen') } catch {}")
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda fault: self.complaints.append(f"error: {fault}"))
        self.page.on("console", self._note)
        self.page.on("response", self._check)

    def _note(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _check(self, response: Any) -> None:
        if response.status >= 400:
            self.complaints.append(f"{response.status}: {response.url}")

    def open(self, path: str) -> Page:
        self.page.goto(self.site.url + path)
        return self.page

    def log_in(self, name: str = "mira") -> "Visitor":
        page = self.open("/login/")
        page.get_by_label("User name").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.locator("form").get_by_role("button", name="Log in").click()
        page.wait_for_url(f"{self.site.url}/")
        return self


@pytest.fixture
def visit(chromium: Browser, site: Site, request: pytest.FixtureRequest) -> Iterator[Any]:
    """`visit()` gives a new Visitor. At the end a picture is kept, and none may have had anything to complain about."""
    visitors: list[Visitor] = []

    def make(**options: Any) -> Visitor:
        visitors.append(Visitor(chromium, site, **options))
        return visitors[-1]

    yield make
    if visitors:
        with suppress(Error):
            keep(visitors[-1].page, request.node.name)
    for visitor in visitors:
        visitor.context.close()
    assert [complaint for visitor in visitors for complaint in visitor.complaints] == []


def elsewhere(call: Callable[..., Result], *arguments: Any) -> Result:
    """`call` as another process would do it: not in the thread in which Playwright's event loop runs."""

    def run() -> Result:
        try:
            return call(*arguments)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


@pytest.fixture
def writer(transactional_db: None) -> User:
    """A user who may change everything, admin site included."""
    return User.objects.create_superuser("mira", password=PASSWORD)
