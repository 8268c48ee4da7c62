"""A row for each audience that documents have, from one of its documents. What does not hash to its key, because
grants went with a person or group that was deleted, `check_index` finds and mends."""

import django.contrib.postgres.fields
from django.db import migrations, models

GROUPS = """
ARRAY(SELECT DISTINCT {name} FROM documents_documentgroupgrant g
      JOIN auth_group a ON a.id = g.group_id JOIN auth_permission p ON p.id = g.permission_id
      WHERE g.content_object_id = d.id AND p.codename = 'read_document' AND {which})
"""
PEOPLE = """
ARRAY(SELECT DISTINCT g.user_id FROM documents_documentusergrant g JOIN auth_permission p ON p.id = g.permission_id
      WHERE g.content_object_id = d.id AND p.codename = 'read_document')
"""
FILL = f"""
INSERT INTO documents_audience
    (key, owner, classification, people, groups, areas, units, scope_units, scope_jurisdictions)
SELECT DISTINCT ON (d.audience_key) d.audience_key, d.owner_id, d.classification, {PEOPLE},
    {GROUPS.format(name="a.name", which="a.name NOT LIKE 'area:%%' AND a.name NOT LIKE 'unit:%%'")},
    {GROUPS.format(name="substr(a.name, 6)", which="a.name LIKE 'area:%%'")},
    {GROUPS.format(name="substr(a.name, 6)", which="a.name LIKE 'unit:%%'")},
    d.scope_units, d.scope_jurisdictions
FROM documents_document d WHERE d.audience_key <> '' ORDER BY d.audience_key, d.id
"""


def fill(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(FILL, [])


class Migration(migrations.Migration):
    dependencies = [
        ("documents", "0007_terms_of_chunks"),
    ]

    operations = [
        migrations.CreateModel(
            name="Audience",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("owner", models.IntegerField(null=True)),
                ("classification", models.CharField(max_length=12)),
                ("people", django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), size=None)),
                ("groups", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                ("areas", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                ("units", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                ("scope_units", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                (
                    "scope_jurisdictions",
                    django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None),
                ),
            ],
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
