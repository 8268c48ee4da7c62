"""What changes who may read and is no action of ours: grants by guardian's own functions; groups that are renamed or
deleted; people who are deleted. An audience key is made of them, so it is made anew, and the index follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import transaction

from documents.access import refresh_audience
from documents.batches import in_parts
from documents.models import Document, Propagation
from governance.actions._converge import converge_index

AT_ONCE = 500
"""Documents whose readers are looked up at once."""

_converges: ContextVar[bool] = ContextVar("converges", default=False)


@contextmanager
def converging() -> Iterator[None]:
    """Inside, grants change by an action, which converges when it has changed them all."""
    token = _converges.set(True)
    try:
        yield
    finally:
        _converges.reset(token)


def follow(document_ids: Iterable[int]) -> None:
    """Converge those of these documents whose audience is not what their key says."""
    if _converges.get():
        return
    for part in in_parts(sorted(set(document_ids)), AT_ONCE):
        with transaction.atomic():
            documents = list(Document.objects.select_for_update(no_key=True).filter(pk__in=part).order_by("pk"))
            if changed := refresh_audience(documents):
                converge_index(changed, Propagation.Action.READERS)
