"""A cluster: one log of events, its head, and what its runner is asked to do."""

from django.core.validators import RegexValidator
from django.db import models

from scheduler.models.fields import OrderedJSONField

DNS_LABEL = RegexValidator(
    r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\Z",
    "Use lower-case letters, digits and '-', at most 63, beginning and ending with a letter or digit.",
)


class Cluster(models.Model):
    """`seq` is the head of the log: the last event written. Whoever moves it from n to m owns the events n+1…m."""

    class Wanted(models.TextChoices):
        PAUSED = "paused"
        RUNNING = "running"

    name = models.CharField(max_length=63, unique=True, validators=[DNS_LABEL])
    description = models.CharField(max_length=200, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    seq = models.BigIntegerField(default=0, editable=False)
    now_us = models.BigIntegerField(default=0, editable=False, help_text="Virtual time, µs since the Unix epoch.")
    start_us = models.BigIntegerField(default=0, editable=False)
    cycle = models.BigIntegerField(default=0, editable=False, help_text="Number of the last cycle started.")

    tally = OrderedJSONField(default=dict, editable=False, help_text="Counters of the fold at `seq`: TallyData.")

    wanted = models.CharField(max_length=8, choices=Wanted.choices, default=Wanted.PAUSED, editable=False)
    speed = models.FloatField(default=1.0, editable=False, help_text="Virtual seconds a real second; 0 = flat out.")
    wanted_reason = models.CharField(max_length=200, blank=True, editable=False, help_text="Why the run stopped.")
    until = models.CharField(max_length=400, blank=True, editable=False, help_text="Conditions that stop the run.")
    until_seq = models.BigIntegerField(default=0, editable=False, help_text="Head of the log when they were set.")
    lease_holder = models.CharField(max_length=64, blank=True, editable=False)
    lease_expires = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"/c/{self.name}/"
