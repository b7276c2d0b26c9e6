"""Who may see and who may change: reading is free on this machine alone, every write needs a login and a permission."""

from collections.abc import Callable
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse

from dashboard.staticfiles import PLOTLY_STYLE_HASH
from scheduler.models import Cluster

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# A request that passed a proxy was not made on this machine, whatever address it came from last.
PROXY_HEADERS = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")

SECURITY_HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            f"style-src 'self' 'unsafe-hashes' '{PLOTLY_STYLE_HASH}'",
            "img-src 'self' data: blob:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class AccessMiddleware:
    """Asks for a login where one is needed, and puts the security headers on every answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """A cluster that was deleted while its page was being made is not there, and no error of ours."""
        if isinstance(exception, Cluster.DoesNotExist):
            raise Http404("This cluster has just been deleted.") from exception

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponseBase | None:
        if request.user.is_authenticated or not getattr(view, "login_required", True):
            return None
        if request.method in SAFE_METHODS and may_read(request):
            return None
        if wants_json(request):
            return JsonResponse({"ok": False, "error": "Log in first."}, status=403)
        return redirect_to_login(request.get_full_path() if request.method in SAFE_METHODS else "/")


def may_read(request: HttpRequest) -> bool:
    """Whether whoever asks may see what is in the clusters."""
    return request.user.is_authenticated or anonymous_may_read(request.get_host(), remote(request), request.headers)


def anonymous_may_read(host: str, client: str, headers: Any) -> bool:
    """Whether somebody who has not logged in may read. `host`: as addressed; `client`: the peer's IP address."""
    if settings.PODIUM_ANONYMOUS_READ == "everyone":
        return True
    return (
        settings.PODIUM_ANONYMOUS_READ == "loopback"
        and all(map(is_loopback, (settings.HOST, hostname(host), client)))
        and not any(header in headers for header in PROXY_HEADERS)
    )


def same_origin(origin: str, host: str) -> bool:
    """Whether a websocket was opened by our own page (or one that CSRF_TRUSTED_ORIGINS names)."""
    return bool(origin) and (urlsplit(origin).netloc == host or origin in settings.CSRF_TRUSTED_ORIGINS)


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def hostname(host: str) -> str:
    """`[::1]:8000` → `::1`, `localhost:8000` → `localhost`."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def remote(request: HttpRequest) -> str:
    return request.META.get("REMOTE_ADDR") or ""


def wants_json(request: HttpRequest) -> bool:
    return request.content_type == "application/json" or request.path.endswith(".json")
