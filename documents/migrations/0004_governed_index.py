"""The index as an entity, the queue with its dead letters, propagation and alarms. New columns have constant
defaults, so that no table is rewritten."""

import hashlib

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def describe_versions(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """`eligibility-1 chunks-1 terms-1 normal-1 heading-text-2`, with the layout of that time, as columns of their own."""
    for row in apps.get_model("documents", "IndexVersion").objects.all():
        *words, inputs = row.configuration.split() or [""]
        row.chunker = "".join(word.removeprefix("chunks-") for word in words if word.startswith("chunks-"))
        row.rules = " ".join([*(word for word in words if not word.startswith("chunks-")), "lexical-2"])
        row.configuration = f"{row.rules} chunks-{row.chunker} {inputs}"
        known = "\0".join((row.engine, row.fingerprint, row.configuration))
        row.configuration_hash = hashlib.sha256(known.encode()).hexdigest()
        row.save(update_fields=["chunker", "rules", "configuration", "configuration_hash"])


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0003_words"),
    ]

    operations = [
        migrations.CreateModel(
            name="Alarm",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("drift", "the index differs from the tables"),
                            ("late", "a change took too long to arrive"),
                            ("parked", "work is parked"),
                        ],
                        max_length=8,
                        verbose_name="kind",
                    ),
                ),
                ("note", models.TextField(verbose_name="what was found")),
                ("count", models.PositiveIntegerField(default=0, verbose_name="how many")),
                ("opened_at", models.DateTimeField(auto_now_add=True, verbose_name="opened at")),
                ("seen_at", models.DateTimeField(auto_now=True, verbose_name="last seen at")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed at")),
            ],
            options={
                "verbose_name": "alarm",
                "verbose_name_plural": "alarms",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Propagation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("publish", "publication"),
                            ("retire", "retirement"),
                            ("restore", "restoration"),
                            ("readers", "readers"),
                            ("owner", "owner"),
                            ("data", "document's data"),
                        ],
                        max_length=8,
                        verbose_name="change",
                    ),
                ),
                (
                    "risk",
                    models.CharField(
                        choices=[("high", "high"), ("normal", "normal"), ("low", "low")],
                        max_length=8,
                        verbose_name="risk",
                    ),
                ),
                ("bulk", models.BooleanField(default=False, verbose_name="in bulk")),
                ("committed_at", models.DateTimeField(verbose_name="committed at")),
                ("due_at", models.DateTimeField(verbose_name="due at")),
                ("index_at", models.DateTimeField(blank=True, null=True, verbose_name="index agreed at")),
                ("copies_at", models.DateTimeField(blank=True, null=True, verbose_name="copies agreed at")),
                ("caches_at", models.DateTimeField(blank=True, null=True, verbose_name="caches agreed at")),
                ("agreed_at", models.DateTimeField(blank=True, null=True, verbose_name="agreed at")),
            ],
            options={
                "verbose_name": "propagation of a change",
                "verbose_name_plural": "propagation of changes",
                "ordering": ["-id"],
            },
        ),
        migrations.AddField(
            model_name="indexversion",
            name="chunker",
            field=models.CharField(blank=True, max_length=20, verbose_name="chunker"),
        ),
        migrations.AddField(
            model_name="indexversion",
            name="configuration_hash",
            field=models.CharField(blank=True, max_length=64, verbose_name="hash of the configuration"),
        ),
        migrations.AddField(
            model_name="indexversion",
            name="dropped_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="dropped at"),
        ),
        migrations.AddField(
            model_name="indexversion",
            name="embedder",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
        migrations.AddField(
            model_name="indexversion",
            name="revisions",
            field=models.PositiveIntegerField(default=0, verbose_name="revisions"),
        ),
        migrations.AddField(
            model_name="indexversion",
            name="rules",
            field=models.CharField(blank=True, max_length=200, verbose_name="rules"),
        ),
        migrations.AddField(
            model_name="job",
            name="faults",
            field=models.PositiveIntegerField(default=0, verbose_name="faults"),
        ),
        migrations.AddField(
            model_name="job",
            name="finished_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="finished at"),
        ),
        migrations.AddField(
            model_name="job",
            name="progress",
            field=models.PositiveIntegerField(default=0, verbose_name="progress"),
        ),
        migrations.AddField(
            model_name="job",
            name="queue",
            field=models.CharField(
                choices=[("interactive", "interactive"), ("bulk", "bulk")],
                default="interactive",
                max_length=12,
                verbose_name="queue",
            ),
        ),
        migrations.AddField(
            model_name="job",
            name="total",
            field=models.PositiveIntegerField(default=0, verbose_name="of"),
        ),
        migrations.AlterField(
            model_name="job",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "waiting"),
                    ("running", "running"),
                    ("done", "done"),
                    ("failed", "failed, will be tried again"),
                    ("parked", "parked"),
                    ("discarded", "discarded"),
                ],
                db_index=True,
                default="waiting",
                max_length=12,
                verbose_name="state",
            ),
        ),
        migrations.AddConstraint(
            model_name="alarm",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at", None)), fields=("kind",), name="documents_alarm_one_open_of_a_kind"
            ),
        ),
        migrations.AddField(
            model_name="propagation",
            name="document",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="propagations",
                to="documents.document",
                verbose_name="document",
            ),
        ),
        migrations.AddField(
            model_name="propagation",
            name="revision",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="propagations",
                to="documents.revision",
                verbose_name="revision",
            ),
        ),
        migrations.AddIndex(
            model_name="propagation",
            index=models.Index(
                condition=models.Q(("agreed_at", None)), fields=["document"], name="documents_propagation_open"
            ),
        ),
        migrations.AddIndex(
            model_name="propagation",
            index=models.Index(fields=["committed_at"], name="documents_propagation_when"),
        ),
        migrations.RunPython(describe_versions, migrations.RunPython.noop),
    ]
