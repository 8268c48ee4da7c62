"""Pages for reading documents. Who sees what is the API's rule; hidden and missing are the same 404."""

from __future__ import annotations

from governance.views.comparing import comparison
from governance.views.listing import documents
from governance.views.original import original
from governance.views.reading import document, revision

__all__ = ["comparison", "document", "documents", "original", "revision"]
