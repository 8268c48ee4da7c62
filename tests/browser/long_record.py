"""An answer with far more in it than any other: two hundred claims, hundreds of candidates, a very long question."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils import timezone

from chat import assembly, recorder
from chat.rules.outcome import Cited, Claim, Outcome, Stage, Traced
from chat.rules.types import DraftClaim, Status, Verdict
from documents import corpus
from documents.models import Chunk
from documents.reader import reader_of
from documents.rules.types import Corpus, Reason

CLAIMS, CANDIDATES = 200, 600
QUESTION = (
    "Considerando as exceções que o gestor pode autorizar, a escala de revezamento e o período aquisitivo ainda "
    "incompleto, qual é o prazo para pedir férias e quantos dias podem ser vendidos? "
) * 3
LONG = "um-código-muito-comprido-de-documento-que-não-quebra-em-lugar-nenhum"


def write() -> str:
    """Record it for `ana.ops`, through the recorder like any other; returns its id."""
    reader, today = reader_of(User.objects.get(username="ana.ops")), timezone.localdate()
    ids = list(
        Chunk.objects.filter(revision__document__code="ferias", revision__label="v2").values_list("pk", flat=True)
    )
    parts = assembly.parts()
    loaded = corpus.load(corpus.index_version(), ids, reader, today, today)
    sent = [item.passage for item in loaded if item.reason is Reason.ELIGIBLE][:20]
    claims = [
        Claim(f"Afirmação {n}, com acentuação e expressões-compostas-que-não-quebram. " * (1 + n % 4), (quoted,))
        for n in range(CLAIMS)
        for passage in [sent[n % len(sent)]]
        for quoted in [Cited(passage, *passage.sentences[n % len(passage.sentences)])]
    ]
    reasons = list(Reason)
    candidates = [
        Traced(
            n, f"documento-{n}" if n % 50 else LONG, "v1", list(Corpus)[n % 3], reasons[n % len(reasons)], n, n, 0.01
        )
        for n in range(1, CANDIDATES)
    ]
    refused = Verdict(DraftClaim("O prazo é de cinco dias.", 1, "cinco dias"), False, "number_not_in_quote")
    outcome = Outcome(
        Status.ANSWERED,
        QUESTION,
        QUESTION,
        today,
        "current",
        claims=tuple(claims),
        sent=tuple(sent),
        verdicts=(refused,),
        stages=(Stage("search", CANDIDATES, CANDIDATES, 1.0), Stage("recheck", CANDIDATES, 20, 1.0)),
        candidates=tuple(candidates),
        timings={"total": 1234.5},
    )
    return str(recorder.record(outcome, parts.versions, reader, ()).id)
