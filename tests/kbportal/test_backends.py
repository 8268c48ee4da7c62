"""Parts are chosen by settings and made once."""

from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from kbportal.backends import get_backend
from kbportal.checks import parts_can_be_loaded


def test_a_part_is_made_once_and_again_after_the_setting_changes(settings: Settings) -> None:
    settings.KB_BACKENDS = {"embedder": {"BACKEND": "fractions.Fraction", "OPTIONS": {"numerator": 3}}}
    first = get_backend("embedder")
    assert first == 3
    assert get_backend("embedder") is first
    settings.KB_BACKENDS = {"embedder": {"BACKEND": "fractions.Fraction", "OPTIONS": {"numerator": 4}}}
    assert get_backend("embedder") == 4


def test_a_kind_that_settings_do_not_name_is_an_error(settings: Settings) -> None:
    settings.KB_BACKENDS = {}
    with pytest.raises(KeyError):
        get_backend("engine")


def test_the_check_names_a_part_that_cannot_be_loaded(settings: Settings) -> None:
    settings.KB_BACKENDS = {"engine": {"BACKEND": "nowhere.Engine", "OPTIONS": {}}}
    [found] = parts_can_be_loaded(None)
    assert "nowhere.Engine" in found.msg
    assert "KB_ENGINE" in str(found.hint)
