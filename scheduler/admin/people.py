"""Users and groups: lists named like all others; when somebody joined or logged in last is a fact, not a field."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User

from scheduler.admin.lists import ListAdmin

if TYPE_CHECKING:  # Django's own class takes no type argument when it runs
    Base = UserAdmin[User]
else:
    Base = UserAdmin

admin.site.unregister((User, Group))


@admin.register(User)
class PeopleAdmin(ListAdmin, Base):
    readonly_fields = ("last_login", "date_joined")


@admin.register(Group)
class TeamAdmin(ListAdmin, GroupAdmin):
    pass
