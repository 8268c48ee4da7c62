"""A YAML file as a mapping with places, or the problem why it is none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import yaml

from governance.importing.schema import Mapping, Reading, is_null

# Written in C it is several times faster, and it refuses a nesting that would exhaust the stack.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MAX_BYTES = 50_000_000


def read_yaml(path: Path, reading: Reading) -> Mapping | None:
    """The file's top mapping, or None with the problem told: unreadable, not UTF-8, not YAML, empty."""
    try:
        if path.stat().st_size > MAX_BYTES:
            reading.problem(1, f"the file is larger than {MAX_BYTES // 1_000_000} MB")
            return None
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
        node = yaml.compose(text, Loader=LOADER)
    except FileNotFoundError:
        reading.problem(1, f"there is no such file; a corpus folder holds a {reading.file}")
    except OSError as error:
        reading.problem(1, f"the file can't be read: {error.strerror or error}")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        reading.problem(line, "the file is not UTF-8: save it as UTF-8")
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        reading.problem(line, f"not YAML: {' '.join(str(error.problem or error).split())}")
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        reading.problem(line, "not YAML: a character that is not allowed")
    except (yaml.YAMLError, RecursionError) as error:
        reading.problem(1, f"not YAML: {' '.join(str(error).split())}")
    else:
        if node is not None and not is_null(node):
            return Mapping(node, reading, "corpus")
        reading.problem(1, "the file is empty")
    return None


def twice(items: Sequence[tuple[object, int]], what: str, reading: Reading) -> None:
    """Tell each identifier that comes more than once."""
    seen: dict[object, int] = {}
    for name, line in items:
        if name in seen:
            shown = ", ".join(map(str, name)) if isinstance(name, tuple) else name
            reading.problem(line, f"{what} `{shown}` was already given at line {seen[name]}")
        seen.setdefault(name, line)
