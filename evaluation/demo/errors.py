"""What goes wrong with a source, said so that its writer can find it."""

from __future__ import annotations

from pathlib import Path


class SourceError(ValueError):
    """A source file that can't be built. The message starts with `file:line:` (or `file:` where no line applies)."""

    def __init__(self, path: Path, line: int | None, problem: str) -> None:
        self.path, self.line, self.problem = path, line, problem
        place = f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}: {problem}")
