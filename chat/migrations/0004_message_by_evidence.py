from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False  # beside the writers: conversations go on while the index is made

    dependencies = [("chat", "0003_attempts_and_feedback")]

    operations = [
        AddIndexConcurrently("message", models.Index(fields=["evidence_id"], name="chat_message_evidence")),
    ]
