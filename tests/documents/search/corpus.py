"""A small corpus in the tables, and what its readers find of it through the index."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings

from documents import corpus
from documents.embedders import hashing
from documents.models import Document, Revision
from documents.reader import reader_of
from documents.rules.types import Corpus, Reader
from documents.search import active
from documents.search.base import Entry, Filter, Query
from documents.search.postgres import Engine
from tests import factories

TODAY = date(2026, 11, 30)
JAN, JUN, NEXT = date(2026, 1, 1), date(2026, 6, 1), date(2027, 1, 1)
QUESTION = "prazo de separação"


@dataclass
class Shelf:
    """A manual of two revisions, a policy for HR alone and a draft, with people to read them."""

    owner: User = field(default_factory=lambda: factories.person("ana"))
    employee: User = field(default_factory=lambda: factories.person("joao"))
    hr: User = field(default_factory=lambda: factories.person("maria", groups=["rh"]))

    @cached_property
    def manual(self) -> Document:
        return factories.document("manual", owner=self.owner, readers=["group:todos"], title="Manual de operação")

    @cached_property
    def payroll(self) -> Document:
        return factories.document("folha", owner=self.hr, readers=["group:rh"], title="Folha")

    def fill(self) -> Shelf:
        self.old = factories.revision(self.manual, "v1", state="published", start=JAN, until=JUN, text=_text("seis"))
        self.new = factories.revision(self.manual, "v2", state="published", start=JUN, text=_text("quatro"))
        self.secret = factories.revision(self.payroll, "v1", state="published", start=JAN, text=_text("dez"))
        self.draft = factories.revision(self.manual, "v3", text=_text("duas"))
        return self


def _text(hours: str) -> str:
    return f"1. Prazos\nO prazo de separação é de {hours} horas úteis. Pedidos urgentes seguem outra regra.\n"


def found(user: User, question: str = QUESTION, on: date = TODAY, today: date = TODAY) -> set[str]:
    """The revisions that the index alone lets this person find, by either half."""
    version, reader = corpus.index_version(), reader_of(user)
    query = Query(question, active.embedder_of(version).query(question))
    asked = Filter(corpus.audiences(reader), on, today, reader.reads_history, Corpus.OFFICIAL)
    lists = active.engine().search(version.pk, query, [asked], 50)[0]
    chunks = {hit.chunk_id for hit in (*lists.lexical, *lists.vector)}
    rows = Revision.objects.filter(chunks__in=chunks).select_related("document")
    return {str(revision) for revision in rows}


def reasons(user: User, revisions: Sequence[Revision], on: date = TODAY, today: date = TODAY) -> dict[str, str]:
    """What the check against the tables says of each revision, whatever the index holds."""
    reader: Reader = reader_of(user)
    chunks = [chunk for revision in revisions for chunk in revision.chunks.values_list("pk", flat=True)]
    loaded = corpus.load(corpus.index_version(), chunks, reader, on, today)
    return {f"{one.passage.document}@{one.passage.revision}": str(one.reason) for one in loaded}


class CountingEmbedder(hashing.Embedder):
    """The hashing embedder, counting the texts that reach it."""

    texts: list[str] = []

    def passages(self, texts: Sequence[str]) -> object:
        CountingEmbedder.texts.extend(texts)
        return super().passages(texts)


class CountingEngine(Engine):
    """The embedded engine, counting the entries written and refiltered."""

    put_entries: list[Entry] = []
    refiltered: list[Entry] = []

    def put(self, version: int, entries: Sequence[Entry], revisions: object) -> None:
        CountingEngine.put_entries.extend(entries)
        super().put(version, entries, revisions)

    def refilter(self, version: int, entries: Sequence[Entry]) -> None:
        CountingEngine.refiltered.extend(entries)
        super().refilter(version, entries)


@dataclass(frozen=True)
class Work:
    """What a block of code made the model and the engine do."""

    texts: list[str]
    put: list[Entry]
    refiltered: list[Entry]

    @property
    def nothing(self) -> bool:
        return not (self.texts or self.put or self.refiltered)


@contextmanager
def counting() -> Iterator[Callable[[], Work]]:
    """Inside, the returned function tells what has been done since it was last asked."""
    parts = {
        "embedder": {"BACKEND": "tests.documents.search.corpus.CountingEmbedder"},
        "engine": {"BACKEND": "tests.documents.search.corpus.CountingEngine"},
    }
    lists = (CountingEmbedder.texts, CountingEngine.put_entries, CountingEngine.refiltered)

    def since() -> Work:
        work = Work(*(list(one) for one in lists))
        for one in lists:
            one.clear()
        return work

    with override_settings(KB_BACKENDS=settings.KB_BACKENDS | parts):
        since()
        yield since
