"""Chunks of two versions of the cutting may stand side by side. The index is built while the table is in use."""

from django.db import migrations, models

NEW, OLD = "documents_chunk_once_in_a_cut", "documents_chunk_ordinal_once"
CONSTRAINT = models.UniqueConstraint(fields=("revision", "policy", "ordinal"), name=NEW)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("documents", "0004_governed_index"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                # An interrupted build leaves an index that is not valid.
                migrations.RunSQL(f"DROP INDEX CONCURRENTLY IF EXISTS {NEW}", migrations.RunSQL.noop),
                migrations.RunSQL(
                    f"CREATE UNIQUE INDEX CONCURRENTLY {NEW} ON documents_chunk (revision_id, policy, ordinal)",
                    migrations.RunSQL.noop,
                ),
                migrations.RunSQL(
                    f"ALTER TABLE documents_chunk ADD CONSTRAINT {NEW} UNIQUE USING INDEX {NEW}, DROP CONSTRAINT {OLD}",
                    f"ALTER TABLE documents_chunk ADD CONSTRAINT {OLD} UNIQUE (revision_id, ordinal),"
                    f" DROP CONSTRAINT {NEW}",
                ),
            ],
            state_operations=[
                migrations.RemoveConstraint(model_name="chunk", name=OLD),
                migrations.AddConstraint(model_name="chunk", constraint=CONSTRAINT),
            ],
        ),
    ]
