"""What governs the index does so through the Protocol: the same on Elasticsearch, and from one engine to the other."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from documents import jobs
from documents.models import IndexVersion, Propagation, Revision
from documents.search import active
from documents.search.base import EngineUnavailable
from documents.search.check import check
from documents.search.converge import converge
from documents.search.rebuild import reindex, rollback
from governance.actions import retire
from governance.actions.access import set_readers
from tests import factories
from tests.documents.search.corpus import JAN, Shelf, found
from tests.documents.search.nodes import elasticsearch_url  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def elasticsearch(elasticsearch_url: str) -> Iterator[dict[str, object]]:  # noqa: F811
    """The settings of a portal on Elasticsearch, with a prefix of its own."""
    options = {"hosts": [elasticsearch_url], "prefix": f"governed-{uuid4().hex[:8]}"}
    parts = settings.KB_BACKENDS | {"engine": {"BACKEND": "documents.search.elasticsearch.Engine", "OPTIONS": options}}
    yield parts
    with override_settings(KB_BACKENDS=parts):
        for pk in IndexVersion.objects.filter(engine="elasticsearch").values_list("pk", flat=True):
            active.engine().drop(pk)


def everything() -> None:
    converge(Revision.objects.values_list("pk", flat=True))


def differences() -> list[str]:
    version = active.version()
    assert version is not None
    return [drift.kind for drift in check(active.engine(), version)]


def test_rebuild_rollback_check_and_propagation_on_elasticsearch(
    elasticsearch: dict[str, object], django_capture_on_commit_callbacks: object
) -> None:
    with override_settings(KB_BACKENDS=elasticsearch):
        shelf = Shelf().fill()
        everything()
        first = active.version()
        assert (found(shelf.employee), differences()) == ({"manual@v2"}, [])
        second = reindex()
        assert (second.entries, second.revisions, found(shelf.employee)) == (4, 4, {"manual@v2"})
        with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
            set_readers(shelf.manual.pk, ["group:rh"], actor=shelf.owner, reason="r")
            retire(shelf.secret.pk, actor=shelf.hr, reason="r", on=JAN)
        assert Propagation.objects.filter(agreed_at=None).count() == 0
        assert (found(shelf.employee), found(shelf.hr), differences()) == (set(), {"manual@v2"}, [])
        assert rollback() == first
        assert (found(shelf.employee), found(shelf.hr), differences()) == (set(), {"manual@v2"}, [])
        stranger = factories.revision(shelf.manual, "v9")
        everything()
        gone = stranger.pk
        stranger.chunks.all().delete()
        assert "unknown" in differences()
        call_command("check_index", "--repair")
        assert differences() == []
        assert gone in {one.revision_id for one in active.engine().held(active.version().pk).values()}  # type: ignore[union-attr]
        assert jobs.waiting() == 0


def test_from_one_engine_to_the_other_each_process_answers_by_its_own(elasticsearch: dict[str, object]) -> None:
    shelf = Shelf().fill()
    everything()
    old = active.version()
    with override_settings(KB_BACKENDS=elasticsearch):
        with pytest.raises(EngineUnavailable, match="for another engine"):
            found(shelf.employee)
        new = reindex()
        assert (found(shelf.employee), differences()) == ({"manual@v2"}, [])
    assert active.version() == new
    assert (active.answering(), found(shelf.employee)) == (old, {"manual@v2"}), "not replaced yet, and it answers"
    with override_settings(KB_BACKENDS=elasticsearch):
        reindex()
        old.refresh_from_db()  # type: ignore[union-attr]
        assert (old.state, old.dropped_at) == ("dropped", None), "its engine is not here to drop it"  # type: ignore[union-attr]
