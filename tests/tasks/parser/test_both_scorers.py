# SPDX-License-Identifier: Apache-2.0
"""Parsers with both scorers: sums of two scorers slot by slot, and exactly one of them where the other has no share."""

from __future__ import annotations

import dataclasses
import pickle
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import Document, Parser
from accord.errors import ConfigError, ModelError
from accord.inference.rules import MaxDependents
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig, ParserModel
from accord.tasks.parser.both import joined, tuned
from accord.tasks.parser.training import train_parser
from tests.inference.enumerated_trees import SPACES, Space, all_trees, enumerated_marginals, tree_scores
from tests.tasks.parser.neural_cases import (
    EVERY_ARC,
    SMALL,
    in_space,
    label_scores,
    random_network,
    some_words,
    treebank,
)

TINY = {"arc_bits": 12, "label_bits": 8, "part_bits": 12, "tree_label_bits": 8, "pair_bits": 8, "pruner_bits": 10,
        "second_pruner_bits": 10, "pruner_epochs": 2, "epochs": 2, "threads": 1}  # fmt: skip
SINGLE = Space(projective=False, single_root=True)


@cache
def _pair(order: int, labels: str, space: Space, tags: str) -> tuple[ParserModel, ParserModel]:
    known = treebank()
    common = {**TINY, **EVERY_ARC, **in_space(space), "labels": labels}
    linear = train_parser(known, None, make_settings(ParserConfig, {**common, "order": order})).model
    config = make_settings(ParserConfig, {**common, "scorer": "neural", "neural": {**SMALL, "tags": tags}})
    network = random_network(config.neural, known, labels=len(linear.labels), seed=order)
    neural = ParserModel(config, linear.single_root, linear.labels, "", {}, network=network, temperature=1.7)
    return dataclasses.replace(linear, temperature=0.4, label_temperature=0.8), neural


def pair(order: int = 1, labels: str = "joint", space: Space = SINGLE, tags: str = "predict") -> tuple[Any, Any]:
    """A trained linear parser and a random network with the same labels and kind of trees."""
    return _pair(order, labels, space, tags)


def document(*lengths: int) -> Document:
    return Document.from_sentences([some_words(7 + index, length) for index, length in enumerate(lengths)])


def outcome(model: ParserModel, text: Document) -> tuple[bytes, bytes, list[Any]]:
    parser = Parser(model)
    trees = parser.trees(text, probabilities=True)
    ranked = [(one.score, one.heads, one.deprels) for one in parser.kbest(text.sentences[0], 5)]
    return parser.parse(text, probabilities=True).to_bytes(), trees.scores.tobytes(), ranked


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("labels", ["joint", "separate", "none"])
def test_without_the_network_it_is_the_linear_parser(order: int, labels: str) -> None:
    linear, network = pair(order, labels)
    text = document(4, 9, 1, 17)
    assert outcome(joined(linear, network, 0.0), text) == outcome(linear, text)


@pytest.mark.parametrize("labels", ["joint", "separate", "none"])
def test_without_linear_scores_it_is_the_network(labels: str) -> None:
    linear, network = pair(1, labels)
    text = document(4, 9, 1, 17)
    assert outcome(joined(linear, network, 1.0), text) == outcome(network, text)


@given(weight=st.floats(0, 1), factor=st.floats(0, 8), seed=st.integers(0, 99), words=st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_scores_are_sums(weight: float, factor: float, seed: int, words: int) -> None:
    linear, network = pair(1, "separate")
    model = joined(linear, network, weight, factor)
    assert model.shares is not None
    sentence = some_words(seed, words)
    both, one, other = Parser(model), Parser(linear), Parser(network)
    expected = np.zeros((words + 1, words + 1))
    for share, parser in ((model.shares.linear, one), (model.shares.network_arcs, other)):
        expected += share * parser.arc_scores(sentence) if share else 0.0
    np.testing.assert_allclose(both.arc_scores(sentence), expected, rtol=1e-12, atol=1e-9)
    labels = model.shares.linear * label_scores(one, sentence) + model.shares.network_labels * label_scores(
        other, sentence
    )
    np.testing.assert_allclose(label_scores(both, sentence), labels, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("labels", ["joint", "separate"])
@pytest.mark.parametrize("space", SPACES, ids=str)
def test_trees_lists_and_probabilities_equal_enumeration(space: Space, labels: str) -> None:
    linear, network = pair(1, labels, space)
    parser = Parser(joined(linear, network, 0.4))
    for words in (1, 2, 3, 4):
        sentence = some_words(words, words)
        scores = parser.arc_scores(sentence)  # in joint mode with the best label's
        best = sorted(tree_scores(scores, space).tolist(), reverse=True)
        found = parser.kbest(sentence, 10)
        assert [tree.score for tree in found] == pytest.approx(best[:10], abs=1e-6)
        plain = scores if labels == "separate" else _summed(parser, linear, network, space, sentence)
        marginals = enumerated_marginals(plain, space)
        trees = parser.trees(Document.from_sentences([sentence]), probabilities=True)
        arcs = marginals[trees.heads, np.arange(1, words + 1)]
        np.testing.assert_allclose(trees.arc_probability, arcs, atol=1e-4)


def _summed(parser: Parser, linear: Any, network: Any, space: Space, sentence: Any) -> Any:
    """Arc scores with labels summed out."""
    labels = label_scores(parser, sentence)
    return parser.arc_scores(sentence) - labels.max(2) + np.log(np.exp(labels).sum(2))


@pytest.mark.parametrize("order", [2, 3])
def test_larger_parts_stand_on_the_sum_of_arcs(order: int) -> None:
    linear, network = pair(order, "separate")
    model = joined(linear, network, 0.5)
    parser, one, other = Parser(model), Parser(linear), Parser(network)
    assert model.shares is not None
    for seed in range(5):
        sentence = some_words(seed, 4)
        arcs = other.arc_scores(sentence)
        values = {tree.heads: tree.score for tree in one.kbest(sentence, 500)}
        expected = {
            heads: model.shares.linear * score
            + model.shares.network_arcs * sum(arcs[head, word] for word, head in enumerate(heads, 1))
            for heads, score in values.items()
        }
        found = parser.kbest(sentence, 500)
        assert len(values) == len(all_trees(4, SINGLE)) == len(found)
        for tree in found:
            assert tree.score == pytest.approx(expected[tree.heads], abs=1e-6)
        assert parser.trees(Document.from_sentences([sentence])).scores[0] == pytest.approx(max(expected.values()))


def test_rules_hold_for_sums() -> None:
    parser = Parser(joined(*pair(2), 0.5))
    text = document(6, 8)
    rule = MaxDependents(1)
    trees = parser.trees(text, rules=[rule])
    free = parser.trees(text)
    start = 0
    for length in text.lengths.tolist():
        heads = trees.heads[start : start + length].tolist()
        assert all(heads.count(word) <= 1 for word in range(1, length + 1))
        start += length
    assert (trees.scores <= free.scores + 1e-9).all()


def test_linear_features_read_the_tags_that_the_network_predicts() -> None:
    linear, network = pair(1)
    parser = Parser(joined(linear, network, 0.5))
    text = document(5, 8).replace(upos=["_"] * 13)
    tagged = parser.tag(text)
    assert parser.parse(text, tags="predict").heads.tolist() == parser.parse(tagged).heads.tolist()
    assert parser.parse(text, tags="predict").column("upos") == tagged.column("upos")
    assert parser.reads_tags and not Parser(network).reads_tags


def test_a_model_file_gives_the_model_back(tmp_path: Path) -> None:
    model = joined(*pair(2), 0.3, 2.0)
    model.save(tmp_path / "both.accord")
    loaded = Parser.load(tmp_path / "both.accord")
    assert loaded.model.shares == model.shares and loaded.config == model.config
    assert outcome(loaded.model, document(3, 8)) == outcome(model, document(3, 8))
    assert loaded.model.network is not None and loaded.columns == Parser(model).columns
    assert pickle.loads(pickle.dumps(loaded)).parse(document(9)).to_bytes() == loaded.parse(document(9)).to_bytes()


def test_tuning_finds_the_better_scorer() -> None:
    linear, network = pair(1)  # the network is random
    gold = treebank()
    config = dataclasses.replace(linear.config, scorer="both")
    model, found = tuned(linear, network, gold, config)
    assert found["weights"]["0"] > found["weights"]["1"] and found["weight"] < 0.5
    assert found["scores"]["LAS"] >= max(found["weights"].values()) - 1e-9
    assert Parser(model).config.both.fixed_weight() == found["weight"]


def test_models_that_do_not_fit_are_refused() -> None:
    linear, network = pair(1)
    with pytest.raises(ConfigError, match="labels"):
        joined(linear, dataclasses.replace(network, labels=(*network.labels, "extra")), 0.5)
    with pytest.raises(ConfigError, match="single_root"):
        joined(linear, dataclasses.replace(network, single_root=not network.single_root), 0.5)
    with pytest.raises(ModelError, match="shares"):
        Parser(dataclasses.replace(joined(linear, network, 0.5), shares=None))
    with pytest.raises(ConfigError, match=r"both\.weight"):
        train_parser(treebank(), None, make_settings(ParserConfig, {"scorer": "both", "both.weight": "2"}))


def test_files_of_two_parsers_are_joined(tmp_path: Path) -> None:
    linear, network = pair(1)
    linear.save(tmp_path / "l.accord")
    network.save(tmp_path / "n.accord")
    files = {"both.linear": str(tmp_path / "l.accord"), "both.neural": str(tmp_path / "n.accord")}
    config = make_settings(ParserConfig, {"scorer": "both", **files, "both.weight": "0.25"})
    model = train_parser(treebank(), None, config).model
    assert model.shares == joined(linear, network, 0.25).shares
    swapped = make_settings(ParserConfig, {"scorer": "both", "both.linear": files["both.neural"]})
    with pytest.raises(ConfigError, match="its scorer is neural"):
        train_parser(treebank(), None, swapped)
