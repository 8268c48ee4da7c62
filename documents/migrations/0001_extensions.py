"""The extensions that the tables, constraints and indexes of this app rest on."""

from django.contrib.postgres.operations import BtreeGistExtension
from django.db import migrations
from pgvector.django import VectorExtension


class Migration(migrations.Migration):
    initial = True
    dependencies: list[tuple[str, str]] = []
    operations = [BtreeGistExtension(), VectorExtension()]
