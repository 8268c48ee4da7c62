"""The example of docs/import.md is a manifest that goes in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from documents.search import check
from governance.importing.plan import Refusal
from tests.governance.importing.folder import TEXT, run, states

DOC = (Path(__file__).parents[3] / "docs" / "import.md").read_text(encoding="utf-8")


@pytest.mark.django_db
def test_the_example_goes_in(tmp_path: Path) -> None:
    example = re.search(r"```yaml\n(.*?)```", DOC, re.DOTALL)
    assert example is not None
    (tmp_path / "corpus.yaml").write_text(example[1], encoding="utf-8")
    for document in yaml.safe_load(example[1])["documents"]:
        for number, revision in enumerate(document["revisions"]):
            (tmp_path / revision["file"]).write_text(TEXT.format(hours=number), encoding="utf-8")
    result = run(tmp_path)
    assert (result.status, result.counts) == (0, (4, 0, 0, 0)), result.stderr
    assert states("ops-cd-sp") == {"v2": "published", "v3": "published", "v4": "draft"}


def test_every_kind_of_drift_and_refusal_is_described() -> None:
    kinds = {value for name, value in vars(check).items() if name.isupper() and isinstance(value, str)}
    assert len(kinds) == 11
    assert all(f"`{kind}`" in DOC for kind in kinds)
    assert len(Refusal) == 4, "the table of changes tells of each"
