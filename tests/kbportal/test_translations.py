"""The tool that keeps catalogs whole."""

from __future__ import annotations

import gettext
from pathlib import Path

import polib
import pytest

from kbportal.translations import Message, bring_in_line, compile_catalogs, messages_in_use, problems

WANTED = {Message("Sign in"), Message("%(n)d passage", "%(n)d passages"), Message("May", context="month")}


def entry(text: str, translation: str, context: str | None = None, **more: object) -> polib.POEntry:
    return polib.POEntry(msgid=text, msgstr=translation, msgctxt=context, **more)


@pytest.fixture
def whole() -> polib.POFile:
    catalog = polib.POFile()
    plural = {0: "%(n)d trecho", 1: "%(n)d trechos"}
    catalog.append(entry("Sign in", "Entrar"))
    catalog.append(entry("%(n)d passage", "", msgid_plural="%(n)d passages", msgstr_plural=plural))
    catalog.append(entry("May", "maio", context="month"))
    return catalog


def test_a_whole_catalog_has_no_problems_and_does_not_change(whole: polib.POFile) -> None:
    assert problems(whole, WANTED) == []
    again = bring_in_line(whole, WANTED)
    assert {(one.msgid, one.msgstr, str(one.msgstr_plural)) for one in again} == {
        (one.msgid, one.msgstr, str(one.msgstr_plural)) for one in whole
    }


def test_every_gap_is_named(whole: polib.POFile) -> None:
    whole.append(entry("Gone", "Foi"))
    whole[0].msgstr = ""
    whole[1].msgstr_plural = {0: "%(n)d trecho", 1: "%(outro)d trechos"}
    found = problems(whole, WANTED | {Message("New")})
    assert [line.split(":")[0] for line in found] == [
        "missing",
        "not translated",
        "other placeholders",
        "no longer used",
    ]


def test_bringing_in_line_adds_what_is_new_and_drops_what_is_gone(whole: polib.POFile) -> None:
    again = bring_in_line(whole, {Message("Sign in"), Message("New")})
    assert {one.msgid: one.msgstr for one in again} == {"Sign in": "Entrar", "New": ""}


def test_strings_are_found_in_code_and_in_templates() -> None:
    texts = {message.text for message in messages_in_use()}
    assert "Administration" in texts  # kbportal/admin.py
    assert "Sign in" in texts  # templates/registration/login.html


def test_a_catalog_is_compiled_when_its_source_is_newer(tmp_path: Path, whole: polib.POFile) -> None:
    folder = tmp_path / "pt_BR" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    whole.save(str(folder / "django.po"))
    assert [path.name for path in compile_catalogs(tmp_path)] == ["django.mo"]
    assert compile_catalogs(tmp_path) == []
    with (folder / "django.mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Sign in") == "Entrar"
