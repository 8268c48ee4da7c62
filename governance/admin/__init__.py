"""The stock admin of what is governed: it lists, asks and calls the actions. It decides nothing."""

from governance.admin import company, documents, imports, kept, machinery, people, records, relations, revisions

__all__ = ["company", "documents", "imports", "kept", "machinery", "people", "records", "relations", "revisions"]
