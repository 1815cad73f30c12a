# SPDX-License-Identifier: Apache-2.0
"""Temperatures of tags and of whole trees change how sure a parser is, and never what it chooses."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.data import Document
from accord.errors import ModelError
from accord.tasks.parser import Parser, ParserModel
from accord.tasks.parser.temperature import fit_confidences, fit_tag_temperatures

TEXT = "The new rules may apply to flies. They run fast, and time flies. Who saw her duck?"


@pytest.fixture(scope="module")
def english() -> accord.Pipeline:
    return accord.load("en")


@pytest.fixture(scope="module")
def document(english: accord.Pipeline) -> Document:
    return english(TEXT)


def heated(parser: Parser, *temperatures: float) -> Parser:
    return Parser(dataclasses.replace(parser.model, tag_temperatures=temperatures))


def test_logarithms_are_divided_and_sum_to_one(english: accord.Pipeline, document: Document) -> None:
    plain, warm = heated(english.parser), heated(english.parser, 2.0, 3.0)
    for column, temperature in (("upos", 2.0), ("xpos", 3.0), ("feats", 1.0)):
        for sentence in document.sentences:
            logs = plain.tag_logs(sentence, column).astype(np.float64) / temperature
            expected = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
            assert np.exp(warm.tag_logs(sentence, column)) == pytest.approx(expected, abs=1e-5)


def test_tags_are_the_same_and_less_sure(english: accord.Pipeline, document: Document) -> None:
    plain, warm = heated(english.parser), heated(english.parser, 2.5, 2.5, 2.5)
    assert warm.tag(document).to_bytes() == plain.tag(document).to_bytes()
    for column in ("upos", "xpos", "feats"):
        one, other = (parser.tag_probabilities(document, column) for parser in (plain, warm))
        assert (other <= one + 1e-6).all()
        assert other.mean() < one.mean()


def test_temperatures_fit_what_dev_data_say(english: accord.Pipeline, document: Document) -> None:
    """Where a network is wrong as often as not, it must not be sure."""
    tags = document.column("upos")
    half = [("X" if place % 2 else tag) for place, tag in enumerate(tags)]
    right, wrong = (fit_tag_temperatures(english.parser.model, document.replace(upos=one)) for one in (tags, half))
    assert right.tag_temperatures[0] < 1 < wrong.tag_temperatures[0]
    assert right.tag_temperatures[-1] == 1.0  # lemmas


def test_a_file_keeps_them(english: accord.Pipeline, document: Document, tmp_path: Path) -> None:
    model = dataclasses.replace(heated(english.parser, 2.0, 3.0, 4.0).model, whole_temperature=1.5)
    model.save(tmp_path / "warm.accord")
    loaded = ParserModel.load(tmp_path / "warm.accord")
    assert loaded.tag_temperatures == (2.0, 3.0, 4.0) and loaded.whole_temperature == 1.5
    one, other = (Parser(each).tag_probabilities(document, "feats") for each in (model, loaded))
    assert (one == other).all()


def test_temperatures_that_are_none_are_refused(english: accord.Pipeline, tmp_path: Path) -> None:
    heated(english.parser, 0.0).model.save(tmp_path / "cold.accord")
    with pytest.raises(ModelError, match="a number from"):
        ParserModel.load(tmp_path / "cold.accord")


def test_whole_trees_are_as_sure_as_dev_data_say(english: accord.Pipeline, document: Document) -> None:
    parser = english.parser
    right = parser.parse(document)
    heads = right.heads.copy()
    heads[0] = 0 if heads[0] else 2  # the first sentence is never right
    labels = ["dep", *right.column("deprel")[1:]]
    trees = parser.trees(document, probabilities=True)
    always, one_head, one_label = (
        Parser(fit_confidences(parser.model, gold)).tree_confidence(trees)
        for gold in (right, right.replace(heads=heads.tolist()), right.replace(deprels=labels))
    )
    assert (always > 0.95).all()
    assert (one_head < always).all() and one_label == pytest.approx(one_head)
    unfitted = Parser(dataclasses.replace(parser.model, whole_temperature=None))
    assert unfitted.tree_confidence(trees) == pytest.approx(np.exp(trees.tree_log_probability))


def test_a_comment_says_how_sure_a_tree_is(english: accord.Pipeline, document: Document) -> None:
    parsed = english.parser.parse(document, probabilities=True)
    trees = english.parser.trees(document, probabilities=True)
    said = [sentence.comment("accord_confidence") for sentence in parsed.sentences]
    assert said == [f"{one:.4f}" for one in english.parser.tree_confidence(trees)]
    assert b"accord_confidence" not in english.parser.parse(document).to_bytes()
    unfitted = Parser(dataclasses.replace(english.parser.model, whole_temperature=None))
    assert b"accord_confidence" not in unfitted.parse(document, probabilities=True).to_bytes()
