from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scheduler", "0002_moves_and_tally")]

    operations = [
        migrations.AddField(
            model_name="cluster",
            name="until",
            field=models.CharField(
                blank=True, editable=False, help_text="Conditions that stop the run.", max_length=400
            ),
        ),
        migrations.AddField(
            model_name="cluster",
            name="until_seq",
            field=models.BigIntegerField(default=0, editable=False, help_text="Head of the log when they were set."),
        ),
    ]
