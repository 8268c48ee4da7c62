"""One stream of log lines on standard error, from structlog and from every library that uses logging."""

from __future__ import annotations

import logging.config
from typing import Any

import structlog


def _before() -> list[Any]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        structlog.processors.StackInfoRenderer(),
    ]


def logging_config(form: str, level: str) -> dict[str, Any]:
    """`form` is `text` (for people) or `json` (for a collector)."""
    # Plain tracebacks: the pretty ones print the values of local variables, texts and people among them.
    plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    renderer: Any = structlog.processors.JSONRenderer() if form == "json" else plain
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _before(),
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *([structlog.processors.format_exc_info] if form == "json" else []),
                    renderer,
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.server": {"handlers": ["stderr"], "propagate": False},
            "axes": {"level": "WARNING"},
            "elastic_transport": {"level": "ERROR"},  # each call and retry; a failure is told by who asked
        },
    }


def configure(config: dict[str, Any]) -> None:
    """Django's LOGGING_CONFIG: the standard library first, then structlog on top of it."""
    logging.config.dictConfig(config)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_before(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
