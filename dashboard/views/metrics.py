"""GET /metrics: for Prometheus. Who may read without a login may scrape; anybody else shows the token."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from dashboard.access import anonymous_may_read, remote
from dashboard.metrics import exposition

REFUSAL = "Send PODIUM_METRICS_TOKEN as 'Authorization: Bearer …', or log in.\n"


@login_not_required
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not may_scrape(request):
        answer = HttpResponse(REFUSAL, status=401, content_type="text/plain; charset=utf-8")
        answer["WWW-Authenticate"] = 'Bearer realm="metrics"'
        return answer
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST)


def may_scrape(request: HttpRequest) -> bool:
    """Without a token set, only those who may read anyway."""
    token = settings.PODIUM_METRICS_TOKEN
    scheme, _, shown = request.headers.get("Authorization", "").partition(" ")
    if token and scheme.lower() == "bearer" and constant_time_compare(shown.strip(), token):
        return True
    reader = anonymous_may_read(request.get_host(), remote(request), request.headers)
    return request.user.is_authenticated or reader
