"""The tables of governance."""

from governance.models.audit import AuditEvent, Verb
from governance.models.precedence import PrecedenceRule
from governance.models.preview import Preview
from governance.models.task import OwnerTask
from governance.models.upload import CorpusImport, Upload

__all__ = ["AuditEvent", "CorpusImport", "OwnerTask", "PrecedenceRule", "Preview", "Upload", "Verb"]
