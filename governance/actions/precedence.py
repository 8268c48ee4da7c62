"""Precedence rules are set here, by those who answer for one of the two texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import connection, transaction
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils.translation import gettext as _

from documents.models import Document
from documents.reader import reader_of
from documents.rules.types import Window
from governance import audit
from governance.actions._transition import required, window_of
from governance.errors import Conflict, EmptyWindow, Forbidden, Invalid, NotFound, PrecedenceCycle, StartRequired
from governance.models import PrecedenceRule, Verb
from governance.permissions import may
from governance.rules.moves import Duty
from governance.rules.precedence import PrecedenceFact, PrecedenceKind, cycles

RULES_LOCK = 0x6B625F7072656365


@dataclass(frozen=True, slots=True)
class RuleData:
    """`prevails` over `over` within `validity`, except in these units and jurisdictions, where it turns."""

    prevails: Document
    over: Document
    owner: AbstractBaseUser
    kind: PrecedenceKind
    validity: Window
    except_units: Sequence[str] = ()
    except_jurisdictions: Sequence[str] = ()


def create_rule(data: RuleData, *, actor: AbstractBaseUser, reason: str) -> PrecedenceRule:
    """Raises `Forbidden`, `PrecedenceCycle`, `Conflict` (the pair has a rule in that period), `Invalid`."""
    reason = required(reason)
    with _changing(data, actor):
        rule = PrecedenceRule()
        _store(rule, data, reason)
        _record(Verb.PRECEDENCE_CREATED, rule, {}, actor, reason)
    return rule


def change_rule(rule_id: int, data: RuleData, *, actor: AbstractBaseUser, reason: str) -> bool:
    """Replace a rule; to end one, give its window an end. Whether anything changed."""
    reason = required(reason)
    with _changing(data, actor):
        rule = PrecedenceRule.objects.select_related("prevails__area", "over__area").filter(pk=rule_id).first()
        if rule is None:
            raise NotFound(_("There is no such rule."))
        _check(actor, rule.prevails, rule.over)
        before = _facts(rule)
        if before == _facts(_filled(PrecedenceRule(), data, reason)):
            return False
        _store(rule, data, reason)
        _record(Verb.PRECEDENCE_CHANGED, rule, before, actor, reason)
    return True


def data_of(rule: PrecedenceRule) -> RuleData:
    return RuleData(
        prevails=rule.prevails,
        over=rule.over,
        owner=rule.owner,
        kind=PrecedenceKind(rule.kind),
        validity=window_of(rule.validity),
        except_units=tuple(rule.except_units),
        except_jurisdictions=tuple(rule.except_jurisdictions),
    )


@contextmanager
def _changing(data: RuleData, actor: AbstractBaseUser) -> Iterator[None]:
    """One change of rules at a time: a cycle is a property of them all."""
    if data.prevails == data.over:
        raise Invalid(_("A document cannot prevail over itself."))
    if data.validity.start is None:
        raise StartRequired(_("Say from which day it is in force."))
    if data.validity.empty:
        raise EmptyWindow(_("It would end before it begins. Choose an earlier start."))
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [RULES_LOCK])
        _check(actor, data.prevails, data.over)
        yield


def _check(actor: AbstractBaseUser, prevails: Document, over: Document) -> None:
    person = reader_of(actor)
    if not any(may(person, document, Duty.MANAGE) for document in (prevails, over)):
        raise Forbidden(_("Only the owner or an area approver of one of the two documents may say which prevails."))


def _store(rule: PrecedenceRule, data: RuleData, reason: str) -> None:
    others = PrecedenceRule.objects.exclude(pk=rule.pk)
    _filled(rule, data, reason)
    same_pair = others.filter(prevails=data.prevails, over=data.over, validity__overlap=rule.validity).first()
    if same_pair is not None:
        raise Conflict(_("These two documents already have a rule in that period: change it instead."))
    fact = PrecedenceFact(0, data.prevails.code, data.over.code, data.kind, data.validity)
    knots = cycles([*others.facts(), replace(fact, id=rule.pk or 0)])
    if knots:
        codes = ", ".join(knots[0])
        raise PrecedenceCycle(_("With this rule they prevail over one another: %(codes)s.") % {"codes": codes})
    rule.save()


def _filled(rule: PrecedenceRule, data: RuleData, reason: str) -> PrecedenceRule:
    rule.prevails, rule.over, rule.owner_id = data.prevails, data.over, data.owner.pk
    rule.kind, rule.reason = data.kind.value, reason
    rule.validity = DateRange(data.validity.start, data.validity.until, "[)")
    rule.except_units, rule.except_jurisdictions = list(data.except_units), list(data.except_jurisdictions)
    return rule


def _record(
    verb: Verb, rule: PrecedenceRule, before: dict[str, audit.Value], actor: AbstractBaseUser, reason: str
) -> None:
    audit.record(verb, actor=actor, target=f"precedence:{rule.pk}", before=before, after=_facts(rule), reason=reason)


def _facts(rule: PrecedenceRule) -> dict[str, audit.Value]:
    window = window_of(rule.validity)
    return {
        "prevails": rule.prevails.code,
        "over": rule.over.code,
        "kind": rule.kind,
        "owner": audit.key_of(rule.owner_id),
        "except_units": list(rule.except_units),
        "except_jurisdictions": list(rule.except_jurisdictions),
        "reason": rule.reason,
        "valid_from": window.start.isoformat() if window.start else None,
        "valid_until": window.until.isoformat() if window.until else None,
    }
