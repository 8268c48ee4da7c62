"""`python -m kbportal.embedded.elasticsearch up|down`: what `make elasticsearch` calls."""

from __future__ import annotations

import sys
from pathlib import Path

from kbportal.embedded.elasticsearch.background import become_node, down, up
from kbportal.embedded.elasticsearch.home import CannotBuild
from kbportal.embedded.elasticsearch.node import NotStarted
from kbportal.embedded.paths import instance


def main(arguments: list[str]) -> int:
    folder = instance().elasticsearch
    try:
        match arguments:
            case ["up"]:
                up(folder)
            case ["down"]:
                print("Stopped." if down(folder) else "Nothing runs.")
            case ["node", where, home]:
                become_node(Path(where), Path(home))
            case _:
                raise CannotBuild(f"{' '.join(arguments)!r} is not one of up, down")
    except (CannotBuild, NotStarted) as error:
        print(error, file=sys.stderr)
        return 2
    except PermissionError as error:
        print(f"Cannot write {error.filename}: run as its owner, or set another KB_VAR.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nInterrupted: `make elasticsearch` goes on from here.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
