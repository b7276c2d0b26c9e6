"""Settings, addresses and entry points. Importing the Celery application here registers it with Django."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
