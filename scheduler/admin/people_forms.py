"""The forms of users and groups, in as few words as they need."""

from typing import Any

from django import forms
from django.contrib.auth.forms import (
    AdminPasswordChangeForm,
    ReadOnlyPasswordHashWidget,
    UserChangeForm,
    UserCreationForm,
)
from django.contrib.auth.hashers import is_password_usable
from django.contrib.auth.models import Group
from django.utils.html import format_html
from django.utils.safestring import SafeString

from scheduler.admin.permits import PermitsField

USERNAME = "Letters, digits and @ . + - _"
AGAIN = "Password again"
WORDS = {  # label and help of a field
    "username": ("Username", USERNAME),
    "password": ("Password", ""),
    "is_active": ("Active", "May log in. Take the tick away rather than delete the account."),
    "is_staff": ("Staff", "May open these pages, as far as the permissions below go."),
    "is_superuser": ("Superuser", "May do everything, whatever is ticked below."),
}


class PasswordWidget(ReadOnlyPasswordHashWidget):
    """Whether there is one, and the way to a new one: how it is kept is nobody's business."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        is_set = bool(value) and is_password_usable(value)
        told, deed = (
            ("Set", "Change password") if is_set else ("None: nobody can log in with this name", "Set password")
        )
        return format_html(
            '<span class="password-shown">{} <a class="button" href="../password/">{}</a></span>', told, deed
        )


class PersonForm(UserChangeForm):  # type: ignore[type-arg]
    groups = forms.ModelMultipleChoiceField(
        Group.objects.order_by("name"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="What a group permits, its members may do.",
    )
    user_permissions = PermitsField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, (label, told) in WORDS.items():
            if field := self.fields.get(name):  # for somebody who may only look there are no fields
                field.label, field.help_text = label, told
        if password := self.fields.get("password"):
            password.widget = PasswordWidget()
        if not Group.objects.exists():
            self.fields["groups"].help_text = "There are no groups yet."
        permits = self.fields["user_permissions"]
        assert isinstance(permits, PermitsField)
        permits.offer(self.instance.user_permissions.all() if self.instance.pk else None)


class TeamForm(forms.ModelForm):  # type: ignore[type-arg]
    permissions = PermitsField()

    class Meta:
        model = Group
        fields = ("name", "permissions")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        permits = self.fields["permissions"]
        assert isinstance(permits, PermitsField)
        permits.offer(self.instance.permissions.all() if self.instance.pk else None)


class NewPersonForm(UserCreationForm):  # type: ignore[type-arg]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = USERNAME
        self.fields["password2"].label, self.fields["password2"].help_text = AGAIN, ""


class PasswordForm(AdminPasswordChangeForm):  # type: ignore[type-arg]
    """Everybody logs in with a password: there is no other way in that it could be switched off for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("usable_password", None)
        self.fields["password1"].label = "New password"
        self.fields["password2"].label, self.fields["password2"].help_text = AGAIN, ""
