"""Users and groups: lists named like all others; when somebody joined or logged in last is a fact, not a field."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from scheduler.admin.lists import ListAdmin, says, without_links
from scheduler.admin.people_forms import NewPersonForm, PasswordForm, PersonForm, TeamForm
from scheduler.admin.permits import sentences
from scheduler.engine.words import count

if TYPE_CHECKING:  # Django's own class takes no type argument when it runs
    Base = UserAdmin[User]
else:
    Base = UserAdmin

admin.site.unregister((User, Group))


class AccountAdmin(ListAdmin):
    """Asked about and told of as objects of clusters are."""

    delete_confirmation_template = "admin/scheduler/delete_confirmation.html"
    delete_selected_confirmation_template = "admin/scheduler/delete_selected_confirmation.html"
    object_history_template = "admin/scheduler/object_history.html"

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return without_links(super().formfield_for_dbfield(db_field, request, **kwargs))

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        context = {**(extra_context or {}), "show_save_and_add_another": object_id is None}
        answer: HttpResponse = super().changeform_view(request, object_id, form_url, context)
        return answer

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """A sentence of each, instead of the rows of tables that join it with others."""
        _, numbers, missing, protected = super().get_deleted_objects(objs, request)
        return [says(self.goes(one)) for one in objs], numbers, missing, protected

    def goes(self, one: Any) -> str:
        raise NotImplementedError


def seen(fieldsets: Any) -> Any:
    """For somebody who may only look: no way to a new password, and permissions in words."""
    shown = {"user_permissions": "permitted", "permissions": "permitted"}
    return [
        (title, {**options, "fields": [shown.get(name, name) for name in options["fields"] if name != "password"]})
        for title, options in fieldsets
    ]


def lines(permissions: Iterable[Permission]) -> SafeString:
    return format_html_join(mark_safe("<br>"), "{}", ((line,) for line in sentences(permissions)))


@admin.register(User)
class PeopleAdmin(AccountAdmin, Base):
    list_display = ("username", "mail", "first_name", "last_name", "is_staff")
    readonly_fields = ("last_login", "date_joined", "permitted")
    filter_horizontal = ()
    form, add_form, change_password_form = PersonForm, NewPersonForm, PasswordForm
    add_form_template = "admin/change_form.html"
    change_user_password_template = "admin/password.html"
    add_fieldsets = ((None, {"fields": ("username", "password1", "password2")}),)
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email", "last_login", "date_joined")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
    )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        told = super().get_fieldsets(request, obj)
        return told if obj is None or self.has_change_permission(request, obj) else seen(told)

    @admin.display(description="Permissions")
    def permitted(self, one: User) -> SafeString:
        return lines(one.user_permissions.select_related("content_type"))

    @admin.display(description="Email address", ordering="email")
    def mail(self, one: User) -> str:
        """A long address breaks before its @, where there is no room for all of it."""
        name, at, host = one.email.partition("@")
        return format_html("{}<wbr>{}{}", name, at, host) if at else name

    def goes(self, one: User) -> str:
        return f"{one} cannot log in any more. What {one} did stays in the logs of clusters, under that name."


@admin.register(Group)
class TeamAdmin(AccountAdmin, GroupAdmin):
    form = TeamForm
    filter_horizontal = ()
    readonly_fields = ("permitted",)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        told = ((None, {"fields": ("name", "permissions")}),)
        return told if obj is None or self.has_change_permission(request, obj) else seen(told)

    @admin.display(description="Permissions")
    def permitted(self, one: Group) -> SafeString:
        return lines(one.permissions.select_related("content_type"))

    def goes(self, one: Group) -> str:
        members = one.user_set.count()
        lose = "loses" if members == 1 else "lose"
        return f"{one}: {count(members, 'member')} {lose} what it permits." if members else f"{one} has no members."
