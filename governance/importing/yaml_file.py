"""A YAML file as a mapping with places, or the problem why it is none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import yaml
from django.utils.translation import gettext as _

from governance.importing.schema import Mapping, Reading, is_null

# Written in C it is several times faster, and it refuses a nesting that would exhaust the stack.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MAX_BYTES = 50_000_000


def read_yaml(path: Path, reading: Reading) -> Mapping | None:
    """The file's top mapping, or None with the problem told: unreadable, not UTF-8, not YAML, empty."""
    try:
        if path.stat().st_size > MAX_BYTES:
            reading.problem(1, _("the file is larger than %(most)d MB") % {"most": MAX_BYTES // 1_000_000})
            return None
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
        node = yaml.compose(text, Loader=LOADER)
    except FileNotFoundError:
        reading.problem(1, _("there is no such file; a corpus folder holds a %(file)s") % {"file": reading.file})
    except OSError as error:
        reading.problem(1, _("the file can't be read: %(why)s") % {"why": error.strerror or error})
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        reading.problem(line, _("the file is not UTF-8: save it as UTF-8"))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        reading.problem(line, _not_yaml(error.problem or error))
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        reading.problem(line, _("not YAML: a character that is not allowed"))
    except (yaml.YAMLError, RecursionError) as error:
        reading.problem(1, _not_yaml(error))
    else:
        if node is not None and not is_null(node):
            return Mapping(node, reading, "corpus")
        reading.problem(1, _("the file is empty"))
    return None


def _not_yaml(why: object) -> str:
    return _("not YAML: %(why)s") % {"why": " ".join(str(why).split())}


def twice(items: Sequence[tuple[object, int]], what: str, reading: Reading) -> None:
    """Tell each identifier that comes more than once."""
    seen: dict[object, int] = {}
    for name, line in items:
        if name in seen:
            shown = ", ".join(map(str, name)) if isinstance(name, tuple) else name
            told = {"what": what, "name": shown, "line": seen[name]}
            reading.problem(line, _("%(what)s `%(name)s` was already given at line %(line)d") % told)
        seen.setdefault(name, line)
