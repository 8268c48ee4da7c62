"""The tables of governance."""

from governance.models.audit import AuditEvent, Verb
from governance.models.precedence import PrecedenceRule
from governance.models.task import OwnerTask

__all__ = ["AuditEvent", "OwnerTask", "PrecedenceRule", "Verb"]
