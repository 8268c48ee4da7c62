"""Server-sent events (the `text/event-stream` of the HTML standard), free of any framework."""

from __future__ import annotations

import json
from collections.abc import Mapping

MEDIA_TYPE = "text/event-stream"


def message(event: str, data: Mapping[str, object]) -> bytes:
    """One event. JSON escapes line ends, so the data is always one line."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {event}\ndata: {text}\n\n".encode()
