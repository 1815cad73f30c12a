# SPDX-License-Identifier: Apache-2.0
"""Lemma rules of a network: those that a form was seen with, or that many forms follow."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from accord import Document, Parser, Sentence
from accord._core import tasks as _tasks
from accord.errors import ModelError
from accord.tasks.network.vocabulary import OFTEN, collect_guide
from tests.tasks.parser.neural_cases import random_model, some_words

PAIRS = (("cat", "cat"), ("walked", "walk"), ("cats", "cat"), ("bn", "bnx"))
KEEP, CUT_ED, CUT_S, ODD = (_tasks.derive_lemma_rule(form, lemma) for form, lemma in PAIRS)
CLASSES = {"upos": ("NOUN", "VERB"), "lemma": (KEEP, CUT_S, CUT_ED, ODD)}


def words(rows: list[tuple[str, str, str]]) -> Document:
    forms, tags, lemmas = zip(*rows, strict=True)
    sentence = Sentence.from_words(list(forms), upos=list(tags))
    kept = [dataclasses.replace(word, lemma=lemma) for word, lemma in zip(sentence.words, lemmas, strict=True)]
    return Document.from_sentences([dataclasses.replace(sentence, words=tuple(kept))])


def scores(best: str, second: str = KEEP) -> np.ndarray:  # type: ignore[type-arg]
    return np.array([2.0 if name == best else 1.0 if name == second else 0.0 for name in CLASSES["lemma"]], np.float32)


def test_seen_forms_follow_their_rules_and_others_those_of_many() -> None:
    many = [(f"{stem}s", "NOUN", stem) for stem in ("cat", "dog", "hat", "bed", "pen", "cup", "car")][: OFTEN + 1]
    rare = [("walked", "VERB", "walk"), ("fed", "NOUN", "fed"), ("bn", "NOUN", "bnx")]
    found = collect_guide(words([*many, *rare]), CLASSES)
    assert found is not None
    guide, rules = found.native(), CLASSES["lemma"]

    def chosen(form: str, tag: str, best: str, second: str = KEEP) -> str:
        return rules[guide.choose(form, CLASSES["upos"].index(tag), scores(best, second))]

    assert chosen("fed", "NOUN", CUT_S) == KEEP  # the only rule of the form
    assert chosen("Fed", "NOUN", CUT_S) == KEEP  # by its lower case
    assert chosen("bn", "NOUN", KEEP) == ODD
    assert chosen("birds", "NOUN", ODD, CUT_S) == CUT_S  # one form alone has the odd rule
    assert chosen("talked", "VERB", CUT_ED) == CUT_ED  # no rule of verbs is frequent: all are allowed
    assert chosen("cats", "VERB", CUT_S) == CUT_S


def test_networks_without_lemmas_have_no_guide() -> None:
    assert collect_guide(words([("a", "NOUN", "a")]), {"upos": ("NOUN",)}) is None
    assert collect_guide(words([("a", "NOUN", "a")]), {"lemma": (KEEP,)}) is None


def test_a_parser_follows_its_guide_and_keeps_it_in_its_file(tmp_path: Path) -> None:
    model = random_model(6)
    assert model.network is not None and model.network.vocabulary.guide is not None
    parser = Parser(model)
    sentence = some_words(2, 12)
    document = Document.from_sentences([sentence])
    vocabulary = model.network.vocabulary
    guide, tags, rules = vocabulary.guide.native(), vocabulary.classes["upos"], parser.tag_logs(sentence, "lemma")
    upos = parser.tag(document).column("upos")
    rows = zip(sentence.forms, upos, rules, strict=True)
    expected = np.array([guide.choose(form, tags.index(tag), row) for form, tag, row in rows], np.int32)
    assert list(parser.tag(document).column("lemma")) == vocabulary.lemmas(document, expected)
    model.save(tmp_path / "m.accord")
    loaded = Parser.load(tmp_path / "m.accord")
    assert loaded.tag(document).to_bytes() == parser.tag(document).to_bytes()


def test_guides_that_do_not_fit_are_refused() -> None:
    model = random_model(6)
    assert model.network is not None
    guide = model.network.vocabulary.guide
    assert guide is not None
    for wrong in (
        dataclasses.replace(guide, often=guide.often[:-1]),
        dataclasses.replace(guide, starts=guide.starts[:-1]),
        dataclasses.replace(guide, rules=guide.rules + np.uint16(60000)),
        dataclasses.replace(guide, keys=guide.keys[::-1].copy()),
    ):
        vocabulary = dataclasses.replace(model.network.vocabulary, guide=wrong)
        with pytest.raises(ModelError, match="lemmas"):
            Parser(dataclasses.replace(model, network=dataclasses.replace(model.network, vocabulary=vocabulary)))
