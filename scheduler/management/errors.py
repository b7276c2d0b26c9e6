"""What keeps Podium from starting, as one clear line."""

from django.core.management.base import CommandError


class StartError(CommandError):
    """Printed as `error: …`; the process ends with exit code 1."""
