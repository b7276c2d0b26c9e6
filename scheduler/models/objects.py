"""The current objects of a cluster, one row each: their manifest, and columns for what is browsed and filtered."""

from django.db import models

from scheduler.models.cluster import Cluster
from scheduler.models.fields import OrderedJSONField


class _Object(models.Model):
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE)
    name = models.CharField(max_length=253)
    uid = models.CharField(max_length=330, blank=True)
    manifest = OrderedJSONField(help_text="The object as the cluster holds it now; a bound pod names its node.")
    labels = models.TextField(blank=True, help_text=",key=value,key=value, (to search in).")
    created_us = models.BigIntegerField(default=0, editable=False, help_text="Virtual µs since the Unix epoch.")
    changed_seq = models.BigIntegerField(default=0, editable=False, help_text="Event that last changed this row.")

    class Meta:
        abstract = True


class Node(_Object):
    """Resources as the scheduler counts them: allocatable, and the sum of the pods placed here."""

    zone = models.CharField(max_length=128, blank=True)
    roles = models.CharField(max_length=200, blank=True, help_text="As kubectl prints them, comma separated.")
    version = models.CharField(max_length=64, blank=True, help_text="Of the kubelet.")
    ready = models.BooleanField(default=True)
    unschedulable = models.BooleanField(default=False)
    taints = models.CharField(max_length=1000, blank=True, help_text="key=value:Effect, comma separated.")
    milli_cpu = models.BigIntegerField(default=0)
    memory = models.BigIntegerField(default=0)
    max_pods = models.BigIntegerField(default=0)
    requested_milli_cpu = models.BigIntegerField(default=0)
    requested_memory = models.BigIntegerField(default=0)
    pod_count = models.IntegerField(default=0)

    class Meta:
        ordering = ["cluster", "name"]
        constraints = [models.UniqueConstraint(fields=["cluster", "name"], name="node_cluster_name")]
        indexes = [models.Index(fields=["cluster", "zone", "name"], name="node_by_zone")]

    def __str__(self) -> str:
        return self.name


class Pod(_Object):
    """`queue` is where it waits ("" when it does not); `message` the scheduler's last word on it."""

    namespace = models.CharField(max_length=63)
    node_name = models.CharField(max_length=253, blank=True)
    nominated_node_name = models.CharField(max_length=253, blank=True)
    phase = models.CharField(max_length=20, blank=True)
    status = models.CharField(max_length=32, blank=True, help_text="The status word that kubectl prints.")
    priority = models.IntegerField(default=0)
    scheduler_name = models.CharField(max_length=253, blank=True)
    owner = models.CharField(max_length=320, blank=True, help_text="Kind/name of the controlling owner.")
    milli_cpu = models.BigIntegerField(default=0)
    memory = models.BigIntegerField(default=0)
    queue = models.CharField(max_length=16, blank=True)
    attempts = models.IntegerField(default=0)
    message = models.TextField(blank=True)

    class Meta:
        ordering = ["cluster", "namespace", "name"]
        constraints = [models.UniqueConstraint(fields=["cluster", "namespace", "name"], name="pod_cluster_key")]
        indexes = [
            models.Index(fields=["cluster", "node_name"], name="pod_by_node"),
            models.Index(fields=["cluster", "status"], name="pod_by_status"),
            models.Index(fields=["cluster", "queue"], name="pod_by_queue"),
        ]

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"

    @property
    def key(self) -> str:
        return f"{self.namespace}/{self.name}"


class UnitedDeployment(_Object):
    namespace = models.CharField(max_length=63)
    replicas = models.IntegerField(default=1)

    class Meta:
        ordering = ["cluster", "namespace", "name"]
        constraints = [models.UniqueConstraint(fields=["cluster", "namespace", "name"], name="ud_cluster_key")]

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


class KubeObject(_Object):
    """Every other kind: Service, PriorityClass, PersistentVolumeClaim, … and kinds Podium only stores."""

    kind = models.CharField(max_length=63)
    namespace = models.CharField(max_length=63, blank=True)

    class Meta:
        verbose_name = "object"
        verbose_name_plural = "other objects"
        ordering = ["cluster", "kind", "namespace", "name"]
        constraints = [
            models.UniqueConstraint(fields=["cluster", "kind", "namespace", "name"], name="object_cluster_key")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"
