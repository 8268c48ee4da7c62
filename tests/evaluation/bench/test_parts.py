"""What the benchmark's company is made of looks like a company's texts, and its figures are computed right."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import Counter
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from documents.rules.types import CORPUS_OF_KIND, Corpus
from evaluation.bench import company, processes, vectors, words
from evaluation.bench.machine import memory
from evaluation.bench.measures import Times, timed, times
from tests.instance import eventually

TODAY = date(2026, 11, 30)
TEXT = "O prazo de separação é o prazo da política de expedição, e o prazo vale para todos."


def test_the_vocabulary_begins_with_real_words_and_has_the_size_asked_for():
    made = words.vocabulary([TEXT], 500, np.random.default_rng(1))

    assert made.words[0] == "prazo"
    assert made.words.index("separação") < made.real
    assert len(set(made.words)) == 500
    assert made.weights.sum() == pytest.approx(1)


def test_texts_use_few_words_often_and_many_rarely():
    random = np.random.default_rng(1)
    made = words.vocabulary([TEXT], 5000, random)
    about = words.subject(made, random)

    text = " ".join(words.sentences(made, about, 2000, random)).lower()
    counts = [count for _word, count in Counter(text.replace(".", "").split()).most_common()]

    assert counts[0] > 20 * counts[200] > 0
    assert sum(count <= 2 for count in counts) > len(counts) / 4


def test_a_document_repeats_the_words_of_its_subject():
    random = np.random.default_rng(1)
    made = words.vocabulary([TEXT], 5000, random)
    one, other = (words.subject(made, random) for _ in range(2))

    own = [sentence.lower() for sentence in words.sentences(made, one, 100, random)]

    def said(about: words.Subject) -> int:
        return sum(made.words[row] in sentence.split() for row in set(about.rows) for sentence in own)

    assert said(one) > 3 * said(other)


def test_vectors_lie_around_their_centre_on_the_sphere():
    random = np.random.default_rng(1)
    centre = vectors.around(np.eye(384, dtype=np.float32)[0], 1, random)[0]

    cloud = vectors.around(centre, 200, random)

    assert cloud.shape == (200, 384)
    assert np.linalg.norm(cloud, axis=1) == pytest.approx(np.ones(200), abs=1e-5)
    assert cloud @ centre == pytest.approx(np.full(200, vectors.NEAR), abs=1e-4)
    assert (cloud @ cloud.T)[0, 1:].mean() == pytest.approx(vectors.NEAR**2, abs=0.02)


def test_vectors_differ_as_real_ones_do():
    random = np.random.default_rng(1)
    centre = vectors.around(np.eye(384, dtype=np.float32)[0], 1, random)[0]
    real = vectors.around(centre, 30, random)

    cloud = vectors.around(centre, 200, random, vectors.spread_of(real))

    assert np.linalg.norm(cloud, axis=1) == pytest.approx(np.ones(200), abs=1e-5)
    assert cloud @ centre == pytest.approx(np.full(200, vectors.NEAR), abs=1e-4)
    assert np.linalg.matrix_rank(cloud - centre, tol=1e-3) <= len(real) + 1


def test_the_company_has_every_corpus_audience_and_kind_of_window():
    random = np.random.default_rng(1)
    plans = [company.plan(number, TODAY, random) for number in range(400)]

    assert {CORPUS_OF_KIND[plan.kind] for plan in plans} == set(Corpus)
    assert {plan.readers for plan in plans} == set(company.AUDIENCES)
    assert any(len(plan.windows) == 2 and plan.windows[1].start <= TODAY for plan in plans), "superseded"
    assert any(plan.windows[-1].start > TODAY for plan in plans), "to come"
    assert any(plan.windows[-1].until for plan in plans), "ended"
    for plan in plans:
        for before, after in zip(plan.windows, plan.windows[1:], strict=False):
            assert before.until == after.start


def test_quantiles_are_by_nearest_rank():
    assert times([float(n) for n in range(1, 101)]) == Times(100, 50.0, 95.0, 100.0)
    assert times([3.0]) == Times(1, 3.0, 3.0, 3.0)
    assert times([1.0, 2.0]) == Times(2, 1.0, 2.0, 2.0)
    with pytest.raises(ValueError, match="nothing"):
        times([])


def test_warming_up_is_done_and_not_counted():
    done: list[int] = []

    found = timed(range(10), done.append, warm_up=4, cpu=lambda: float(len(done)))

    assert (found.n, found.cpu) == (6, pytest.approx(1000))
    assert done == list(range(10))


def test_memory_is_told_for_what_runs_and_not_for_what_does_not():
    held = memory({"this": os.getpid(), "nobody": 2**22 + 1})

    assert held.keys() == {"this"}
    assert held["this"] > 10


def test_without_a_process_manager_no_process_is_the_portals(tmp_path: Path):
    assert processes.of_instance(tmp_path / "supervisord.pid") == {}
    (tmp_path / "supervisord.pid").write_text("torn")
    assert processes.of_instance(tmp_path / "supervisord.pid") == {}


def test_processes_of_one_command_are_told_apart_by_what_the_process_manager_calls_them(tmp_path: Path):
    names = ("web", "web-2", "worker", "bulk")
    script = "".join(f"SUPERVISOR_PROCESS_NAME={name} sleep 60 & " for name in names)
    with subprocess.Popen(["sh", "-c", f"{script} wait"], start_new_session=True) as manager:
        try:
            (tmp_path / "supervisord.pid").write_text(str(manager.pid))
            eventually(lambda: len(processes.of_instance(tmp_path / "supervisord.pid")) > len(names), 10)
            found = processes.of_instance(tmp_path / "supervisord.pid")
        finally:
            os.killpg(manager.pid, signal.SIGKILL)
    assert found.keys() == {"the portal", *names}
    assert found["the portal"] == manager.pid
    assert len(set(found.values())) == len(found)
