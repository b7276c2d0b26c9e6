"""The admin site: what one edits first, what one only reads after it, people last."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

GROUPS = {
    "Cluster state": ("Cluster", "Node", "Pod", "UnitedDeployment", "KubeObject", "Profile"),
    "Records": ("Event", "QueueEntry", "Checkpoint", "Job"),
    "People": ("User", "Group"),
}


class PodiumAdminSite(AdminSite):
    site_title = site_header = "Podium"
    index_title = "Admin"

    @method_decorator(never_cache)
    @login_not_required
    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """There is one page to log in; whoever is logged in and comes here all the same may not look at the admin."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied("The Admin is for people of the staff.")
        return redirect_to_login(request.GET.get(REDIRECT_FIELD_NAME) or reverse("admin:index"))

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """In groups of our own; the page of one app stays Django's."""
        apps = super().get_app_list(request, app_label)
        for app in apps:
            for model in app["models"]:
                model["name"] = getattr(self._registry[model["model"]], "plural", "") or model["name"]
        return apps if app_label else list(_groups(apps))


def _groups(apps: list[Any]) -> Any:
    models = {model["object_name"]: (app, model) for app in apps for model in app["models"]}
    for title, names in GROUPS.items():
        found = [models.pop(name) for name in names if name in models]
        if found:
            yield {**found[0][0], "name": title, "models": [model for _, model in found]}
    for app, model in models.values():
        yield {**app, "models": [model]}
