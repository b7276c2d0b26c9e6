"""Guessing passwords ends after a few attempts, on the login page; who knows the password is let in as ever."""

import logging

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.urls import reverse

from dashboard.login_limit import OF_ADDRESS, Attempt

pytestmark = pytest.mark.django_db
RIGHT = "a-right-password"


@pytest.fixture(autouse=True)
def limited(settings):
    settings.PODIUM_LOGIN_ATTEMPTS = 3
    caches["logins"].clear()
    yield
    caches["logins"].clear()


@pytest.fixture
def user():
    return User.objects.create_user("ann", password=RIGHT, is_staff=True)


def tried(client, password, name="ann"):
    return client.post(reverse("login"), {"username": name, "password": password})


def page(response):
    """What came, however its lines are broken."""
    return " ".join(response.content.decode().split())


def test_after_too_many_failures_not_even_the_right_password_is_looked_at(user, client):
    for _ in range(3):
        assert "Capitals count" in tried(client, "wrong").content.decode()
    answer = tried(client, RIGHT, name=" ANN")
    assert "Too many failed attempts" in answer.content.decode()
    assert tried(client, RIGHT).status_code == 200
    assert tried(client, RIGHT, name="other").status_code == 200  # another name is another count
    assert Attempt("10.0.0.1", "ann").may_go_on()


def test_the_admin_asks_for_a_login_on_the_one_page_there_is(user, client):
    asked = client.get("/admin/scheduler/node/?q=a", follow=True)
    assert asked.redirect_chain[-1][0] == "/login/?next=/admin/scheduler/node/%3Fq%3Da"
    answer = client.post(asked.redirect_chain[-1][0], {"username": "ann", "password": RIGHT})
    assert answer.url == "/admin/scheduler/node/?q=a"


def test_who_is_logged_in_without_being_of_the_staff_is_not_sent_round_in_circles(client):
    client.force_login(User.objects.create_user("bob"))
    answer = client.get("/admin/", follow=True)
    assert answer.status_code == 403
    assert "people of the staff" in answer.content.decode()


def test_a_right_password_forgives_the_failures_before_it(user, client):
    for _ in range(4):
        tried(client, "wrong")
        assert tried(client, RIGHT).status_code == 302
        client.logout()


def test_one_address_cannot_try_one_password_on_every_name():
    assert all(Attempt("10.0.0.2", f"name-{place}").may_go_on() for place in range(3 * OF_ADDRESS))
    assert not Attempt("10.0.0.2", "one more").may_go_on()
    assert Attempt("10.0.0.3", "one more").may_go_on()


def test_without_a_limit_nothing_is_counted(settings):
    settings.PODIUM_LOGIN_ATTEMPTS = 0
    assert all(Attempt("10.0.0.4", "ann").may_go_on() for _ in range(50))


def test_a_refusal_is_logged_in_one_line(user, client, caplog):
    client.force_login(user)
    caplog.set_level(logging.WARNING, "django.request")
    assert client.get("/admin/scheduler/node/").status_code == 403
    (record,) = [one for one in caplog.records if one.name == "django.request"]
    assert record.exc_info is None
    assert "/admin/scheduler/node/" in record.getMessage()


def test_the_focus_goes_to_the_first_field_that_has_to_be_mended(user, client):
    assert 'type="password" autocomplete="current-password" autofocus' in page(tried(client, "wrong"))
    empty = page(tried(client, "", name=""))
    assert empty.count(" autofocus") == 1
    assert 'autocapitalize="none" autofocus' in empty


def test_no_field_is_marked_as_wrong_where_only_waiting_helps(user, client):
    assert page(tried(client, "wrong")).count('aria-invalid="true"') == 2
    for _ in range(3):
        refused = page(tried(client, "wrong"))
    assert "aria-invalid" not in refused
    assert 'autocapitalize="none" autofocus' in refused
    assert refused.count(" autofocus") == 1
