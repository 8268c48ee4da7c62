"""Typed reading of the environment. A bad value stops the start with one sentence that names the variable."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import inf
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})


def text(name: str, default: str = "") -> str:
    """The variable without surrounding blanks; unset and empty both give the default."""
    return os.environ.get(name, "").strip() or default


def required(name: str, why: str) -> str:
    value = text(name)
    if not value:
        raise ImproperlyConfigured(f"{name} is not set: {why}")
    return value


def flag(name: str, default: bool) -> bool:
    value = text(name).lower()
    if not value:
        return default
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise ImproperlyConfigured(f"{name}={value!r} is neither 1 nor 0")


def integer(name: str, default: int, least: int = 0) -> int:
    value = text(name)
    if not value:
        return default
    try:
        number = int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number") from None
    if number < least:
        raise ImproperlyConfigured(f"{name}={number} is below {least}")
    return number


def decimals(name: str, count: int) -> list[float]:
    """Exactly `count` numbers of 0 or more, comma-separated with a decimal point; unset gives none."""
    parts = items(name)
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) != len(parts) or len(parts) not in (0, count) or not all(0 <= one < inf for one in numbers):
        raise ImproperlyConfigured(f"{name}={text(name)!r} is not {count} numbers such as {','.join(['0.5'] * count)}")
    return numbers


def items(name: str, default: Sequence[str] = ()) -> list[str]:
    """A comma-separated list."""
    value = text(name)
    return [part.strip() for part in value.split(",") if part.strip()] if value else list(default)


def choice(name: str, default: str, allowed: Sequence[str]) -> str:
    value = text(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name}={value!r} is not one of {', '.join(allowed)}")
    return value


def database(url: str, pool: int) -> dict[str, object]:
    """Django's form of `postgresql://user:password@host:port/name?option=value`; `host` may be an option (a socket).

    A `pool` above 0 shares that many connections among a process's threads.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql"):
        raise ImproperlyConfigured("DATABASE_URL must begin with postgresql://")
    options: dict[str, object] = dict(parse_qsl(parts.query))
    name = unquote(parts.path.lstrip("/"))
    if not name:
        raise ImproperlyConfigured("DATABASE_URL names no database")
    try:
        port = str(options.pop("port", parts.port or ""))
    except ValueError:
        raise ImproperlyConfigured("DATABASE_URL has a port that is not a number") from None
    host = str(options.pop("host", unquote(parts.hostname or "")))
    if pool:
        # Lost connections are sought for a few seconds, then anew by each request: by itself the pool waits twice as
        # long after each failure, and the portal would stay down for minutes after the database is back.
        options["pool"] = {"min_size": 1, "max_size": pool, "timeout": 10, "reconnect_timeout": 5}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": port,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }
