"""Older logs get the columns of their moves from their payloads: the same as a new log has from the start."""

from importlib import import_module

import pytest
from django.apps import apps

from scheduler import services
from scheduler.models import Event
from tests.scheduler.builders import a_cluster, a_node, a_pod

pytestmark = pytest.mark.django_db
COLUMNS = ("source", "target", "cause", "hint")


def test_what_the_migration_writes_is_what_the_log_says_of_itself():
    held = a_pod("held", schedulingGates=[{"name": "g"}])
    cluster = a_cluster(nodes=2, pods=2, bound=1, more=[a_pod("big", cpu="8", priority=9), held])
    services.cycle_step(cluster.pk)
    services.objects_apply(cluster.pk, [a_node("large", cpu="16")])
    for _ in range(2):
        services.cycle_step(cluster.pk)
    services.object_delete(cluster.pk, "Pod", "default", "held")
    rows = Event.objects.order_by("pk")
    told = list(rows.values_list("kind", *COLUMNS))
    assert {"PodMoved", "PodUnqueued", "CycleStarted", "CycleFinished"} <= {kind for kind, *_ in told}
    rows.update(**dict.fromkeys(COLUMNS, ""))
    import_module("scheduler.migrations.0002_moves_and_tally").fill(apps, None)
    assert list(rows.values_list("kind", *COLUMNS)) == told
