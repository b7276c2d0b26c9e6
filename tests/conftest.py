"""What all tests share: no state of one test reaches the next, and every test that needs a database is marked so."""

import pytest
from django.conf import settings

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


@pytest.fixture(autouse=True, scope="session")
def static_root():
    """Nothing need be collected for a test, but WhiteNoise wants to see the place."""
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)


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
