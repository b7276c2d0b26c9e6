"""The log: events as they were appended, and checkpoints of the fold."""

from django.db import models

from scheduler.models.cluster import Cluster
from scheduler.models.fields import OrderedJSONField


class Event(models.Model):
    """One happening. `payload` is the codec's JSON of it; the other columns only serve look-ups."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="events")
    seq = models.BigIntegerField()
    at_us = models.BigIntegerField()
    kind = models.CharField(max_length=32)
    version = models.PositiveSmallIntegerField(default=1)
    payload = OrderedJSONField()
    object_key = models.CharField(max_length=400, blank=True, help_text="Kind/namespace/name of what it is about.")
    cycle = models.BigIntegerField(null=True)
    outcome = models.CharField(
        max_length=16, blank=True, help_text="bound, unschedulable or error: of finished cycles."
    )
    actor = models.CharField(max_length=150, blank=True, help_text="User who asked for it, if a person did.")
    source = models.CharField(max_length=16, blank=True, help_text="Of an event that moves a pod: where it was.")
    target = models.CharField(max_length=16, blank=True, help_text="Where it went; blank for every other event.")
    cause = models.CharField(max_length=64, blank=True, help_text="The event label, as kube-scheduler names it.")
    hint = models.CharField(max_length=100, blank=True, help_text="Plugin whose queueing hint decided.")

    class Meta:
        ordering = ["cluster", "seq"]
        constraints = [models.UniqueConstraint(fields=["cluster", "seq"], name="event_cluster_seq")]
        indexes = [
            models.Index(fields=["cluster", "kind", "seq"], name="event_by_kind"),
            models.Index(fields=["cluster", "object_key", "seq"], name="event_by_object"),
            models.Index(fields=["cluster", "cycle", "seq"], name="event_by_cycle"),
        ]

    def __str__(self) -> str:
        return f"event {self.seq}: {self.kind}"


class Checkpoint(models.Model):
    """The whole fold at `seq`, so that a cold process need not read the log from its beginning."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="checkpoints")
    seq = models.BigIntegerField()
    format = models.PositiveSmallIntegerField()
    blob = models.BinaryField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["cluster", "-seq"]
        constraints = [models.UniqueConstraint(fields=["cluster", "seq"], name="checkpoint_cluster_seq")]

    def __str__(self) -> str:
        return f"{self.cluster} at event {self.seq}"
