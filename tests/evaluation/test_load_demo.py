"""The demo corpus goes in by one command, which may be repeated, and only where nobody else can sign in."""

from __future__ import annotations

import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from pytest_django import Settings

from documents.models import Document, Revision, VectorCache, WordVector
from evaluation.demo import vectors
from governance.models import PrecedenceRule
from kbportal.backends import get_backend
from kbportal.embedded.paths import Instance
from kbportal.settings.parts import backends

pytestmark = pytest.mark.django_db


def load() -> str:
    out = StringIO()
    call_command("load_demo", stdout=out, stderr=StringIO())
    return out.getvalue().strip()


@pytest.mark.slow
def test_the_demo_is_loaded_once(
    settings: Settings, tmp_path: Path, demo_folder: Path, monkeypatch: pytest.MonkeyPatch
):
    settings.KB_BACKENDS = settings.KB_BACKENDS | {"embedder": backends()["embedder"]}  # as the portal has it
    settings.INSTANCE = Instance(tmp_path)
    shutil.copytree(demo_folder, tmp_path / "demo")
    monkeypatch.setenv("KB_DEMO_PASSWORD", "outra-senha")

    first = load()
    revisions = Revision.objects.count()

    assert first == f"{revisions} created, 0 unchanged, 0 failed"
    kept = vectors.offer(get_backend("embedder"))
    made = VectorCache.objects.count() + WordVector.objects.count() - kept
    assert made == 0, "the kept vectors lack some: run `manage.py load_demo --keep-vectors` on a new portal"
    assert Document.objects.count() >= 45
    assert PrecedenceRule.objects.exists()
    admin = User.objects.get(username="admin")
    assert admin.is_superuser
    assert admin.is_staff
    assert all(User.objects.get(username=name).check_password("outra-senha") for name in ("admin", "ana.ops"))
    assert load() == f"0 created, {revisions} unchanged, 0 failed"
    assert User.objects.filter(username="admin").count() == 1

    call_command("govern", "retire", "inventario-ciclico", user="bruno.ops", reason="replaced", stdout=StringIO())
    assert load() == f"0 created, {revisions - 1} unchanged, 1 failed", "told, and no reason not to start"
    assert Revision.objects.filter(document__code="inventario-ciclico", state="retired").exists()


def test_a_portal_that_others_can_reach_refuses_the_demo(settings: Settings):
    settings.KB_LOOPBACK = False

    with pytest.raises(CommandError) as caught:
        load()

    assert caught.value.returncode == 2
    assert not User.objects.exists()
