"""Questions about the same thing are one topic, others are not, whatever the order in which they come."""

from __future__ import annotations

import random

from chat.rules import topics as rule
from chat.rules.topics import topics

ASKED = [
    "posso levar cachorro para o escritório?",
    "qual o valor do auxílio creche?",
    "Posso levar meu cachorro ao escritório",
    "quanto é o auxílio-creche?",
    "cachorro no escritório pode?",
    "qual a senha do wifi?",
    "valor do auxílio creche",
]


def test_similar_questions_are_one_topic_and_the_others_are_not() -> None:
    found = [topic.members for topic in topics(ASKED)]
    assert found == [(0, 2, 4), (1, 3, 6), (5,)]


def test_a_topic_bears_the_name_of_the_question_that_is_most_like_the_others() -> None:
    assert [topic.name for topic in topics(ASKED)][2] == "qual a senha do wifi?"
    assert all(topic.name in ASKED for topic in topics(ASKED))


def test_every_question_is_in_one_topic() -> None:
    asked = [f"{question} {number % 3}" for number, question in enumerate(ASKED * 5)]
    members = [place for topic in topics(asked) for place in topic.members]
    assert sorted(members) == list(range(len(asked)))


def test_the_order_of_the_questions_alters_no_topic() -> None:
    mixed = list(range(len(ASKED)))
    random.Random(7).shuffle(mixed)
    told = {frozenset(ASKED[mixed[place]] for place in topic.members) for topic in topics([ASKED[i] for i in mixed])}
    assert told == {frozenset(ASKED[place] for place in topic.members) for topic in topics(ASKED)}


def test_the_same_words_are_counted_however_often_and_compared_once() -> None:
    [topic] = topics(["qual a senha do wifi?"] * 5000)
    assert len(topic.members) == 5000


def test_beyond_what_is_compared_each_wording_is_a_topic_of_its_own() -> None:
    asked = [f"palavra{number} coisa{number}" for number in range(rule.MOST + 20)]
    assert len(topics(asked)) == rule.MOST + 20


def test_of_nothing_there_are_no_topics_and_a_question_of_stop_words_is_one() -> None:
    assert topics([]) == []
    assert [topic.members for topic in topics(["o que é?", "o que é?"])] == [(0, 1)]
