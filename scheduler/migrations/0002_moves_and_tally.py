"""Moves become columns of the log, and the counters of the fold lie beside its head."""

from typing import Any

from django.db import migrations, models

import scheduler.models.fields

BATCH = 2_000


def fill(apps: Any, schema_editor: Any) -> None:
    """What older logs say in their payloads. Counters of old clusters are written with their next event."""
    events = apps.get_model("scheduler", "Event")
    moving = events.objects.filter(kind__in=("PodMoved", "PodUnqueued", "CycleStarted", "CycleFinished"))
    batch = []
    for row in moving.order_by("pk").iterator(BATCH):
        if _fill_row(row):
            batch.append(row)
        if len(batch) == BATCH:
            events.objects.bulk_update(batch, ["source", "target", "cause", "hint"])
            batch = []
    events.objects.bulk_update(batch, ["source", "target", "cause", "hint"])


def _fill_row(row: Any) -> bool:
    payload = row.payload
    if row.kind == "PodMoved":
        row.source, row.target, row.hint = payload["source"], payload["target"], payload["hint"][:100]
        row.cause = payload["cause"][:64]
    elif row.kind == "PodUnqueued":
        row.source, row.target, row.cause = payload["source"], "gone", "Remove"
    elif row.kind == "CycleStarted":
        early = payload["source"] == "backoff"
        row.source, row.target, row.cause = payload["source"], "in_flight", "PopFromBackoffQ" if early else "Pop"
    elif payload["decision"]["outcome"] == "bound":
        row.source, row.target, row.cause = "in_flight", "bound", "Bind"
    else:
        return False
    return True


class Migration(migrations.Migration):
    dependencies = [("scheduler", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="cluster",
            name="tally",
            field=scheduler.models.fields.OrderedJSONField(
                default=dict, editable=False, help_text="Counters of the fold at `seq`: TallyData."
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="source",
            field=models.CharField(
                blank=True, default="", help_text="Of an event that moves a pod: where it was.", max_length=16
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="event",
            name="target",
            field=models.CharField(
                blank=True, default="", help_text="Where it went; blank for every other event.", max_length=16
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="event",
            name="cause",
            field=models.CharField(
                blank=True, default="", help_text="The event label, as kube-scheduler names it.", max_length=64
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="event",
            name="hint",
            field=models.CharField(
                blank=True, default="", help_text="Plugin whose queueing hint decided.", max_length=100
            ),
            preserve_default=False,
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
