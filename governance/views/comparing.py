"""Two revisions of one document side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from documents.rules.difference import Edition as EditionText
from documents.rules.difference import Fate, SectionChange, difference
from documents.rules.linewise import Change, LineChange
from governance.permissions import readable_revisions
from governance.views.held import Edition, Held, hold, page
from governance.workbench import edition

FOLDED = 4
"""Unchanged lines or rows in a row from which a changed section folds them away."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of a section that are all unchanged, and then may be folded, or a change with what is next to it."""

    folded: bool
    changes: Sequence[Change]


@dataclass(frozen=True, slots=True)
class ShownChange:
    section: SectionChange
    level: int
    stretches: Sequence[Stretch]


@dataclass(frozen=True, slots=True)
class ShownGroup:
    """Neighbouring sections that are all unchanged, or one that is not."""

    same: bool
    changes: Sequence[ShownChange]


@page
def comparison(request: HttpRequest, code: str) -> HttpResponse:
    """`?de=LABEL&para=LABEL`. Without them: the revision in force, or the latest, with the one before it."""
    held = hold(request, code)
    to = held.edition(request.GET["para"]) if request.GET.get("para") else held.current or _latest(held)
    since = held.edition(request.GET["de"]) if request.GET.get("de") else to and (held.before(to) or to)
    context: dict[str, object] = {"held": held, "document": held.document, "since": since, "to": to}
    if since is not None and to is not None and since is not to:
        changes = difference(*_texts(held, since, to))
        fates = Counter(str(change.fate) for change in changes)
        context |= {"groups": list(_groups(changes)), "counts": fates, "differs": _differs(changes)}
        context |= {"moved": sum(change.moved for change in changes)}
    return render(request, "documents/compare.html", context)


def _latest(held: Held) -> Edition | None:
    return held.editions[0] if held.editions else None


def _differs(changes: Sequence[SectionChange]) -> bool:
    return any(change.moved or change.fate is not Fate.SAME for change in changes)


def _texts(held: Held, *editions: Edition) -> Iterator[EditionText]:
    """The texts are asked for again by the rule: between two queries a permission may end."""
    wanted = [one.revision.pk for one in editions]
    readable = readable_revisions(held.reader, held.today).filter(pk__in=wanted).prefetch_related("sections")
    found = {revision.pk: revision for revision in readable}
    if len(found) < len(set(wanted)):
        raise Http404
    yield from (edition(found[pk]) for pk in wanted)


def _groups(changes: Sequence[SectionChange]) -> Iterator[ShownGroup]:
    for same, group in groupby(changes, lambda change: change.fate is Fate.SAME and not change.moved):
        shown = [_shown(change) for change in group]
        if same:
            yield ShownGroup(True, shown)
        else:
            yield from (ShownGroup(False, [each]) for each in shown)


def _shown(change: SectionChange) -> ShownChange:
    whole = change.fate in (Fate.SAME, Fate.ADDED, Fate.REMOVED)
    stretches = [Stretch(False, change.changes)] if whole else list(_stretches(change.changes))
    return ShownChange(change, min(max(change.level, 1) + 1, 6), stretches)


def _stretches(changes: Sequence[Change]) -> Iterator[Stretch]:
    for changed, group in groupby(changes, lambda change: change.changed):
        held = list(group)
        size = sum(1 if isinstance(change, LineChange) else len(change.rows) for change in held)
        yield Stretch(not changed and size >= FOLDED, held)
