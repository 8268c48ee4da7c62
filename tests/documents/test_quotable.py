"""What may be quoted for some day: the SQL form against the Python rule, over the whole matrix."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from django.db import connection

from documents.models import Revision
from documents.rules.eligibility import decide
from documents.rules.types import Facts
from documents.rules.validity import in_force
from tests.documents import matrix
from tests.documents.matrix import DAYS, TODAY


def days_of(facts: Facts) -> Iterator[date]:
    window = in_force(facts.validity, facts.retired_on)
    yield from DAYS
    if window.start is not None:
        yield window.start
    if window.until is not None:
        yield window.until - timedelta(days=1)


@pytest.mark.django_db
def test_a_revision_is_open_to_who_may_be_quoted_it_for_some_day() -> None:
    cells = matrix.build()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # an autovacuum that saw the tables empty would leave the planner with wrong sizes
    most = 0
    for reader in cells.readers:
        expected = {
            cell.revision_id
            for cell in cells.cells
            if any(decide(reader, cell.facts, on, TODAY).allowed for on in days_of(cell.facts))
        }
        found = set(Revision.objects.quotable_by(reader, TODAY).values_list("pk", flat=True))
        assert found == expected, reader
        most = max(most, len(found))
    assert 1000 < most < len(cells.cells)
