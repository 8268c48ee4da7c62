"""What reading a file came to is kept as a code and told in the language of who reads it."""

from __future__ import annotations

import pytest
from django.utils import translation

from documents.extractors.base import CODES, ExtractionError, Why
from documents.extractors.codec import dump, load
from documents.extractors.words import Said, refusal, warning
from documents.rules.notices import About, Notice, naming, notice_of
from documents.rules.types import Extraction

OWN = [about for about in About if about is not About.SENTENCE]


def said(notice: Notice, language: str) -> str:
    with translation.override(language):
        return warning(notice).text


@pytest.mark.parametrize("why", Why)
def test_every_reason_says_what_to_do_in_both_languages(why: Why) -> None:
    sentences = []
    for language in ("pt-br", "en"):
        with translation.override(language):
            sentences.append(refusal(ExtractionError(why)))
    assert len(set(sentences)) == 2, sentences
    for sentence in sentences:
        matter, _colon, advice = sentence.partition(": ")
        assert matter
        assert advice.endswith("."), sentence


@pytest.mark.parametrize("about", OWN)
def test_every_warning_is_a_sentence_in_both_languages(about: About) -> None:
    sentences = {said(Notice(about, ("7",), 2), language) for language in ("pt-br", "en")}
    assert len(sentences) == 2, sentences
    assert all(sentence.endswith(".") for sentence in sentences)


def test_the_codes_of_an_import_are_these() -> None:
    codes = {ExtractionError(why).code for why in Why}
    assert codes == {"encrypted", "scanned", "unreadable", "too_large", "timeout", "memory", "unsupported"}
    assert all(str(ExtractionError(why)) == CODES.get(why, why) for why in Why)


@pytest.mark.parametrize("about", About)
def test_a_warning_survives_the_pipe_and_the_table(about: About) -> None:
    notice = Notice(about, ("${a}, b",)) if about is About.SENTENCE else Notice(about, ("${a}", "b"), 3)
    assert notice_of(notice.kept()) == notice
    assert load(dump(Extraction("x", (), warnings=(notice,)))).warnings == (notice,)


def test_many_names_are_counted() -> None:
    notice = naming(About.EMPTY_PAGES, map(str, range(1, 24)))
    assert said(notice, "en").endswith("19, 20 and 3 more.")
    assert said(notice, "pt-br").endswith("19, 20 e mais 3.")


@pytest.mark.parametrize(
    ("kept", "english"),
    [
        ("Páginas sem texto (em branco ou digitalizadas): 2, 7.", "Pages without text (blank or scanned): 2, 7."),
        ("Alguns caracteres do arquivo não puderam ser lidos.", "Some characters of the file could not be read."),
        (
            "O arquivo declara a codificação cp1252, mas está em UTF-8; foi lido como UTF-8.",
            "The file states the encoding cp1252, but is UTF-8; it was read as UTF-8.",
        ),
        (
            "O texto tem campos de modelo não preenchidos: ${nome}, ${cpf} e mais 4.",
            "The text has fields of a template that nobody filled in: ${nome}, ${cpf} and 4 more.",
        ),
    ],
)
def test_what_earlier_releases_kept_is_told_in_both_languages(kept: str, english: str) -> None:
    assert said(notice_of(kept), "en") == english
    assert said(notice_of(kept), "pt-br") == kept


@pytest.mark.parametrize("kept", ["Páginas sem texto (em branco ou digitalizadas): 1, 2 e outras.", "[outra coisa]"])
def test_a_sentence_that_is_not_known_stands_as_it_is(kept: str) -> None:
    assert warning(notice_of(kept)) == Said(kept, "pt-br")
