"""The Django application that shows them."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "dashboard"
