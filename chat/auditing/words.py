"""The codes of a record in words. A code that is new and has no words yet is shown as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Words = Mapping[str, "StrOrPromise"]

STATUS: Words = {
    "answered": _("answered"),
    "not_found": _("not found"),
    "needs_date": _("needs a date"),
    "conflict": _("conflict"),
    "blocked": _("blocked"),
    "unavailable": _("unavailable"),
}
REASON: Words = {
    "eligible": _("sent to the answer"),
    "no_permission": _("the person may not read the document"),
    "not_yet_in_force": _("not yet in force on that day"),
    "expired": _("its validity had ended"),
    "superseded": _("replaced by a later revision"),
    "retired": _("retired"),
    "draft": _("not approved and published"),
    "no_owner": _("the document has no owner"),
    "out_of_scope": _("holds for other units"),
    "other_jurisdiction": _("holds for other jurisdictions"),
    "duplicate": _("says the same as a better passage"),
    "lower_precedence": _("another document prevails over it"),
    "below_threshold": _("fits the question too little"),
    "budget": _("others fit better, and only the first few are sent"),
    "index_stale": _("the index was behind the tables"),
    "gone": _("no longer in the base"),
    "not_sent": _("came first, but nothing was sent"),
}
WHY_NOT: Words = {
    "date": _("the question is about the past and gives no date"),
    "no_owner": _("the text that fits best has no owner"),
    "permissions_unavailable": _("it could not be checked what the person may read"),
    "passage_not_in_revision": _("a passage was not, to the letter, in its revision"),
    "component_down": _("a part of the portal was down"),
    "no_access": _("the person may read no text at all"),
    "nothing_found": _("the search found nothing among what the person may read"),
    "nothing_allowed": _("the person may read nothing of what the search found"),
    "too_thin": _("what the person may read fits the question too little"),
    "all_refused": _("no claim survived the verification"),
    "nothing_said": _("the passages that fit best gave no claim"),
}
REFUSED: Words = {
    "unknown_passage": _("cites a passage that was not sent"),
    "empty_claim": _("says nothing"),
    "empty_quote": _("quotes nothing"),
    "quote_not_found": _("its quote is not in the passage"),
    "quote_too_short": _("its quote is too short to prove anything"),
    "quote_cuts_meaning": _("its quote is cut so that the meaning turns"),
    "number_not_in_quote": _("has a number that is not in the quote"),
    "number_misplaced": _("puts a number where the quote has another"),
    "unit_changed": _("changes a unit"),
    "date_not_in_quote": _("has a date that is not in the quote"),
    "time_not_in_quote": _("has a time that is not in the quote"),
    "negation_changed": _("changes a negation"),
    "modality_changed": _("changes what must, may or may not be"),
    "qualifier_changed": _("changes a condition, a bound or an exception"),
    "name_not_in_quote": _("has a name that is not in the quote"),
    "name_misplaced": _("puts a name where the quote has another"),
    "words_misplaced": _("turns round what the quote says"),
    "unsupported_words": _("says what the quote does not"),
}
STAGE: Words = {
    "audiences": _("what the person may read"),
    "search": _("found by the search"),
    "recheck": _("allowed by the tables"),
    "rerank": _("chosen for the answer"),
}
CORPUS: Words = {"official": _("official texts"), "wiki": _("wiki"), "minutes": _("meeting minutes")}
STEP: Words = {
    "condense": _("understanding the question"),
    "filter": _("permissions"),
    "rewrite": _("rewriting"),
    "search": _("the search"),
    "rerank": _("ranking"),
    "generate": _("generation"),
    "verify": _("verification"),
    "total": _("total"),
}
VERSION: Words = {
    "rules": _("rules of eligibility and precedence"),
    "index": _("index"),
    "prompt": _("instructions to the model"),
    "verifier": _("verification of quotes"),
    "thresholds": _("refusal thresholds"),
    "embedder": _("vectors"),
    "generator": _("generator"),
    "reranker": _("ranking"),
    "rewriter": _("rewriting"),
}
SIGNAL: Words = {
    "coverage": _("share of the question that the best passage covers"),
    "closeness": _("how much nearer the best sentence is than the language in general"),
    "commonness": _("how near the language in general is"),
    "unknown": _("names, codes and numbers of the question that stand nowhere"),
}
TEMPORAL: Words = {
    "current": _("about today's rule"),
    "past": _("about a rule of the past"),
    "future": _("about a rule to come"),
}


def say(words: Words, code: str) -> str:
    return str(words.get(code, code))
