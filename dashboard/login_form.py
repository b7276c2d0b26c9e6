"""The form of the login page: refuses to go on guessing."""

import math
from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError

from dashboard.login_limit import WINDOW_SECONDS, Attempt

TOO_MANY = f"Too many failed attempts to log in. Wait {math.ceil(WINDOW_SECONDS / 60)} minutes, then try again."


class LoginForm(AuthenticationForm):
    """Every attempt counts as failed before the password is looked at, so that many at once gain nothing."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": "This name and this password do not belong together. Capitals count.",
    }

    @property
    def must_wait(self) -> bool:
        """Neither field is wrong: only waiting helps."""
        return self.has_error(NON_FIELD_ERRORS, "too_many")

    def clean(self) -> dict[str, Any]:
        address = (self.request.META.get("REMOTE_ADDR") or "") if self.request is not None else ""
        attempt = Attempt(address, str(self.cleaned_data.get("username", "")))
        if not attempt.may_go_on():
            raise ValidationError(TOO_MANY, code="too_many")
        cleaned: dict[str, Any] = super().clean()
        attempt.forgiven()
        return cleaned
