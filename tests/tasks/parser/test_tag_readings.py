# SPDX-License-Identifier: Apache-2.0
"""Tags of a word that go together: readings seen in training; choices, probabilities and lists as enumeration says."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import Document, Parser
from accord._core import neural as _neural
from accord.errors import ModelError
from accord.tasks.network.vocabulary import collect_readings
from accord.tasks.parser import ParserModel
from accord.tasks.parser.tagging import NetworkTagger
from tests.tasks.parser.neural_cases import random_model, some_words, treebank

COLUMNS = ("upos", "xpos", "feats")


def enumerated(readings: Any, scores: list[Any]) -> tuple[Any, list[Any]]:
    """The chosen reading of each word, and the probabilities of the classes of each task."""
    sums = sum(scores[task][:, readings[:, task]].astype(np.float64) for task in range(readings.shape[1]))
    shares = np.exp(sums - sums.max(1, keepdims=True))
    shares /= shares.sum(1, keepdims=True)
    marginals = []
    for task, own in enumerate(scores):
        found = np.zeros(own.shape)
        for reading, number in enumerate(readings[:, task]):
            found[:, number] += shares[:, reading]
        marginals.append(found)
    first = marginals[0].argmax(1)
    allowed = np.where(readings[None, :, 0] == first[:, None], sums, -np.inf)
    return readings[allowed.argmax(1)], marginals


@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-12, 1e-3, 1.0, 30.0, 1e12]))
@settings(max_examples=150, deadline=None)
def test_choices_equal_enumeration(seed: int, scale: float) -> None:
    random = np.random.default_rng(seed)
    tasks = int(random.integers(1, 4))
    sizes = random.integers(1, 6, tasks)
    every = np.array(np.meshgrid(*[np.arange(size) for size in sizes])).reshape(tasks, -1).T
    readings = random.permutation(every)[: int(random.integers(1, len(every) + 1))].astype(np.int32)
    scores = [(scale * random.standard_normal((7, size))).astype(np.float32) for size in sizes]
    found = _neural.choose_readings(readings, scores)
    expected, marginals = enumerated(readings, scores)
    for word, (one, other) in enumerate(zip(found.tolist(), expected.tolist(), strict=True)):
        assert one in readings.tolist()
        if one != other:  # a tie, to rounding
            best = marginals[0][word]
            assert best[one[0]] == pytest.approx(best[other[0]], rel=1e-6)


def parser_with_readings(seed: int = 3) -> tuple[Parser, ParserModel]:
    """A random network, and the readings of its treebank: nouns and verbs have XPOS and FEATS of their own."""
    model = random_model(seed)
    assert model.network is not None and model.network.vocabulary.readings is not None
    return Parser(model), model


def without_readings(model: ParserModel) -> ParserModel:
    assert model.network is not None
    vocabulary = dataclasses.replace(model.network.vocabulary, readings=None)
    return dataclasses.replace(model, network=dataclasses.replace(model.network, vocabulary=vocabulary))


def test_tags_are_readings_of_the_treebank() -> None:
    parser, model = parser_with_readings()
    known = treebank()
    columns = [column for column in COLUMNS if column in parser.columns]
    seen = set(zip(*(known.column(column) for column in columns), strict=True))
    text = Document.from_sentences([some_words(seed, 9) for seed in range(20)])
    tagged = parser.tag(text)
    assert set(zip(*(tagged.column(column) for column in columns), strict=True)) <= seen
    free = Parser(without_readings(model)).tag(text)
    assert not set(zip(*(free.column(column) for column in columns), strict=True)) <= seen  # or this tests nothing
    parsed = parser.parse(text, tags="predict")
    assert [parsed.column(column) for column in columns] == [tagged.column(column) for column in columns]


def test_choices_probabilities_and_lists_agree() -> None:
    parser, model = parser_with_readings()
    assert model.network is not None
    readings = model.network.vocabulary.readings
    sentence = some_words(5, 8)
    columns = parser.columns[: readings.shape[1]]  # type: ignore[union-attr]
    alone = [parser.tag_logs(sentence, column, alone=True) for column in columns]
    chosen, marginals = enumerated(readings, alone)
    document = Document.from_sentences([sentence])
    tagger = NetworkTagger(parser)
    for task, column in enumerate(columns):
        np.testing.assert_allclose(np.exp(parser.tag_logs(sentence, column)), marginals[task], atol=1e-5)
        expected = marginals[task][np.arange(len(sentence)), chosen[:, task]]
        np.testing.assert_allclose(parser.tag_probabilities(document, column), expected, atol=1e-5)
    names = [tagger.labels[number] for number in chosen[:, 0]]
    assert tagger(document).column("upos") == tuple(names) or list(tagger(document).column("upos")) == names
    best = tagger.kbest(sentence, 3)
    assert list(best[0].value) == names
    assert best[0].score == pytest.approx(np.log(tagger.probabilities(document)).sum(), abs=1e-4)


def test_a_part_of_speech_that_is_kept_has_its_own_reading() -> None:
    parser, _ = parser_with_readings()
    known = treebank()
    seen = set(zip(*(known.column(column) for column in COLUMNS), strict=True))
    text = Document.from_sentences([some_words(seed, 9) for seed in range(6)])
    tagged = NetworkTagger(parser)(text, keep={"upos"})
    assert tagged.column("upos") == text.column("upos")
    rows = list(zip(*(tagged.column(column) for column in COLUMNS), strict=True))
    assert all(row in seen for row in rows if row[0] in {one[0] for one in seen})


def test_files_without_readings_choose_each_column_for_itself(tmp_path: Path) -> None:
    _, model = parser_with_readings()
    old = without_readings(model)
    old.save(tmp_path / "old.accord")
    loaded = Parser.load(tmp_path / "old.accord")
    sentence = some_words(1, 12)
    document = Document.from_sentences([sentence])
    for column in loaded.columns:
        if column != "lemma":
            names = model.network.vocabulary.classes[column]  # type: ignore[union-attr]
            best = [names[number] for number in loaded.tag_logs(sentence, column).argmax(1)]
            assert list(loaded.tag(document).column(column)) == best
    model.save(tmp_path / "new.accord")
    again = Parser.load(tmp_path / "new.accord").model.network
    assert again is not None and model.network is not None
    assert np.array_equal(again.vocabulary.readings, model.network.vocabulary.readings)  # type: ignore[arg-type]


def test_readings_are_those_of_the_treebank() -> None:
    known = treebank()
    classes = {column: tuple(sorted(set(known.column(column)))) for column in COLUMNS}
    readings = collect_readings(known, classes)
    assert readings is not None
    rows = {tuple(classes[column][number] for column, number in zip(COLUMNS, row, strict=True)) for row in readings}
    assert rows == set(zip(*(known.column(column) for column in COLUMNS), strict=True))
    assert collect_readings(known, {"upos": classes["upos"]}) is None


@pytest.mark.parametrize(
    "table",
    [[[0, 99, 0]], [[-1, 0, 0]], [[0, 0, 0], [0, 0, 0]], [[0, 0, 0, 0, 0]]],
    ids=["no class", "none", "twice", "wide"],
)
def test_readings_that_do_not_fit_are_refused(table: list[list[int]]) -> None:
    _, model = parser_with_readings()
    assert model.network is not None
    vocabulary = dataclasses.replace(model.network.vocabulary, readings=np.array(table, np.int32))
    with pytest.raises(ModelError, match="reading"):
        Parser(dataclasses.replace(model, network=dataclasses.replace(model.network, vocabulary=vocabulary)))
