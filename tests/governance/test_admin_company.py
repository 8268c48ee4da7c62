"""Words, channels, places and rules: what an edit changes is told first, and every edit is kept with its reason."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse

from documents.models import Area, Channel, Document, GlossaryEntry, Unit
from governance.actions import places, words
from governance.errors import Conflict, Forbidden, Invalid
from governance.models import AuditEvent, PrecedenceRule
from tests import factories
from tests.governance.desk import client_of, page, person, said

pytestmark = pytest.mark.django_db
TERMS, CHANNELS, AREAS, UNITS = (
    f"/admin/documents/{name}/" for name in ("glossaryentry", "channel", "area", "unit")
)  # fmt: skip


@pytest.fixture(autouse=True)
def corpus() -> Document:
    maria = person("maria", areas=["rh"])
    person("marina", roles=["product"])
    person("admin", is_superuser=True)
    factories.unit("CD-SP")
    return factories.document("ferias", owner=maria, area_slug="rh", scope_units=["CD-SP"], readers=["area:rh"])


def post(username: str, path: str, **form: str) -> HttpResponse:
    return client_of(username).post(path, {"reason": "asked"} | form)


def test_a_term_is_versioned_with_what_was_before_and_why() -> None:
    assert post("marina", f"{TERMS}add/", term="VR", expansions="vale-refeição", owner="maria").status_code == 302
    entry = GlossaryEntry.objects.get()
    change = f"{TERMS}{entry.pk}/change/"
    post("maria", change, term="VR", expansions="vale-refeição,ticket", owner="maria", reason="both are said")
    post("maria", change, term="VR", expansions="vale-refeição,ticket", owner="maria", reason="again the same")
    entry.refresh_from_db()
    assert (entry.version, entry.expansions, entry.reason) == (2, ["vale-refeição", "ticket"], "both are said")
    shown = page("marina", change)
    assert "both are said" in shown
    assert "<del>vale-refeição</del>" in shown
    chosen = {"action": "remove", "_selected_action": [entry.pk], "confirmed": "yes"}
    assert client_of("marina").post(TERMS, chosen | {"reason": " "}).status_code == 200
    assert GlossaryEntry.objects.exists(), "not without a reason"
    client_of("marina").post(TERMS, chosen | {"reason": "nobody says it"})
    assert not GlossaryEntry.objects.exists()
    assert list(AuditEvent.objects.order_by("position").values_list("verb", flat=True)) == [
        "glossary.created", "glossary.changed", "glossary.removed",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("form", "kept"),
    [
        ({"term": "vr", "expansions": "outra coisa"}, "twice in an area, whatever the case"),
        ({"term": "SLA", "expansions": "sla"}, "stands for itself"),
        ({"term": "SLA", "expansions": ""}, "stands for nothing"),
        ({"term": "SLA", "expansions": "prazo", "owner": "nobody"}, "an owner who is not there"),
        ({"term": "SLA", "expansions": "prazo", "reason": ""}, "no reason"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(form: dict[str, str], kept: str) -> None:
    post("marina", f"{TERMS}add/", term="VR", expansions="vale-refeição")
    response = post("marina", f"{TERMS}add/", **form)
    assert GlossaryEntry.objects.count() == 1, kept
    assert said(response) or "errorlist" in response.content.decode()


@pytest.mark.parametrize(
    ("url", "fits"),
    [
        ("https://ajuda.example/rh", True),
        ("mailto:rh@example.com", True),
        ("tel:+551140041234", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("//example.com", False),
        ("ajuda", False),
    ],
)
def test_a_channel_leads_to_where_one_can_ask(url: str, fits: bool) -> None:
    post("marina", f"{CHANNELS}add/", area=str(Area.objects.get(slug="rh").pk), label="RH", url=url)
    assert Channel.objects.exists() is fits


def test_an_area_has_one_channel() -> None:
    admin = User.objects.get(username="admin")
    words.set_channel(None, None, "Geral", "https://ajuda.example", actor=admin, reason="asked")
    with pytest.raises(Conflict):
        words.set_channel(None, None, "Outro", "https://outro.example", actor=admin, reason="asked")


def test_an_edit_of_an_area_says_what_hangs_on_it(corpus: Document) -> None:
    area = corpus.area
    shown = page("admin", f"{AREAS}{area.pk}/change/")
    uses = shown[shown.index("h-usos") : shown.index("</section>", shown.index("h-usos"))]
    assert "area__id__exact" in uses
    assert uses.count("<li>") == 5
    post("admin", f"{AREAS}{area.pk}/change/", name="Pessoas", reason="a new name")
    area.refresh_from_db()
    assert (area.name, area.slug) == ("Pessoas", "rh")
    event = AuditEvent.objects.get()
    assert (event.verb, event.target, event.after) == ("place.changed", "area:rh", {"name": "Pessoas"})
    assert "a new name" in page("admin", f"{AREAS}{area.pk}/change/")


def test_a_units_jurisdiction_is_checked_and_says_whom_it_concerns(corpus: Document) -> None:
    unit = Unit.objects.get(slug="CD-SP")
    assert "h-usos" in page("admin", f"{UNITS}{unit.pk}/change/")
    for wrong in ("São Paulo", "BRA-SP", "br sp", ""):
        post("admin", f"{UNITS}{unit.pk}/change/", name="CD", jurisdiction=wrong)
    unit.refresh_from_db()
    assert unit.jurisdiction == "BR-SP"
    post("admin", f"{UNITS}{unit.pk}/change/", name="CD", jurisdiction="br-rj")
    unit.refresh_from_db()
    assert unit.jurisdiction == "BR-RJ"
    post("admin", f"{UNITS}add/", slug="cd-sp", name="again", jurisdiction="BR")
    assert Unit.objects.filter(slug__iexact="cd-sp").count() == 1


def test_each_kind_of_edit_is_refused_to_who_may_not() -> None:
    maria, marina = (User.objects.get(username=name) for name in ("maria", "marina"))
    ana = person("ana", areas=["operacoes"], roles=["approver"])
    area = Area.objects.get(slug="rh")
    data = words.TermData("SLA", ["prazo"], None, None)
    acts = [
        lambda: words.set_term(None, data, actor=maria, reason="x"),
        lambda: words.set_channel(None, None, "Geral", "https://x.example", actor=maria, reason="x"),
        lambda: words.set_channel(None, area, "RH", "https://x.example", actor=ana, reason="x"),
        lambda: places.set_area(None, "nova", "Nova", actor=marina, reason="x"),
        lambda: places.set_unit(None, "nova", "Nova", "BR", actor=marina, reason="x"),
    ]
    for act in acts:
        with pytest.raises(Forbidden):
            act()
    assert AuditEvent.objects.count() == 0


def test_who_answers_for_an_area_keeps_its_words_and_its_channel(corpus: Document) -> None:
    rh, other = corpus.area, factories.area("operacoes")
    person("rita", areas=["operacoes"], roles=["approver"])
    person("carla", areas=["rh"], roles=["approver"])
    for username in ("maria", "carla"):
        assert post(username, f"{TERMS}add/", term=username, expansions="x", area=str(rh.pk)).status_code == 302
    assert post("maria", f"{CHANNELS}add/", area=str(rh.pk), label="RH", url="https://x.example").status_code == 302
    entry, channel = GlossaryEntry.objects.get(term="maria"), Channel.objects.get()
    post("carla", f"{TERMS}{entry.pk}/change/", term="maria", expansions="y", area=str(rh.pk))
    entry.refresh_from_db()
    assert entry.expansions == ["y"], "one of the area goes on where another left off"
    for path, row in ((TERMS, entry), (CHANNELS, channel)):
        assert row.area == rh
        form = {"term": "maria", "expansions": "z", "label": "Z", "url": "https://z.example"}
        post("rita", f"{path}{row.pk}/change/", area=str(rh.pk), **form)
        post("maria", f"{path}{row.pk}/change/", area=str(other.pk), **form)
        post("maria", f"{path}{row.pk}/change/", area="", **form)
        client_of("rita").post(
            path, {"action": "remove", "_selected_action": [row.pk], "confirmed": "y", "reason": "x"}
        )
        before = (row.area_id, str(row))
        row.refresh_from_db()
        assert (row.area_id, str(row)) == before, "neither another area's, nor into another or all of them"
    assert "rh" not in page("rita", f"{TERMS}add/"), "areas of others are not on offer"
    assert AuditEvent.objects.filter(verb__startswith="glossary").count() == 3


@pytest.mark.parametrize(
    ("areas", "owns", "active"),
    [(["rh"], False, True), ([], True, True), (["operacoes"], True, True), (["rh"], True, False)],
    ids=["belongs, answers for nothing", "owns a text of it only", "owns elsewhere", "gone"],
)
def test_nobody_else_keeps_an_areas_words(corpus: Document, areas: list[str], owns: bool, active: bool) -> None:
    who = person("nina", areas=areas)
    if owns:
        factories.document("licencas", owner=who, area_slug="rh")
    User.objects.filter(pk=who.pk).update(is_active=active)
    who.refresh_from_db()
    with pytest.raises(Forbidden):
        words.set_term(None, words.TermData("VR", ["vale"], corpus.area, who), actor=who, reason="x")
    with pytest.raises(Forbidden):
        words.set_channel(None, corpus.area, "RH", "https://x.example", actor=who, reason="x")
    if active:
        assert client_of("nina").get(f"{CHANNELS}add/").status_code in (302, 403, 404)


def test_who_owns_an_entry_keeps_it_where_it_is(corpus: Document) -> None:
    """Being its owner takes an entry to no other area, and makes no second one."""
    ana = person("ana", areas=["operacoes"])
    marina = User.objects.get(username="marina")
    for area in (None, corpus.area):
        entry = words.set_term(None, words.TermData("VR", ["vale"], area, ana), actor=marina, reason="x")
        words.set_term(entry.pk, words.TermData("VR", ["ticket"], area, ana), actor=ana, reason="x")
        elsewhere = factories.area("operacoes")
        for to in {None, corpus.area, elsewhere} - {area}:
            with pytest.raises(Forbidden):
                words.set_term(entry.pk, words.TermData("VR", ["ticket"], to, ana), actor=ana, reason="x")


def test_a_rule_says_what_it_does_and_an_exception_is_of_a_unit_that_is_there(corpus: Document) -> None:
    factories.document("filial", owner=corpus.owner, area_slug="rh")
    path = "/admin/governance/precedencerule/"
    form = {
        "prevails": "ferias", "over": "filial", "kind": "mandatory", "valid_from": "2026-01-01", "owner": "maria",
        "except_units": "CD-XX", "reason": "agreed",
    }  # fmt: skip
    assert client_of("maria").post(f"{path}add/", form).status_code == 200
    assert not PrecedenceRule.objects.exists()
    client_of("maria").post(f"{path}add/", form | {"except_units": "CD-SP"})
    rule = PrecedenceRule.objects.get()
    shown = page("maria", f"{path}{rule.pk}/change/")
    assert "h-usos" in shown
    assert "CD-SP" in shown
    assert 'value="ferias"' in shown, "documents are typed, not chosen among thousands"
    turned = form | {"prevails": "filial", "over": "ferias", "except_units": ""}
    refused = client_of("maria").post(f"{path}add/", turned).content.decode()
    assert 'class="errorlist nonfield' in refused, "a knot is told in words"
    assert 'value="filial"' in refused, "above the form as it was filled in"
    assert PrecedenceRule.objects.count() == 1


def test_a_reason_is_required_of_every_edit() -> None:
    admin = User.objects.get(username="admin")
    with pytest.raises(Invalid):
        places.set_area(None, "nova", "Nova", actor=admin, reason=" ")
    with pytest.raises(Invalid):
        words.set_term(None, words.TermData("SLA", ["prazo"], None, None), actor=admin, reason="")
