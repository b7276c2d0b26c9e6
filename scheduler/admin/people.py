"""Users and groups: lists named like all others; when somebody joined or logged in last is a fact, not a field."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html

from scheduler.admin.lists import ListAdmin, says, without_links
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


@admin.register(User)
class PeopleAdmin(AccountAdmin, Base):
    list_display = ("username", "mail", "first_name", "last_name", "is_staff")
    readonly_fields = ("last_login", "date_joined")

    @admin.display(description="Email address", ordering="email")
    def mail(self, one: User) -> str:
        """A long address breaks before its @, where there is no room for all of it."""
        name, at, host = one.email.partition("@")
        return format_html("{}<wbr>{}{}", name, at, host) if at else name

    def goes(self, one: User) -> str:
        return f"{one} cannot log in any more. What {one} did stays in the logs of clusters, under that name."


@admin.register(Group)
class TeamAdmin(AccountAdmin, GroupAdmin):
    def goes(self, one: Group) -> str:
        members = one.user_set.count()
        lose = "loses" if members == 1 else "lose"
        return f"{one}: {count(members, 'member')} {lose} what it permits." if members else f"{one} has no members."
