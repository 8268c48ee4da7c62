"""A published text counts in answers from the moment that the index is known to hold it: say so of those it holds."""

from django.db import migrations

HELD = """
UPDATE documents_revision SET published_at = now()
WHERE state IN ('published', 'retired') AND published_at IS NULL
"""


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0005_chunks_of_two_cuts"),
    ]

    operations = [
        migrations.RunSQL(HELD, migrations.RunSQL.noop),
    ]
