"""Build the demo corpus: `python -m evaluation.demo.build DIR` writes `DIR/corpus.yaml` and the files that it names.

Sources are `base.yaml` (people, areas, units, glossary, channels, precedence, relations, and the company's name) and,
a document, `sources/<code>/document.yaml` with one `<label>.md` a revision. A revision says `format:` where a manifest
says `file:`; everything else of the manifest is passed on as it is written, for the import to judge.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

import yaml

from evaluation.demo.errors import SourceError
from evaluation.demo.loading import Manifest, Output, load_document, load_yaml
from evaluation.demo.render import RENDERERS
from evaluation.demo.render.markdown_model import parse

HERE = Path(__file__).parent
STAMP = ".built.json"


def build(target: Path, sources: Path = HERE) -> Path:
    """Write the corpus below `target` and return that folder, ready for `import_corpus`.

    The same sources give the same bytes. Files already up to date are left alone, and files that an earlier build
    made and this one does not are removed. Raises `SourceError`, naming file and line, before anything is written
    for sources whose structure is wrong; a text that can't be rendered stops the build at its file.
    """
    base = load_yaml(sources / "base.yaml")
    company = base.pop("company", None)
    if not isinstance(company, dict) or not isinstance(company.get("name"), str):
        raise SourceError(sources / "base.yaml", None, "needs 'company: {name: …}'")
    areas = {area["slug"]: area["name"] for area in base.get("areas", [])}
    documents: list[Manifest] = []
    outputs: list[Output] = []
    for path in sorted((sources / "sources").glob("*/document.yaml")):
        document, files = load_document(path, company["name"], areas)
        documents.append(document)
        outputs += files
    target.mkdir(parents=True, exist_ok=True)
    _write_files(target, outputs)
    manifest = {**{key: base[key] for key in base if key != "relations"}, "documents": documents}
    manifest["relations"] = base.get("relations", [])
    text = yaml.safe_dump(manifest, allow_unicode=True, sort_keys=False, width=120)
    _write(target / "corpus.yaml", text.encode())
    return target


def _write_files(target: Path, outputs: list[Output]) -> None:
    stamps = _stamps(target)
    renderer = _renderer_fingerprint()
    written: dict[str, dict[str, str]] = {}
    for output in outputs:
        path = target / output.place
        fingerprint = output.fingerprint(renderer)
        known = stamps.get(output.place, {})
        if known.get("source") == fingerprint and path.is_file() and _digest(path.read_bytes()) == known.get("file"):
            written[output.place] = known
            continue
        document = parse(output.source.read_text(encoding="utf-8"), output.source)
        data = RENDERERS[output.format](document, output.sheet)
        _write(path, data)
        written[output.place] = {"source": fingerprint, "file": _digest(data)}
    for place in stamps.keys() - written.keys():
        (target / place).unlink(missing_ok=True)
    _write(target / STAMP, json.dumps(written, indent=1, sort_keys=True).encode())


def _stamps(target: Path) -> dict[str, dict[str, str]]:
    """What the last build wrote; nothing if there was none or its note was cut short."""
    try:
        value = json.loads((target / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _renderer_fingerprint() -> str:
    modules = sorted((HERE / "render").glob("*.py"))
    return _digest(b"".join(module.read_bytes() for module in modules))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write(path: Path, data: bytes) -> None:
    """Replace a file whole, so that a build cut short leaves no half of one; leave an equal one alone."""
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    beside.write_bytes(data)
    beside.replace(path)


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 done, 2 a source is wrong (one line on standard error says which and where)."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.demo.build", description="Build the demo corpus.")
    parser.add_argument("target", type=Path, help="folder to write corpus.yaml and its files to")
    try:
        target = build(parser.parse_args(arguments).target)
    except SourceError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{target / 'corpus.yaml'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
