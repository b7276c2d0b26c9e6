"""Every address: the dashboard at the root, the admin site beside it."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("dashboard.urls")),
]

handler400 = "dashboard.views.refusals.bad_request"
handler403 = "dashboard.views.refusals.forbidden"
handler404 = "dashboard.views.refusals.not_found"
