"""YAML values with places: every value knows its line, and every problem is told at once with it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import TypeVar

import yaml
from django.utils.translation import gettext as _

Choice = TypeVar("Choice", bound=StrEnum)

MAX_ENTRIES = 100_000
"""An alias can repeat a long list many times over: what it comes to is bounded."""
LINE = 300
"""Characters of a value that says nothing else."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


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
    """One file being read: its name, the problems found so far, how many entries it had."""

    file: str
    problems: list[Problem] = field(default_factory=list)
    entries: int = 0

    @property
    def overflowed(self) -> bool:
        return self.entries > MAX_ENTRIES

    def problem(self, line: int, message: str) -> None:
        """The message may quote what was read: what no table takes is shown as a sign of its own."""
        self.problems.append(Problem(self.file, line, _CONTROL.sub("\N{REPLACEMENT CHARACTER}", message)))


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
            reading.problem(self.line, f"{what}: " + _("expected keys with values"))
            return
        for key_node, value in node.value:
            self._keep(key_node, value)

    def line_of(self, key: str) -> int:
        return self._lines.get(key, self.line)

    def problem(self, key: str, message: str) -> None:
        """Tell what is wrong with the value of `key`."""
        self._reading.problem(self.line_of(key), f"{self._what}: {message}")

    def text(self, key: str, default: str | None = None, most: int = LINE) -> str:
        """A text of at most `most` characters; the default where it is absent, which without a default is wrong."""
        node = self._take(key)
        if node is None:
            if default is None:
                self.problem(key, _("the key `%(key)s` is missing") % {"key": key})
            return default or ""
        empty = isinstance(node, yaml.ScalarNode) and not node.value.strip()
        if not isinstance(node, yaml.ScalarNode) or (empty and default is None):
            self.problem(key, _("`%(key)s` must be a text") % {"key": key})
        if empty or not isinstance(node, yaml.ScalarNode):
            return default or ""
        return self._fitting(key, str(node.value), most)

    def choice(self, key: str, choices: type[Choice], default: Choice | None = None) -> Choice:
        value = self.text(key, str(default) if default is not None else None)
        try:
            return choices(value)
        except ValueError:
            if value:
                told = {"entry": f"{key}: {value}", "known": ", ".join(choices)}
                self.problem(key, _("`%(entry)s` is not one of %(known)s") % told)
            return default or next(iter(choices))

    def day(self, key: str) -> date | None:
        node = self._take(key)
        if node is None:
            return None
        try:
            if isinstance(node, yaml.ScalarNode) and _DAY.fullmatch(node.value):
                return date.fromisoformat(node.value)
        except ValueError:
            pass
        self.problem(key, _("`%(key)s` must be a date such as 2026-03-01") % {"key": key})
        return None

    def texts(self, key: str, most: int = LINE) -> tuple[str, ...]:
        """A list of texts; one text alone is a list of one."""
        node = self._take(key)
        if node is None:
            return ()
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        if not all(isinstance(n, yaml.ScalarNode) and not is_null(n) and n.value.strip() for n in nodes):
            self.problem(key, _("`%(key)s` must be a list of texts") % {"key": key})
            return ()
        return tuple(self._fitting(key, str(item.value), most) for item in nodes)

    def mapping(self, key: str) -> Mapping | None:
        node = self._take(key)
        return None if node is None else Mapping(node, self._reading, f"{self._what}, {key}")

    def mappings(self, key: str) -> list[Mapping]:
        """A list of mappings; what is none in it is told and left out."""
        node = self._take(key)
        if node is None:
            return []
        if not isinstance(node, yaml.SequenceNode):
            self.problem(key, _("`%(key)s` must be a list") % {"key": key})
            return []
        told = self._reading.overflowed
        self._reading.entries += len(node.value)
        if self._reading.overflowed:
            if not told:
                self.problem(key, _("more than %(most)d entries: an alias may repeat itself") % {"most": MAX_ENTRIES})
            return []
        found = [Mapping(item, self._reading, key) for item in node.value]
        return [one for one, item in zip(found, node.value, strict=True) if isinstance(item, yaml.MappingNode)]

    def name(self, what: str) -> Mapping:
        """Call this mapping by what identifies it, in the problems told from now on."""
        self._what = what
        return self

    def done(self) -> None:
        for key in self._values.keys() - self._asked:
            if key == "<<":
                self.problem(key, _("merge keys (`<<`) are not supported: write the keys out"))
            else:
                told = {"key": key, "known": ", ".join(sorted(self._asked))}
                self.problem(key, _("unknown key `%(key)s`; known here: %(known)s") % told)

    def _keep(self, key_node: yaml.Node, value: yaml.Node) -> None:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            self._reading.problem(line, f"{self._what}: " + _("a key must be a text"))
            return
        key = str(key_node.value)
        if key in self._values:
            self._reading.problem(line, f"{self._what}: " + _("the key `%(key)s` is given twice") % {"key": key})
        self._values[key], self._lines[key] = value, line

    def _take(self, key: str) -> yaml.Node | None:
        self._asked.add(key)
        node = self._values.get(key)
        return None if node is None or is_null(node) else node

    def _fitting(self, key: str, value: str, most: int) -> str:
        value = value.strip()
        if len(value) > most:
            told = {"key": key, "n": len(value), "most": most}
            self.problem(key, _("`%(key)s` has %(n)d characters, at most %(most)d fit") % told)
        if _CONTROL.search(value):
            self.problem(key, _("`%(key)s` has control characters") % {"key": key})
        return value


def is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"
