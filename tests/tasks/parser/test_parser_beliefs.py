# SPDX-License-Identifier: Apache-2.0
"""Parsers of higher order: probabilities, temperatures, k-best lists and training by sums."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord import Document, Parser, Sentence
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig, ParserModel
from accord.tasks.parser.temperature import fit_temperature
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores
from tests.conftest import toy_document

SMALL = {
    "arc_bits": 14,
    "label_bits": 10,
    "part_bits": 14,
    "pruner_bits": 12,
    "tree_label_bits": 10,
    "pair_bits": 10,
    "epochs": 2,
    "threads": 1,
    "pruner_threshold": 0.0,
}


def small_model(train: Document, dev: Document | None, **values: Any) -> ParserModel:
    return train_parser(train, dev, make_settings(ParserConfig, {**SMALL, **values})).snapshot


@pytest.fixture(scope="module", params=[2, 3], ids=["order 2", "order 3"])
def model(request: pytest.FixtureRequest, toy_train: Document, toy_dev: Document) -> ParserModel:
    return small_model(toy_train, toy_dev, order=request.param)


def short_sentences(length: int, count: int) -> list[Sentence]:
    """The first words of toy sentences, whatever their trees."""
    return [
        Sentence.from_words(
            [word.form for word in s.words[:length]],
            lemmas=[word.lemma for word in s.words[:length]],
            upos=[word.upos for word in s.words[:length]],
            xpos=[word.xpos for word in s.words[:length]],
        )
        for s in toy_document(count, 31).sentences
    ]


def enumerated(parser: Parser, sentence: Sentence) -> tuple[float, dict[tuple[int, int], float]]:
    """log Z and arc probabilities from the list of all trees."""
    trees = parser.kbest(sentence, 100_000)
    weights = np.array([tree.score for tree in trees]) / parser.model.temperature
    log_partition = float(np.logaddexp.reduce(weights))
    arcs: dict[tuple[int, int], float] = {}
    for tree, weight in zip(trees, weights.tolist(), strict=True):
        for dependent, head in enumerate(tree.heads, 1):
            arcs[head, dependent] = arcs.get((head, dependent), 0.0) + math.exp(weight - log_partition)
    return log_partition, arcs


@pytest.mark.parametrize("projective", [True, False])
def test_probabilities_are_those_of_all_trees(toy_train: Document, toy_dev: Document, projective: bool) -> None:
    parser = Parser(small_model(toy_train, toy_dev, order=2, projective=projective, labels="none"))
    tolerance = 1e-6 if projective else 0.08  # charts are exact, beliefs are not
    for sentence in short_sentences(3, 6):
        found = parser.trees(Document.from_sentences([sentence]), probabilities=True)
        log_partition, arcs = enumerated(parser, sentence)
        expected = [arcs[head, dependent] for dependent, head in enumerate(found.heads.tolist(), 1)]
        np.testing.assert_allclose(found.arc_probability, expected, atol=tolerance)
        log_probability = found.scores[0] / parser.model.temperature - log_partition
        assert found.tree_log_probability[0] == pytest.approx(log_probability, abs=2 * tolerance)


def test_confidences_are_written_and_are_probabilities(model: ParserModel, toy_dev: Document) -> None:
    for temperature in (model.temperature, 1e-3, 1e3):
        parser = Parser(dataclasses.replace(model, temperature=temperature))
        found = parser.trees(toy_dev, probabilities=True)
        assert np.all((found.arc_probability >= 0) & (found.arc_probability <= 1))
        assert np.all((found.label_probability >= 0) & (found.label_probability <= found.arc_probability + 1e-9))
        assert np.all(found.tree_log_probability <= 0) and np.all(np.isfinite(found.tree_log_probability))
    parsed = Parser(model).parse(toy_dev, probabilities=True)
    assert all("ArcConf=" in misc and "LabelConf=" in misc for misc in parsed.column("misc"))
    assert Parser(model).parse(toy_dev, probabilities=True, threads=3).to_bytes() == parsed.to_bytes()


def chained(sentence: Sentence) -> Sentence:
    """Every word on the one before it, which no model of the toy language expects."""
    words = (dataclasses.replace(word, head=word.id - 1, deprel="det") for word in sentence.words)
    return dataclasses.replace(sentence, words=tuple(words))


def test_temperatures_are_fitted_to_dev_arcs_and_labels(model: ParserModel, toy_dev: Document, tmp_path: Path) -> None:
    sentences = [chained(s) if i % 5 == 0 else s for i, s in enumerate(toy_dev.sentences)]
    noisy = Document.from_sentences(sentences)
    fitted = fit_temperature(model, noisy, threads=1)
    assert fitted.label_temperature is not None and fitted.temperature > model.temperature
    best = Parser(fitted)
    for factor in (0.3, 3.0):
        tried = Parser(dataclasses.replace(fitted, temperature=fitted.temperature * factor))
        assert tried.gold_log_likelihood(noisy) < best.gold_log_likelihood(noisy)
        tried = Parser(dataclasses.replace(fitted, label_temperature=fitted.label_temperature * factor))
        assert tried.gold_label_log_likelihood(noisy) < best.gold_label_log_likelihood(noisy)
    fitted.save(tmp_path / "fitted.accord")
    assert ParserModel.load(tmp_path / "fitted.accord").label_temperature == fitted.label_temperature


def test_kbest_is_sorted_distinct_and_starts_with_the_parse(model: ParserModel) -> None:
    parser = Parser(dataclasses.replace(model, config=dataclasses.replace(model.config, solver="branch_and_bound")))
    for sentence in short_sentences(4, 4):
        found = parser.trees(Document.from_sentences([sentence]))
        best = parser.kbest(sentence, 5)
        assert all(tree.certified for tree in best)
        assert best[0].heads == tuple(found.heads.tolist())
        assert best[0].deprels == tuple(parser.labels[label] for label in found.labels)
        assert best[0].score == pytest.approx(found.scores[0])
        assert all(a.score >= b.score - 1e-6 for a, b in pairwise(best))
        assert len({tree.heads for tree in best}) == 5
        everything = sorted((tree.score for tree in parser.kbest(sentence, 100_000)), reverse=True)
        assert [tree.score for tree in best] == pytest.approx(everything[:5])


@pytest.mark.parametrize("rule", ["crf", "softmax_margin"])
@pytest.mark.parametrize("projective", [True, False])
def test_sums_over_trees_train(toy_train: Document, toy_dev: Document, rule: str, projective: bool) -> None:
    model = small_model(toy_train, toy_dev, order=2, rule=rule, rate=0.1, projective=projective)
    parsed = Parser(model).parse(toy_dev, threads=1)
    assert attachment_scores(toy_dev, parsed.heads, parsed.column("deprel")).las > 95


def test_given_heads_and_labels_are_certain(model: ParserModel, toy_dev: Document) -> None:
    parser = Parser(model)
    free = parser.trees(toy_dev, probabilities=True)
    heads = [head if i % 3 == 0 else None for i, head in enumerate(toy_dev.heads.tolist())]
    deprels = [label if i % 3 == 0 else "_" for i, label in enumerate(toy_dev.column("deprel"))]
    half = toy_dev.replace(heads=heads, deprels=deprels)
    found = parser.trees(half, probabilities=True, keep="given")
    np.testing.assert_allclose(found.arc_probability[::3], 1, atol=1e-6)
    np.testing.assert_allclose(found.label_probability[::3], 1, atol=1e-6)
    assert np.all((found.label_probability >= 0) & (found.label_probability <= found.arc_probability + 1e-9))
    assert found.tree_log_probability.sum() >= free.tree_log_probability.sum() - 1e-6
