"""The queues as rows, and the scheduler profiles of a cluster."""

from django.db import models

from scheduler.models.cluster import Cluster
from scheduler.models.fields import OrderedJSONField


class QueueEntry(models.Model):
    """A waiting pod. Fields as kube-scheduler's QueuedPodInfo; times are virtual µs."""

    class Queue(models.TextChoices):
        ACTIVE = "active", "ActiveQ"
        BACKOFF = "backoff", "BackoffQ"
        ERROR_BACKOFF = "error_backoff", "BackoffQ (errors)"
        UNSCHEDULABLE = "unschedulable", "Unschedulable"
        GATED = "gated", "Gated"
        IN_FLIGHT = "in_flight", "In flight"

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE)
    pod = models.CharField(max_length=320, help_text="namespace/name")
    queue = models.CharField(max_length=16, choices=Queue.choices)
    priority = models.IntegerField(default=0)
    timestamp_us = models.BigIntegerField(default=0)
    initial_attempt_us = models.BigIntegerField(null=True)
    attempts = models.IntegerField(default=0)
    unschedulable_count = models.IntegerField(default=0)
    consecutive_errors = models.IntegerField(default=0)
    backoff_expiry_us = models.BigIntegerField(null=True)
    unschedulable_plugins = OrderedJSONField(default=list)
    pending_plugins = OrderedJSONField(default=list)
    gating_plugin = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ["cluster", "queue", "-priority", "timestamp_us"]
        verbose_name_plural = "queue entries"
        constraints = [models.UniqueConstraint(fields=["cluster", "pod"], name="queue_one_place_per_pod")]
        indexes = [models.Index(fields=["cluster", "queue", "-priority", "timestamp_us"], name="queue_order")]

    def __str__(self) -> str:
        return f"{self.pod} in {self.get_queue_display()}"


class Profile(models.Model):
    """One profile of the scheduler configuration; `configuration` is its KubeSchedulerProfile (v1) as JSON."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="profiles")
    position = models.PositiveSmallIntegerField(default=0)
    scheduler_name = models.CharField(max_length=253)
    configuration = OrderedJSONField(default=dict)
    changed_seq = models.BigIntegerField(default=0, editable=False, help_text="Event that last changed this row.")

    class Meta:
        ordering = ["cluster", "position"]
        constraints = [models.UniqueConstraint(fields=["cluster", "scheduler_name"], name="profile_cluster_name")]

    def __str__(self) -> str:
        return self.scheduler_name
