# SPDX-License-Identifier: Apache-2.0
"""Parsers and taggers of all kinds that agree: the answers fit, tags that are given stay, bounds hold."""

from __future__ import annotations

import numpy as np
import pytest

from accord.data import Document
from accord.data.constituents.tag_rules import TagRules
from accord.errors import ConfigError
from accord.inference.agreement import outside_words
from accord.settings import make_settings
from accord.tasks.constituents import ConstituencyParser, ConstituentsConfig
from accord.tasks.constituents.agreeing import AgreeingParsers
from accord.tasks.constituents.training import train_constituents
from accord.tasks.examples import tiny_constituents
from accord.tasks.parser import Parser, ParserConfig
from accord.tasks.parser.training import train_parser
from accord.tasks.tagger import Tagger
from accord.tasks.tagger.config import TaggerConfig
from accord.tasks.tagger.training import train_tagger

ALL = {"upos", "xpos", "feats", "lemma"}


@pytest.fixture(scope="module")
def phrases() -> ConstituencyParser:
    settings = ConstituentsConfig(bits=12, least_count=1, epochs=2, threads=1)
    return ConstituencyParser(train_constituents(tiny_constituents(30), None, settings).model)


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    settings = make_settings(TaggerConfig, {"bits": 10, "epochs": 2, "threads": 1})
    return Tagger(train_tagger(tiny_constituents(30), None, settings).model)


def parser_of(**values: object) -> Parser:
    settings = make_settings(ParserConfig, {"epochs": 2, "arc_bits": 12, "threads": 1, **values})
    return Parser(train_parser(tiny_constituents(30), None, settings).model)


def check(document: Document, rules: TagRules | None) -> None:
    for sentence in document.sentences:
        assert sentence.constituents is not None
        heads = np.array([-1, *(word.head for word in sentence.words)], np.int32)
        for phrase in sentence.constituents.phrases:
            (head,) = outside_words(heads, phrase.begin, phrase.end)
            if rules is not None:
                assert sentence.words[head - 1].upos in rules.head.get(phrase.label, {sentence.words[head - 1].upos})
        assert [word.xpos for word in sentence.words] == list(sentence.constituents.tags)
        assert all(word.deprel != "_" for word in sentence.words)


@pytest.mark.parametrize(
    "values", [{"order": 1}, {"order": 2, "projective": True}, {"order": 2, "projective": False}, {"order": 3}]
)
def test_parsers_of_all_orders_agree_with_phrases(phrases: ConstituencyParser, values: dict[str, object]) -> None:
    parser = parser_of(**values)
    both = AgreeingParsers(parser, phrases)
    document = parser.parse(tiny_constituents(6, 40))
    answer = both(document)
    check(answer, None)
    for sentence in document.sentences:
        found = both.agreement(sentence)
        assert found.score <= found.bound + 1e-6 and found.tags is None
    assert all(both.agreement(sentence).certified for sentence in document.sentences)


def test_a_tagger_is_a_third_party(phrases: ConstituencyParser, tagger: Tagger) -> None:
    parser, rules = parser_of(order=1), TagRules.learnt(tiny_constituents(30), least_count=1)
    trio = AgreeingParsers(parser, phrases, tagger=tagger, rules=rules)
    blank = tiny_constituents(6, 40)
    count = int(blank.heads.size)
    blank = blank.replace(upos=["_"] * count, xpos=["_"] * count, feats=["_"] * count, lemmas=["_"] * count)
    answer = trio(parser.parse(tagger(blank), tags="keep"), blank)
    check(answer, rules)
    assert all(trio.agreement(sentence).tags is not None for sentence in answer.sentences)


def test_rules_move_tags_and_given_tags_stay(phrases: ConstituencyParser, tagger: Tagger) -> None:
    parser = parser_of(order=1)
    tagged = parser.parse(tagger(tiny_constituents(4, 40)), tags="keep")
    subjects = {next(w.upos for w in s.words if w.deprel == "root") for s in tagged.sentences}
    assert subjects == {"VERB"}
    everything = frozenset(tagger.labels) - {"VERB"}
    odd = TagRules(head=dict.fromkeys(("S", "VP"), everything))  # no verb may head a clause
    trio = AgreeingParsers(parser, phrases, tagger=tagger, rules=odd)
    free, kept = trio(tagged), trio(tagged, tagged)
    check(free, odd)
    assert [w.upos for s in free.sentences for w in s.words] != [w.upos for s in tagged.sentences for w in s.words]
    assert [w.upos for s in kept.sentences for w in s.words] == [w.upos for s in tagged.sentences for w in s.words]


def test_wrong_parties_are_refused(phrases: ConstituencyParser, tagger: Tagger) -> None:
    parser = parser_of(order=1)
    with pytest.raises(ConfigError, match="belong together"):
        AgreeingParsers(parser, phrases, tagger=tagger)
    trio = AgreeingParsers(parser, phrases, tagger=tagger, rules=TagRules("xpos"))
    with pytest.raises(ConfigError, match="labels upos"):
        trio(tiny_constituents(1))
