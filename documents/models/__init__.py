"""The tables of the corpus."""

from documents.models.access import DocumentGroupGrant, DocumentUserGrant, ReaderIdentity
from documents.models.audience import Audience
from documents.models.chunk import Chunk, Embedding, VectorCache
from documents.models.document import Document, Relation
from documents.models.glossary import GlossaryEntry
from documents.models.index import IndexEntry, IndexVersion
from documents.models.job import Job
from documents.models.organisation import EVERYONE, Area, Channel, Unit
from documents.models.propagation import Alarm, Propagation
from documents.models.revision import Certainty, Revision, Section
from documents.models.word import WordVector
from documents.rules.audience import AREA_PREFIX, READ, ROLE_PREFIX, UNIT_PREFIX

__all__ = [
    "AREA_PREFIX",
    "EVERYONE",
    "READ",
    "ROLE_PREFIX",
    "UNIT_PREFIX",
    "Alarm",
    "Area",
    "Audience",
    "Certainty",
    "Channel",
    "Chunk",
    "Document",
    "DocumentGroupGrant",
    "DocumentUserGrant",
    "Embedding",
    "GlossaryEntry",
    "IndexEntry",
    "IndexVersion",
    "Job",
    "Propagation",
    "ReaderIdentity",
    "Relation",
    "Revision",
    "Section",
    "Unit",
    "VectorCache",
    "WordVector",
]
