"""The pages around the portal: signing in, language, health, metrics."""

from __future__ import annotations

from errno import ENOSPC

import pytest
from django.contrib.auth.models import User
from django.db import InterfaceError, OperationalError
from django.test import Client
from pytest_django.fixtures import Settings

from kbportal import health

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana", password="uma senha")


def test_the_sign_in_page_speaks_portuguese_to_any_browser(client: Client) -> None:
    page = client.get("/entrar/", headers={"accept-language": "en-US"}).content.decode()
    for words in ('<label for="id_username">Usuário', '<label for="id_password">Senha', ">Entrar</button>"):
        assert words in page


def test_a_person_who_chose_english_reads_english(client: Client) -> None:
    client.post("/idioma/", {"language": "en", "next": "/entrar/"})
    assert ">Sign in</button>" in client.get("/entrar/").content.decode()


def test_signing_in_and_out(client: Client, ana: User) -> None:
    assert "Senha" in client.post("/entrar/", {"username": "ana", "password": "errada"}).content.decode()
    answer = client.post("/entrar/", {"username": "ana", "password": "uma senha", "next": "/documentos/"})
    assert answer.headers["location"] == "/documentos/"
    assert client.session["_auth_user_id"] == str(ana.pk)
    assert client.post("/sair/").headers["location"] == "/entrar/"
    assert "_auth_user_id" not in client.session


def test_signing_in_never_leads_to_another_site(client: Client, ana: User) -> None:
    answer = client.post("/entrar/", {"username": "ana", "password": "uma senha", "next": "https://evil.example/"})
    assert answer.headers["location"] == "/"


def test_pages_allow_only_our_own_scripts_and_styles(client: Client) -> None:
    answer = client.get("/entrar/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "<script>" not in answer.content.decode()


def test_liveness_needs_nothing(client: Client) -> None:
    assert client.get("/health/live").json() == {"status": "ok"}


def test_readiness_names_its_parts(client: Client) -> None:
    answer = client.get("/health/ready")
    assert answer.status_code == 200
    parts = {"database": "ok", "migrations": "ok", "broker": "ok", "engine": "ok"}
    assert answer.json() == {"status": "ok", "parts": parts}


def test_readiness_fails_while_the_broker_is_away(client: Client, settings: Settings) -> None:
    settings.KB_JOBS = "queue"
    original = health.current_app.conf.broker_url
    health.current_app.conf.broker_url = "redis://127.0.0.1:1/0"
    try:
        answer = client.get("/health/ready")
    finally:
        health.current_app.conf.broker_url = original
    assert answer.status_code == 503
    assert answer.json()["parts"]["broker"] == "unreachable"


def test_metrics_are_published(client: Client) -> None:
    assert "django_http_requests_total" in client.get("/metrics").content.decode()


@pytest.mark.parametrize(
    "address", ["/", "/documentos/", "/documentos/x/", "/conversas/", "/painel/", "/admin/", "/evidencias/"]
)
@pytest.mark.parametrize(
    ("error", "status"), [(OperationalError("lost"), 503), (InterfaceError("closed"), 503), (OSError(ENOSPC, "x"), 507)]
)
def test_a_page_without_a_part_of_the_portal_says_so(
    client: Client, ana: User, monkeypatch: pytest.MonkeyPatch, address: str, error: Exception, status: int
) -> None:
    """And asks nothing of the database for it: not even who looks."""
    client.force_login(ana)

    def fail(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr("django.contrib.sessions.backends.base.SessionBase._get_session", fail)
    monkeypatch.setattr("django.contrib.auth.middleware.get_user", fail)
    answer = client.get(address)
    assert answer.status_code == status
    assert "Indisponível no momento" in answer.content.decode()


def test_a_fault_of_a_page_says_nothing_of_its_cause(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(ana)

    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("the secret cause")

    monkeypatch.setattr("chat.views.pages.suggestions", fail)
    answer = client.get("/")
    assert answer.status_code == 500
    assert "O portal falhou" in answer.content.decode()
    assert "secret" not in answer.content.decode()
