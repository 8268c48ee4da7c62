"""What reading a file came to is said in the language of who reads it, with what to do about it."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from documents.extractors.base import ExtractionError, Why
from documents.extractors.words import refusal, warning
from documents.rules.notices import About, naming, notice_of


@pytest.mark.parametrize("why", Why)
def test_every_refusal_says_what_to_do_in_both_languages(why: Why) -> None:
    said = {}
    for language in ("en", "pt-br"):
        with override(language):
            said[language] = refusal(ExtractionError(why))
    assert said["en"] != said["pt-br"]
    for sentence in said.values():
        matter, _colon, advice = sentence.partition(": ")
        assert matter
        assert advice.endswith("."), sentence


@pytest.mark.parametrize("about", [about for about in About if about is not About.SENTENCE])
@pytest.mark.parametrize("names", [[], ["1"], ['"a, b"', "[é]", "\\"], [str(n) for n in range(40)]])
def test_every_notice_comes_back_from_where_it_is_kept_and_is_said_in_both_languages(
    about: About, names: list[str]
) -> None:
    notice = naming(about, names)
    assert notice_of(notice.kept()) == notice
    said = set()
    for language in ("en", "pt-br"):
        with override(language):
            said.add(warning(notice).text)
    assert len(said) == 2


@pytest.mark.parametrize(
    "kept", ["", "[", "Outra coisa.", "Páginas sem texto (em branco ou digitalizadas): 1 e outras."]
)
def test_a_sentence_of_an_earlier_release_is_shown_as_it_was(kept: str) -> None:
    said = warning(notice_of(kept))
    assert (said.text, said.language) == (kept, "pt-br")
