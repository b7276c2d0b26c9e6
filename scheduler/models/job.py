"""Bounded work in the background (an import, a what-if run): its progress and its outcome."""

from django.conf import settings
from django.db import models


class Job(models.Model):
    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    kind = models.CharField(max_length=32)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    cluster_name = models.CharField(max_length=63, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)
    stage = models.CharField(max_length=100, blank=True)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    attempt = models.PositiveSmallIntegerField(default=0, help_text="How often somebody has begun it.")
    holder = models.CharField(max_length=64, blank=True, help_text="Machine on which it was begun last.")
    cancel_requested = models.BooleanField(default=False)
    arguments = models.JSONField(default=dict)
    result = models.JSONField(default=dict)

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return f"{self.kind} of {self.cluster_name}"
