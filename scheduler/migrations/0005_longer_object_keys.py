"""A kind of 63 signs, a namespace of 63 and a name of 253 fit."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scheduler", "0004_job_attempt"),
    ]

    operations = [
        migrations.AlterField(
            model_name="event",
            name="object_key",
            field=models.CharField(blank=True, help_text="Kind/namespace/name of what it is about.", max_length=400),
        ),
    ]
