"""The terms of a passage are kept beside it. A column that may be empty is added without touching a row."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0006_published_in_the_index"),
    ]

    operations = [
        migrations.AddField(
            model_name="chunk",
            name="terms",
            field=models.JSONField(null=True),
        ),
    ]
