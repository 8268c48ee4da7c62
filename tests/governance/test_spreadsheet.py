"""Lists as files: nothing in them runs, and what is asked in a wrong way is not a fault of the portal."""

from __future__ import annotations

import pytest

from chat.auditing import exports
from governance.admin import export
from governance.spreadsheet import inert
from tests import factories
from tests.governance.desk import client_of, person


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_both_kinds_of_files_take_the_sting_out_of_a_formula(text: str) -> None:
    assert inert(text) == exports.cell(text) == export.cell(text) == f"'{text}"
    assert inert(f"a{text}") == f"a{text}"


def test_a_number_stays_a_number_in_a_table_of_figures() -> None:
    assert (exports.cell(-5), exports.cell(None)) == (-5, None)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["documents/document/export/?area__id__exact=x", "governance/auditevent/export/?at__year=x"]
)
def test_a_file_of_a_list_that_cannot_be_is_missing(address: str) -> None:
    """Two areas: Django offers a choice among one as none, and then looks at nothing."""
    person("lucas", roles=["auditor"])
    for area in ("rh", "ti"):
        factories.document(f"of-{area}", area_slug=area)
    assert client_of("lucas").get(f"/admin/{address}").status_code == 404
