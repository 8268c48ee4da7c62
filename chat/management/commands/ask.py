from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from chat.rules.types import Turn
from chat.services import Event, ask
from documents.cli import REFUSED, PortalCommand, day, person


class Command(PortalCommand):
    help = "Asks one question as a person, through the very pipeline of the portal, and records it like any other."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--as", dest="username", metavar="USER", required=True)
        parser.add_argument("--on", metavar="DATE", help="ask about the text in force on this day")
        parser.add_argument("--history", type=Path, metavar="FILE", help='earlier turns: [{"role", "text"}]')
        parser.add_argument("--trace", action="store_true", help="show how the answer came about (auditors)")

    def run(self, **options: Any) -> int:
        events = ask(
            person(options["username"]),
            # What is no UTF-8 on the command line comes in halves of characters, which nothing else takes.
            options["question"].encode("utf-8", "replace").decode(),
            on=day(options["on"]) if options["on"] else None,
            history=_history(options["history"]) if options["history"] else (),
            with_trace=options["trace"],
        )
        done: dict[str, Any] = {}
        for event in events:
            done = dict(event.data)
            if not options["json"]:
                self._show(event)
        if options["json"]:
            self.print_json(done)
        return 0

    def _show(self, event: Event) -> None:
        data: dict[str, Any] = dict(event.data)
        if event.name == "status":
            self.progress(f"{data['step']} {data['n']}")
        elif event.name == "claim":
            self.stdout.write(f"• {data['text'].removeprefix('•').lstrip()}")  # an item of a list has its own
            for cited in data["citations"]:
                page = f", p. {cited['page']}" if cited["page"] else ""
                since = f", vigente desde {cited['valid_from']}" if cited["valid_from"] else ""
                self.stdout.write(f"  {cited['title']} {cited['revision']}, {cited['section']}{page}{since}")
                self.stdout.write(f"  {cited['url']}")
        else:
            self._close(data)

    def _close(self, data: dict[str, Any]) -> None:
        if data["status"] != "answered":
            self.stdout.write(SAID[data["status"]])
        if data["missing"] and data["status"] in ("blocked", "unavailable"):
            self.stdout.write(f"  {data['missing']['reason']}")
        for cited in (data["conflict"] or {}).get("sources", []):
            self.stdout.write(f"  {cited['title']} {cited['revision']}: {cited['quote']}")
        for cited in data["related"]:
            self.stdout.write(f"  para ler: {cited['title']}, {cited['section']} {cited['url']}")
        if data["status"] == "not_found" and data["channel"]:
            self.stdout.write(f"  {data['channel']['label']}: {data['channel']['url']}")
        self.stdout.write(f"em {data['on']} · evidência {data['evidence']} · {data['timings_ms']['total']:.0f} ms")
        if "trace" in data:
            self.stdout.write(json.dumps(data["trace"], ensure_ascii=False, indent=2))


SAID = {
    "not_found": "Não encontrei na base.",
    "needs_date": "De que data é a regra que você procura? Pergunte de novo com a data (--on AAAA-MM-DD).",
    "conflict": "Duas fontes vigentes discordam e nenhuma regra decide; os responsáveis foram avisados.",
    "blocked": "Não posso responder com a fonte que encontrei.",
    "unavailable": "O portal não pôde consultar a base agora. Tente de novo em instantes.",
}


def _history(path: Path) -> tuple[Turn, ...]:
    try:
        turns = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(turns, list):
            raise TypeError("not a list")
        return tuple(Turn(_role(turn["role"]), str(turn["text"])) for turn in turns)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=REFUSED) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        message = f'{path}: expected [{{"role": "user"|"assistant", "text": …}}]: {error}'
        raise CommandError(message, returncode=REFUSED) from error


def _role(role: str) -> str:
    if role not in ("user", "assistant"):
        raise ValueError(f"unknown role {role!r}")
    return role
