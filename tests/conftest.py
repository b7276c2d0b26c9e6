"""What all tests share: no state of one test reaches the next, and every test that needs a database is marked so."""

import pytest
from django.conf import settings as site
from django.db import connection

DATABASE_FIXTURES = {"db", "transactional_db", "django_db_reset_sequences", "live_server"}


def needs_database(item) -> bool:
    names = set(getattr(item, "fixturenames", ()))
    return bool(names & DATABASE_FIXTURES) or item.get_closest_marker("django_db") is not None


def pytest_collection_modifyitems(items):
    """`-m database` runs what must hold on every database. Browser tests come last: Playwright's event loop goes on
    running in this thread, and asynchronous tests after it could not start their own."""
    for item in items:
        if needs_database(item):
            item.add_marker(pytest.mark.database)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """On SQLite a file of this test run alone: two runs at a time would remove each other's. (Threads and processes of
    a test read it too, which rules out a database in memory.)"""
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


LEAVE = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """PostgreSQL drops no database that somebody is in, and a thread of a test may have left its connection open."""
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(LEAVE)


@pytest.fixture(autouse=True, scope="session")
def static_root():
    """Nothing need be collected for a test, but WhiteNoise wants to see the place."""
    site.STATIC_ROOT.mkdir(parents=True, exist_ok=True)


@pytest.fixture
def plain_static(settings):
    """Pages without collected files, and passwords that are hashed fast."""
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def no_cached_states(request):
    """Databases of tests are emptied and their ids used again."""
    if not needs_database(request.node):
        yield
        return
    from scheduler import store

    store.forget()
    yield
    store.forget()
