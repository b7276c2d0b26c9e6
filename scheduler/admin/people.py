"""Users: when somebody joined or logged in last is a fact, not a field."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User

if TYPE_CHECKING:  # Django's own class takes no type argument when it runs
    Base = UserAdmin[User]
else:
    Base = UserAdmin

admin.site.unregister(User)


@admin.register(User)
class PeopleAdmin(Base):
    readonly_fields = ("last_login", "date_joined")
