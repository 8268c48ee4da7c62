"""The measurement of a reader's list measures what it says, and leaves nothing behind."""

from __future__ import annotations

import pytest

from documents.models import Document
from evaluation.bench_readers import measure


@pytest.mark.django_db
def test_a_small_company_is_measured_and_taken_away() -> None:
    result = measure(runs=3, documents=400, grants=2_000)
    assert 0 < result.readable < 400
    assert 0 < result.audience_keys <= result.readable
    assert "documents_documentgroupgrant" in result.plan
    assert min(result.list_ms, result.eligible_ms, result.keys_ms) > 0
    assert not Document.objects.exists()
