"""Another broker than that of the settings, for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kombu import pools

from kbportal.celery import app


@contextmanager
def broker_at(url: str, **options: object) -> Iterator[None]:
    """Work goes to the broker at `url`; `options` are Celery's for it."""
    wanted = {"broker_url": url, **options}
    before = {name: getattr(app.conf, name) for name in wanted}
    _use(wanted)
    try:
        yield
    finally:
        _use(before)


def _use(options: dict[str, object]) -> None:
    app.conf.update(options)
    # Connections are kept, and know nothing of a change.
    pools.reset()
    app._pool = None
    app.amqp._producer_pool = None
