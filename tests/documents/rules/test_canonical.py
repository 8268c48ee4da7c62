"""Canonical JSON is that of RFC 8785, whichever encoder writes it."""

from __future__ import annotations

from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from documents.rules.canonical import canonical

NUMBERS = st.integers(-(2**60), 2**60) | st.floats() | st.sampled_from([0.0, -0.0, 1.0, 1e-5, 1e-7, 1e21, 2.0**53])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_every_value_is_written_as_the_library_writes_it_or_refused_as_there(value: Any) -> None:
    try:
        expected = rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        with pytest.raises(type(error)):
            canonical(value)
    else:
        assert canonical(value) == expected


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"b": 1.0, "a": [True, None, 0.5]}, '{"a":[true,null,0.5],"b":1}'),
        ('aspas " barra \\ linha \n e \x1f €', r'"aspas \" barra \\ linha \n e \u001f €"'),
        ({"\U0001f600": 1, "\ufb33": 2}, '{"\U0001f600":1,"\ufb33":2}'),
        (1e-7, "1e-7"),
        (1e21, "1e+21"),
        (0.00001, "0.00001"),
    ],
)
def test_the_forms_of_the_standard(value: Any, written: str) -> None:
    assert canonical(value).decode() == written
