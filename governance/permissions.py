"""The one place that answers "may this person do that", for one text and for lists.

A person becomes the keys of a `Reader` and nothing more; being a superuser opens no text and allows no move.
"""

from __future__ import annotations

from datetime import date

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from documents.models import Area, Document, GlossaryEntry, Revision
from documents.querysets import DocumentQuerySet, RevisionQuerySet
from documents.reader import reader_of
from documents.rules.lifecycle import Action, allowed_actions
from documents.rules.types import Reader, Role, State
from governance.errors import Forbidden
from governance.models import OwnerTask
from governance.querysets import OwnerTaskQuerySet
from governance.rules.moves import MAY, Capacity, Duty, Refusal, Subject, refusal

SEES_ALL_METADATA = frozenset({Role.AUDITOR, Role.INCIDENTS})


def subject_of(document: Document, revision: Revision | None = None) -> Subject:
    author = revision.author_id if revision is not None else None
    return Subject(owner_id=document.owner_id, author_id=author, area=document.area.slug)


def check(person: Reader, subject: Subject, action: Action | Duty) -> None:
    """Nothing when the person may. Raises `Forbidden` with a sentence that says who may."""
    why = refusal(person, subject, action)
    if why is not None:
        raise Forbidden(_sentence(why, action))


def actions_open_to(person: Reader, revision: Revision) -> tuple[Action, ...]:
    """What this person may do with the revision as it stands now."""
    subject = subject_of(revision.document, revision)
    fitting = allowed_actions(State(revision.state))
    return tuple(action for action in fitting if refusal(person, subject, action) is None)


def may(person: Reader, document: Document, duty: Duty) -> bool:
    return refusal(person, subject_of(document), duty) is None


def may_ever(person: Reader, action: Action) -> bool:
    """Whether there can be any text on which this person may take the action: what a list offers."""
    if MAY[action] == {Capacity.APPROVER}:
        return person.active and bool(_approves(person))
    return person.active


def may_add_documents(person: Reader) -> bool:
    """Whether there is any area in which this person may draft."""
    return person.active and (bool(person.areas) or Role.INDEXER in person.roles)


def may_import(user: AbstractBaseUser, person: Reader) -> bool:
    """Whether the person may send a folder: an administrator a whole corpus, who drafts documents of their own."""
    return person.active and (bool(getattr(user, "is_superuser", False)) or may_add_documents(person))


def configures(user: AbstractBaseUser, person: Reader) -> bool:
    """Whether the person curates the portal's words and channels. That opens no text of a document."""
    return person.active and (Role.PRODUCT in person.roles or bool(getattr(user, "is_superuser", False)))


def kept_areas(person: Reader) -> frozenset[str]:
    """Slugs of the areas whose words and channel the person keeps: of their own areas, those in which they approve
    or own a document. Belonging to an area is not enough, nor is owning a text in somebody else's."""
    if not person.active or not person.areas:
        return frozenset()
    owned = Document.objects.filter(owner_id=person.user_id, area__slug__in=sorted(person.areas)).order_by()
    return _approves(person) | frozenset(owned.values_list("area__slug", flat=True).distinct())


def keeps_words(user: AbstractBaseUser, person: Reader, area: Area | None) -> bool:
    """Whether the person may say what words mean in the area, and where it is asked; None is every area."""
    return configures(user, person) or (area is not None and area.slug in kept_areas(person))


def keeps_term(user: AbstractBaseUser, person: Reader, entry: GlossaryEntry) -> bool:
    """Whether the person may change the entry as it stands; where it moves to is asked of `keeps_words`."""
    owned = entry.owner_id is not None and entry.owner_id == person.user_id
    return person.active and (owned or keeps_words(user, person, entry.area))


def may_see_as(person: Reader, *, manages: bool | None = None) -> bool:
    """Whether the person may look at the portal as another: auditors, and those who answer for some document.

    `manages` says whether the person answers for any, for who has looked that up already.
    """
    if not person.active or Role.AUDITOR in person.roles:
        return person.active
    return managed_documents(person).exists() if manages is None else manages


def managed_documents(person: Reader) -> DocumentQuerySet:
    """Documents that the person owns or approves: the SQL twin of `Duty.MANAGE`."""
    return Document.objects.filter(_managed(person)) if person.active else Document.objects.none()


def draftable_documents(person: Reader) -> DocumentQuerySet:
    """Documents for which the person may write a draft: the SQL twin of `Duty.DRAFT`."""
    if not person.active:
        return Document.objects.none()
    if Role.INDEXER in person.roles:
        return Document.objects.all()
    return Document.objects.filter(_managed(person) | Q(area__slug__in=sorted(person.areas)))


def approvable_revisions(person: Reader) -> RevisionQuerySet:
    """Revisions that wait for this person's decision."""
    if not person.active:
        return Revision.objects.none()
    own_text = Q(author_id=person.user_id, author_id__isnull=False)
    waiting = Q(state=State.IN_REVIEW, document__area__slug__in=sorted(_approves(person)))
    return Revision.objects.filter(waiting).exclude(own_text)


def known_documents(user: AbstractBaseUser, person: Reader | None = None) -> DocumentQuerySet:
    """Documents whose existence, dates and people this person may know of; their text is another question.

    `person` are the user's own keys, for who has looked them up already.
    """
    person = person or reader_of(user)
    if _sees_all(user, person):
        return Document.objects.all()
    return readable_documents(person)


def readable_documents(person: Reader) -> DocumentQuerySet:
    """Documents that the person reads or works on: what a list for readers holds, whatever else a role may know."""
    if not person.active:
        return Document.objects.none()
    ids = Document.objects.readable_by(person).order_by().values("pk")
    drafts = Revision.objects.filter(author_id=person.user_id).order_by().values("document_id")
    return Document.objects.filter(_managed(person) | Q(pk__in=ids) | Q(pk__in=drafts))


def known_revisions(user: AbstractBaseUser, person: Reader | None = None) -> RevisionQuerySet:
    """Revisions whose existence and state this person may know of: a mere reader knows of what they may be quoted."""
    person = person or reader_of(user)
    return Revision.objects.all() if _sees_all(user, person) else readable_revisions(person)


def readable_revisions(person: Reader, today: date | None = None) -> RevisionQuerySet:
    """Revisions whose text the person may read: what they may be quoted for some day, and what they work on."""
    if not person.active:
        return Revision.objects.none()
    today = today or timezone.localdate()
    quoted = Revision.objects.quotable_by(person, today).order_by().values("pk")
    return Revision.objects.filter(_managed(person, "document__") | Q(author_id=person.user_id) | Q(pk__in=quoted))


def worked_revisions(person: Reader) -> RevisionQuerySet:
    """Revisions that the person answers for: of documents they own or approve, or that they wrote."""
    if not person.active:
        return Revision.objects.none()
    return Revision.objects.filter(_managed(person, "document__") | Q(author_id=person.user_id))


def managed_revisions(person: Reader) -> RevisionQuerySet:
    """Revisions of documents that the person owns or approves."""
    return Revision.objects.filter(_managed(person, "document__")) if person.active else Revision.objects.none()


def own_tasks(person: Reader) -> OwnerTaskQuerySet:
    """The person's own tasks, whatever else a role may see."""
    return OwnerTask.objects.of(person, _approves(person)) if person.active else OwnerTask.objects.none()


def tasks_of(person: Reader) -> OwnerTaskQuerySet:
    """The person's tasks; an auditor sees everybody's."""
    if not person.active:
        return OwnerTask.objects.none()
    return OwnerTask.objects.all() if Role.AUDITOR in person.roles else own_tasks(person)


def _sees_all(user: AbstractBaseUser, person: Reader) -> bool:
    return person.active and bool(SEES_ALL_METADATA & person.roles or getattr(user, "is_superuser", False))


def _managed(person: Reader, prefix: str = "") -> Q:
    owner, area = f"{prefix}owner_id", f"{prefix}area__slug__in"
    return Q(**{owner: person.user_id}) | Q(**{area: sorted(_approves(person))})


def _approves(person: Reader) -> frozenset[str]:
    return person.areas if Role.APPROVER in person.roles else frozenset()


def _sentence(why: Refusal, action: Action | Duty) -> str:
    if why is Refusal.INACTIVE:
        return _("This account is not active. Ask an administrator to reactivate it.")
    if why is Refusal.OWN_TEXT:
        return _("You wrote this revision: another approver of the area must decide on it.")
    return {
        Action.SUBMIT: _("Only the document's owner or the revision's author may submit it."),
        Action.APPROVE: _("Only an approver of the document's area may approve it."),
        Action.REJECT: _("Only an approver of the document's area may send it back."),
        Action.PUBLISH: _("Only the document's owner or an approver of its area may publish it."),
        Action.RETIRE: _("Only the document's owner, an approver of its area or the incident team may retire it."),
        Action.RESTORE: _("Only the document's owner, an approver of its area or the incident team may restore it."),
        Duty.DRAFT: _("Only people of the document's area, its owner or the indexing team may write a draft."),
        Duty.MANAGE: _("Only the document's owner or an approver of its area may change this."),
    }[action]
