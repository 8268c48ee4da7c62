"""The stock admin of what is governed: it lists, asks and calls the actions. It decides nothing."""

from governance.admin import documents, imports, records, revisions

__all__ = ["documents", "imports", "records", "revisions"]
