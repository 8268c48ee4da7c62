"""One OpenAPI document for the whole API: the DRF part as generated, the chat's added, problems named once."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

PROBLEM = {
    "type": "object",
    "description": "RFC 9457. Rely on `code`; `detail` is for people.",
    "required": ["type", "title", "status", "code", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "code", "detail"],
                "properties": {name: {"type": "string"} for name in ("field", "code", "detail")},
            },
        },
    },
}
PROBLEM_RESPONSE = {
    "description": "A problem: 401, 403, 404, 405, 409, 422, 429 or 503.",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
SECURITY: list[dict[str, list[str]]] = [{"token": []}, {"session": []}]


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "kbportal.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, Any]:
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": "`Token …` or `Bearer …`"}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "kbportal.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The session of the pages; what changes anything also needs the header X-CSRFToken.",
        }


def with_chat(result: dict[str, Any], generator: object, request: object, public: bool) -> dict[str, Any]:
    """A postprocessing hook of drf-spectacular."""
    from kbportal.api import chat  # it imports the views that read the settings which name this hook

    schema = chat.get_openapi_schema(path_prefix="api/")
    for operations in schema["paths"].values():
        for operation in operations.values():
            operation["security"] = SECURITY
    result["paths"] = dict(sorted({**result["paths"], **schema["paths"]}.items()))
    schemas = result["components"].setdefault("schemas", {})
    twice = set(schemas) & set(schema["components"]["schemas"])
    if twice:
        raise ValueError(f"two shapes of the API share a name: {sorted(twice)}")
    schemas.update(schema["components"]["schemas"], Problem=PROBLEM)
    for operations in result["paths"].values():
        for name, operation in operations.items():
            if name != "parameters":
                operation["responses"] = {**operation["responses"], "default": PROBLEM_RESPONSE}
    return result
