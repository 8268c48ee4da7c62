"""A set that can't be run here is refused before anything is asked, naming the file and the line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.loading import UnusableSet, load, readers
from tests import factories

CASE = {"id": "a", "question": "?", "as": "ana", "expect": {"status": "not_found"}}


def written(folder: Path, *cases: dict[str, object]) -> Path:
    path = folder / "set.jsonl"
    path.write_text("\n".join(json.dumps(case) for case in cases), encoding="utf-8")
    return path


def test_a_set_is_read_from_its_file(tmp_path: Path):
    assert [case.id for case in load(written(tmp_path, CASE, CASE | {"id": "b"}))] == ["a", "b"]


def test_a_missing_a_broken_and_a_binary_file_are_told_apart(tmp_path: Path):
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b"\xff\xfe\x00")
    for path, said in ((tmp_path / "none", "No such file"), (written(tmp_path, {}), "line 1"), (binary, "utf-8")):
        with pytest.raises(UnusableSet) as caught:
            load(path)
        assert str(path) in str(caught.value)
        assert said in str(caught.value)


@pytest.mark.django_db
def test_each_person_is_a_reader(tmp_path: Path):
    ana = factories.person("ana", groups=["lideranca"])

    (reader,) = readers(load(written(tmp_path, CASE))).values()

    assert reader.user_id == ana.pk
    assert "lideranca" in reader.named_groups


@pytest.mark.django_db
def test_people_whom_the_portal_lacks_or_who_left_are_named_with_their_lines(tmp_path: Path):
    factories.person("ana")
    factories.person("saiu", is_active=False)
    cases = load(written(tmp_path, CASE, CASE | {"id": "b", "as": "saiu"}, CASE | {"id": "c", "as": "nunca"}))

    with pytest.raises(UnusableSet) as caught:
        readers(cases)

    assert str(caught.value) == "line 2: there is no active person 'saiu'; line 3: there is no active person 'nunca'"
