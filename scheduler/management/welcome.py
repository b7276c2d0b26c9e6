"""What `up` prints once the web answers."""

from collections.abc import Iterator
from ipaddress import ip_address

from django.conf import settings


def welcome(address: str, password: str | None, seconds: float) -> Iterator[str]:
    yield ""
    yield f"Podium is ready at {address} (started in {seconds:.1f} s; data in {settings.DATA_DIR})"
    if password:
        yield ""
        yield f"  Log in to change things:  admin  {password}"
        yield "  This password is shown only now. To set another: .venv/bin/python manage.py changepassword admin"
    if not stays_here(settings.HOST):
        yield ""
        yield from exposed()
    yield ""
    yield "Ctrl-C stops everything."


def stays_here(host: str) -> bool:
    """Whether only this machine reaches what listens on `host`."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def exposed() -> Iterator[str]:
    """What a HOST means that other machines can reach."""
    if settings.PODIUM_ANONYMOUS_READ == "everyone":
        yield f"HOST={settings.HOST}: other machines can reach this. Anyone may read; changing anything needs a login."
    else:
        yield f"HOST={settings.HOST}: other machines can reach this. Everything needs a login, reading too."
    names = [name for name in settings.ALLOWED_HOSTS if not stays_here(name.strip("[]"))]
    if names:
        yield f"It answers under {', '.join(names)}. Without TLS in front of it, passwords travel readable."
    else:
        yield "It answers under localhost alone until you set ALLOWED_HOSTS to this machine's names or addresses."
