"""Reading YAML with places: every value knows its line, and every problem is told at once with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

import yaml

Choice = TypeVar("Choice", bound=StrEnum)


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """What is wrong, at a line of a file (from 1)."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


@dataclass(slots=True)
class Reading:
    """One file being read: its name and the problems found so far."""

    file: str
    problems: list[Problem] = field(default_factory=list)

    def problem(self, line: int, message: str) -> None:
        self.problems.append(Problem(self.file, line, message))


class Mapping:
    """A YAML mapping with the line of each key. Keys that nobody asked for are problems, told by `done`."""

    def __init__(self, node: yaml.Node, reading: Reading, what: str) -> None:
        self.line = node.start_mark.line + 1
        self._reading = reading
        self._what = what
        self._values: dict[str, yaml.Node] = {}
        self._lines: dict[str, int] = {}
        self._asked: set[str] = set()
        if not isinstance(node, yaml.MappingNode):
            reading.problem(self.line, f"{what}: expected keys with values")
            return
        for key_node, value in node.value:
            key, line = str(key_node.value), key_node.start_mark.line + 1
            if key in self._values:
                reading.problem(line, f"{what}: the key `{key}` is given twice")
            self._values[key], self._lines[key] = value, line

    def line_of(self, key: str) -> int:
        return self._lines.get(key, self.line)

    def has(self, key: str) -> bool:
        return key in self._values and not _is_null(self._values[key])

    def text(self, key: str, default: str | None = None) -> str:
        node = self._take(key)
        if node is None:
            if default is None:
                self._reading.problem(self.line, f"{self._what}: the key `{key}` is missing")
            return default or ""
        if not isinstance(node, yaml.ScalarNode) or not node.value.strip():
            self._reading.problem(self.line_of(key), f"{self._what}: `{key}` must be a text")
            return default or ""
        return str(node.value).strip()

    def choice(self, key: str, choices: type[Choice], default: Choice | None = None) -> Choice:
        value = self.text(key, str(default) if default is not None else None)
        try:
            return choices(value)
        except ValueError:
            if value:
                allowed = ", ".join(choices)
                self._reading.problem(self.line_of(key), f"{self._what}: `{key}: {value}` is not one of {allowed}")
            return default or next(iter(choices))

    def day(self, key: str) -> date | None:
        node = self._take(key)
        if node is None:
            return None
        try:
            return date.fromisoformat(str(node.value))
        except (ValueError, TypeError):
            self._reading.problem(self.line_of(key), f"{self._what}: `{key}` must be a date such as 2026-03-01")
            return None

    def texts(self, key: str) -> tuple[str, ...]:
        node = self._take(key)
        if node is None:
            return ()
        if isinstance(node, yaml.ScalarNode):
            return (str(node.value).strip(),)
        if not isinstance(node, yaml.SequenceNode) or not all(isinstance(n, yaml.ScalarNode) for n in node.value):
            self._reading.problem(self.line_of(key), f"{self._what}: `{key}` must be a list of texts")
            return ()
        return tuple(str(item.value).strip() for item in node.value)

    def mapping(self, key: str) -> Mapping | None:
        node = self._take(key)
        return None if node is None else Mapping(node, self._reading, f"{self._what}, {key}")

    def mappings(self, key: str) -> list[Mapping]:
        node = self._take(key)
        if node is None:
            return []
        if not isinstance(node, yaml.SequenceNode):
            self._reading.problem(self.line_of(key), f"{self._what}: `{key}` must be a list")
            return []
        return [Mapping(item, self._reading, key) for item in node.value]

    def name(self, what: str) -> Mapping:
        """Call this mapping by what identifies it, in the problems told from now on."""
        self._what = what
        return self

    def done(self) -> None:
        for key in self._values.keys() - self._asked:
            known = ", ".join(sorted(self._asked))
            message = f"{self._what}: unknown key `{key}`; known here: {known}"
            self._reading.problem(self.line_of(key), message)

    def _take(self, key: str) -> yaml.Node | None:
        self._asked.add(key)
        node = self._values.get(key)
        return None if node is None or _is_null(node) else node


def read_yaml(path: Path, reading: Reading) -> Mapping | None:
    """The file's top mapping, or None with the problem told: unreadable, not UTF-8, not YAML, empty."""
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except FileNotFoundError:
        reading.problem(1, "the file is missing; a corpus folder holds a corpus.yaml")
    except (OSError, UnicodeDecodeError) as error:
        reading.problem(1, f"the file can't be read: {error}")
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        reading.problem(line, f"not YAML: {error.problem}")
    except (yaml.YAMLError, RecursionError) as error:
        reading.problem(1, f"not YAML: {error}")
    else:
        if node is not None:
            return Mapping(node, reading, "corpus")
        reading.problem(1, "the file is empty")
    return None


def twice(items: Sequence[tuple[str, int]], what: str, reading: Reading) -> None:
    """Tell each identifier that comes more than once."""
    seen: dict[str, int] = {}
    for name, line in items:
        if name in seen:
            reading.problem(line, f"{what} `{name}` was already given at line {seen[name]}")
        seen.setdefault(name, line)


def _is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"
