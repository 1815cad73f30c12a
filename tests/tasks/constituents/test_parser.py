# SPDX-License-Identifier: Apache-2.0
"""The constituency parser: trees and spans are one thing, answers are those of the chart, every learner learns."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings

import accord
from accord.data import Document, Sentence
from accord.data.constituents import Constituents, collapse_unaries, expand_unaries
from accord.data.constituents.carriers import word_tags
from accord.data.constituents.shapes import without_root
from accord.errors import ConfigError, ConstraintError
from accord.tasks.constituents import ConstituencyParser, ConstituentsConfig
from accord.tasks.constituents.config import METHODS
from accord.tasks.constituents.pieces import cut_sentence, joined
from accord.tasks.constituents.training import compare, train_constituents
from accord.tasks.constituents.treebank import count_labels, gold_spans, learnt_trees, tree_of_spans
from accord.tasks.examples import tiny_constituents
from tests.data.constituents.random_trees import constituents

SMALL = ConstituentsConfig(epochs=3, bits=12, least_count=1, threads=1)


@pytest.fixture(scope="module")
def parser() -> ConstituencyParser:
    return ConstituencyParser(train_constituents(tiny_constituents(30), None, SMALL).model)


@settings(deadline=None)
@given(constituents(empties=False, labels=["S", "NP", "VP"]))
def test_spans_of_a_tree_are_the_tree(tree: Constituents) -> None:
    collapsed = collapse_unaries(without_root(tree))
    if collapsed.leaves[0] is not None:
        return
    labels = count_labels([collapsed], 1)
    gold = gold_spans([collapsed], labels)
    spans = [tuple(row) for row in gold.rows.tolist()]
    assert tree_of_spans(spans, collapsed.tags, labels) == expand_unaries(collapsed)


@pytest.mark.parametrize("method", METHODS)
def test_every_learner_learns(method: str) -> None:
    config = dataclasses.replace(SMALL, method=method, epochs=6, rate=0.1)
    result = train_constituents(tiny_constituents(30), tiny_constituents(8, 30), config)
    assert result.scores["F1"] > 95


def test_the_best_tree_is_that_of_the_chart(parser: ConstituencyParser) -> None:
    document = tiny_constituents(6, 40)
    for sentence, found in zip(document.sentences, parser.trees(document, probabilities=True), strict=True):
        distribution = parser.spans(sentence)
        best = distribution.argmax()
        assert tree_of_spans(best.spans, word_tags(sentence), parser.labels) == found.tree
        assert found.score == pytest.approx(best.score)
        marginals = distribution.marginals()
        assert found.probabilities is not None and found.log_probability is not None
        for begin, end, label in best.spans:
            assert found.probabilities[begin, end] == pytest.approx(marginals[begin, end, label], abs=1e-9)
        assert found.log_probability == pytest.approx(best.score - distribution.log_partition(), abs=1e-9)
        ranked = parser.kbest(sentence, 4)
        assert ranked[0].value == found.tree and len({repr(one.value) for one in ranked}) == 4
        assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)


def test_least_risk_gives_trees_too(parser: ConstituencyParser) -> None:
    document = tiny_constituents(6, 40)
    for sentence, found in zip(document.sentences, parser.trees(document, least_risk=True), strict=True):
        expected = parser.spans(sentence).least_risk()
        assert tree_of_spans(expected.spans, word_tags(sentence), parser.labels) == found.tree


def test_rules_are_obeyed(parser: ConstituencyParser) -> None:
    sentence = tiny_constituents(3).sentences[2]
    tree = parser.parse(sentence, require=[(0, 3)], labels={(0, 3): ["VP"]})
    assert ("VP", 0, 3) in {(node.label, node.begin, node.end) for node in tree.phrases}
    free = parser.parse(sentence, uncrossed=[(2, 4)])
    assert not any(node.begin < 2 < node.end < 4 or 2 < node.begin < 4 < node.end for node in free.phrases)
    with pytest.raises(ConstraintError, match="no tree"):
        parser.parse(sentence, require=[(0, 2), (1, 3)])
    with pytest.raises(ConfigError, match="label 'XP': this model knows"):
        parser.parse(sentence, labels={(0, 2): ["XP"]})


def test_labels_that_are_rare_are_left_out() -> None:
    text = "(S (NP (NN a)) (ODD (VB b) (NN c)))", "(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b)))"
    trees = [Constituents.from_text(one)[0] for one in text]
    labels = count_labels(trees, 2)
    assert set(labels) == {"S", "NP", "VP"}
    assert len(gold_spans(trees, labels).rows) == 2 + 3 + 3


def test_documents_hold_both_layers(parser: ConstituencyParser) -> None:
    document = tiny_constituents(4, 40).with_comments("constituents", [None] * 4)
    parsed = parser(document)
    assert parsed.heads.tolist() == document.heads.tolist()
    assert all(sentence.constituents is not None for sentence in parsed.sentences)
    assert compare(parser, tiny_constituents(4, 40)).f1 > 90
    assert accord.ConstituencyParser is ConstituencyParser


def test_long_sentences_are_parsed_in_pieces(parser: ConstituencyParser) -> None:
    words = ["the", "cat", "saw", "a", "dog", "."] * 900
    sentence = Sentence.from_words(words, xpos=["D", "N", "V", "D", "N", "P"] * 900)
    (found,) = parser.trees(Document.from_sentences([sentence]))
    assert found.tree.words == 5400
    assert [one.value for one in parser.kbest(sentence, 2)] == [found.tree]
    with pytest.raises(ConfigError, match="longest is 300"):
        parser.spans(sentence)


def test_pieces_end_behind_punctuation_and_join_to_the_whole() -> None:
    sentence = Sentence.from_words(list("abc,defgh,ij"))
    pieces = cut_sentence(sentence, 6)
    assert ["".join(piece.forms) for piece in pieces] == ["abc,", "defgh,", "ij"]
    trees = [Constituents.from_text(text)[0] for text in ("(S (A a) (B b))", "(C c)")]
    assert joined(trees, "TOP").brackets(["a", "b", "c"]) == "(TOP (S (A a) (B b)) (C c))"


def test_a_treebank_without_trees_is_refused() -> None:
    plain = Document.from_sentences([Sentence.from_words(["a"])], name="plain")
    with pytest.raises(ConfigError, match="plain:1: the sentence has no constituents"):
        learnt_trees(plain, functions=False)
    with pytest.raises(ConfigError, match="no sentence of the training data has a phrase"):
        train_constituents(Document.from_sentences([Sentence.from_words(["a"], comments=["# constituents = (N 1)"])]))


def test_sentences_without_tags_still_get_trees(parser: ConstituencyParser) -> None:
    (found,) = parser.trees(Document.from_sentences([Sentence.from_words(["the", "cat", "slept"])]))
    assert found.tree.tags == ("X", "X", "X")
    assert np.isfinite(found.score)
