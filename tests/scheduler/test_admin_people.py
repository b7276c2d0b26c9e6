"""Users and groups in the admin: permissions as a table of boxes, passwords in few words."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.urls import reverse

from tests.scheduler.admin_page import opened

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static")]
NEW = "a-new-password-77"


def permission(codename) -> Permission:
    return Permission.objects.get(codename=codename)


@pytest.fixture
def person():
    one = User.objects.create_user("sam", password="an-old-password-77")
    one.user_permissions.set([permission("view_node"), permission("view_session")])
    return one


def address(one, name="change") -> str:
    return reverse(f"admin:auth_{one._meta.model_name}_{name}", args=[one.pk])


def test_only_what_a_page_asks_for_is_offered_in_the_words_of_the_product(admin_client, person):
    text = admin_client.get(address(person)).content.decode()
    assert 'aria-label="Nodes: change"' in text
    assert 'aria-label="UnitedDeployments: add"' in text
    assert 'aria-label="Import jobs: view"' in text
    assert "Import jobs: add" not in text
    assert "Can add log entry" not in text
    assert "pbkdf2" not in text


def test_a_save_keeps_what_is_held_and_takes_what_is_ticked(admin_client, person):
    fields = opened(admin_client, address(person))
    assert set(fields["user_permissions"]) == {str(one.pk) for one in person.user_permissions.all()}
    fields["user_permissions"].append(str(permission("change_pod").pk))
    assert admin_client.post(address(person), fields).status_code == 302
    held = person.user_permissions.values_list("codename", flat=True)
    assert sorted(held) == ["change_pod", "view_node", "view_session"]


def test_what_is_not_offered_cannot_be_sent(admin_client):
    team = Group.objects.create(name="operators")
    fields = opened(admin_client, address(team)) | {"permissions": [str(permission("add_session").pk)]}
    assert admin_client.post(address(team), fields).status_code == 200
    assert not team.permissions.exists()


def test_who_may_only_look_reads_permissions_and_finds_no_way_to_a_password(client, person):
    viewer = User.objects.create_user("eve", password=NEW, is_staff=True)
    viewer.user_permissions.add(permission("view_user"))
    client.force_login(viewer)
    text = client.get(address(person)).content.decode()
    assert "Nodes: view<br>Can view session" in text
    assert "../password/" not in text


def test_a_password_is_set_for_somebody_else(admin_client, person):
    url = reverse("admin:auth_user_password_change", args=[person.pk])
    page = admin_client.get(url).content.decode()
    assert "At least 10 characters." in page
    assert "Single Sign-On" not in page
    assert admin_client.post(url, {"password1": "", "password2": ""}).status_code == 200
    assert admin_client.post(url, {"password1": NEW, "password2": NEW}).status_code == 302
    person.refresh_from_db()
    assert person.check_password(NEW)


def test_a_user_is_added_with_a_password(admin_client):
    url = reverse("admin:auth_user_add")
    assert "Password-based" not in admin_client.get(url).content.decode()
    assert admin_client.post(url, {"username": "kim", "password1": NEW, "password2": NEW}).status_code == 302
    assert User.objects.get(username="kim").check_password(NEW)


def test_staff_without_permissions_are_told_whom_to_ask(client):
    client.force_login(User.objects.create_user("new", password=NEW, is_staff=True))
    text = client.get(reverse("admin:index")).content.decode()
    assert "Ask somebody who may change users" in text
    assert "Every save here" not in text
