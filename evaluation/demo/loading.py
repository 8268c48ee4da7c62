"""The sources of the demo corpus: `base.yaml`, and a folder a document."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from evaluation.demo.errors import SourceError
from evaluation.demo.render import RENDERERS
from evaluation.demo.render.sheet import Sheet

Manifest = dict[str, Any]  # as YAML gives it; its judge is the import, not this builder


@dataclass(frozen=True, slots=True)
class Output:
    """One file to write: where it goes below the target, its format, its source and what its pages say."""

    place: str
    format: str
    source: Path
    sheet: Sheet

    def fingerprint(self, renderer: str) -> str:
        """Changes with anything that could change the file: its text, its sheet, the code that renders it."""
        parts = (renderer, self.format, repr(self.sheet), self.source.read_text(encoding="utf-8"))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def load_yaml(path: Path) -> Manifest:
    """A YAML mapping. Raises `SourceError` with the line that YAML complains of."""
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SourceError(path, None, f"can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SourceError(path, None, "is not UTF-8") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise SourceError(path, line, f"not valid YAML: {error.problem}") from error
    if not isinstance(value, dict):
        raise SourceError(path, 1, "must be a mapping of keys")
    return value


def load_document(path: Path, company: str, areas: Mapping[str, str]) -> tuple[Manifest, list[Output]]:
    """The manifest's entry of one `document.yaml` and the files that it needs. Raises `SourceError`."""
    document = load_yaml(path)
    for key in ("code", "title", "kind", "area", "revisions"):
        if not document.get(key):
            raise SourceError(path, None, f"needs {key!r}")
    code, area = document["code"], document["area"]
    if code != path.parent.name:
        raise SourceError(path, None, f"code {code!r} is not the name of its folder")
    if area not in areas:
        raise SourceError(path, None, f"area {area!r} is not in base.yaml")
    outputs: list[Output] = []
    revisions = []
    for revision in document["revisions"]:
        label, kind = revision.get("label"), revision.get("format")
        if not isinstance(label, str) or not label:
            raise SourceError(path, None, f"label {label!r} must be text; put it in quotes")
        if kind not in RENDERERS:
            raise SourceError(path, None, f"revision {label}: unknown format {kind!r}; one of {', '.join(RENDERERS)}")
        source = path.parent / f"{label}.md"
        if not source.is_file():
            raise SourceError(source, None, "is missing")
        dated = revision.get("valid_from")
        sheet = Sheet(
            company=company,
            code=code,
            label=label,
            kind=document["kind"],
            area=areas[area],
            classification=document.get("classification", "internal"),
            dated=dated if isinstance(dated, date) else None,
        )
        outputs.append(Output(f"{area}/{code}-{label}.{kind}", kind, source, sheet))
        rest = {key: value for key, value in revision.items() if key not in ("label", "format")}
        revisions.append({"label": label, "file": outputs[-1].place, **rest})
    return {**document, "revisions": revisions}, outputs
