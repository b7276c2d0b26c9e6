"""The Django application that holds clusters and their scheduling."""

from django.apps import AppConfig


class SchedulerConfig(AppConfig):
    name = "scheduler"
    verbose_name = "Scheduler"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from scheduler.management import plugin_files  # noqa: F401 - registers its check; needs a loaded registry of apps
