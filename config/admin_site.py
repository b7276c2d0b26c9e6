"""The admin site: what one edits first, what one only reads after it, people last."""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest

from dashboard.login_form import AdminLoginForm

GROUPS = {
    "Cluster state": ("Cluster", "Node", "Pod", "UnitedDeployment", "KubeObject", "Profile"),
    "Records": ("Event", "QueueEntry", "Checkpoint", "Job"),
    "People": ("User", "Group"),
}


class PodiumAdminSite(AdminSite):
    site_title = site_header = "Podium"
    index_title = "Admin"
    login_form = AdminLoginForm

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
