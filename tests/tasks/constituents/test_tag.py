# SPDX-License-Identifier: Apache-2.0
"""The parser of spines: it keeps the contract of tasks, every learner teaches it, and its pruner does what it says."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from accord._core import text as _text
from accord.data import Document, Sentence
from accord.data.constituents.head_rules import HeadRules
from accord.errors import ConfigError, ModelError
from accord.tasks.constituents import ConstituencyParser, ConstituentsConfig
from accord.tasks.constituents.config import METHODS
from accord.tasks.constituents.tag.config import TagConfig
from accord.tasks.constituents.tag.grammar import SpineGrammar, derivations_of
from accord.tasks.constituents.task import TASK
from accord.tasks.constituents.training import compare, train_constituents
from accord.tasks.constituents.treebank import full_trees
from accord.tasks.examples import tiny_constituents
from tests.tasks.contract import CLAIMS, Trained, trained

TAG = TagConfig(bits=12, pruner_bits=8, pruner_epochs=2, heads="left")
SMALL = ConstituentsConfig(model="tag", epochs=2, threads=1, tag=TAG)
TRAINING, DEV = tiny_constituents(30), tiny_constituents(8, 30)


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    assert TASK.example is not None
    example = dataclasses.replace(TASK.example(), settings=SMALL, kept=None)
    return trained(dataclasses.replace(TASK, example=lambda: example), tmp_path_factory.mktemp("tag"))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_the_contract_of_tasks_is_kept(one: Trained, claim: Callable[[Trained], None]) -> None:
    claim(one)


@pytest.fixture(scope="module")
def parser() -> ConstituencyParser:
    return ConstituencyParser(train_constituents(TRAINING, DEV, SMALL).model)


@pytest.mark.parametrize("method", METHODS)
def test_every_learner_learns(method: str) -> None:
    config = dataclasses.replace(SMALL, method=method, epochs=4, rate=0.1)
    assert train_constituents(TRAINING, DEV, config).scores["F1"] > 95


@pytest.mark.parametrize(
    "change",
    [{"order": 1}, {"grandchild": "nearest"}, {"boundaries": False}, {"folds": 1}, {"heads": "right"}, {"alpha": 0.1}],
    ids=str,
)
def test_every_option_gives_a_parser(change: dict[str, object]) -> None:
    tag = dataclasses.replace(TAG, **change)  # type: ignore[arg-type]
    assert train_constituents(TRAINING, DEV, dataclasses.replace(SMALL, tag=tag)).scores["F1"] > 90


def test_probabilities_and_least_risk_are_of_the_trees_given(parser: ConstituencyParser) -> None:
    plain = parser.trees(DEV, threads=1)
    for one, known in zip(plain, parser.trees(DEV, probabilities=True, threads=1), strict=True):
        assert known.tree == one.tree and known.score == one.score
        assert known.probabilities is not None and known.log_probability is not None
        assert known.log_probability <= 0
        phrases = {(phrase.begin, phrase.end) for phrase in one.tree.phrases}
        assert set(known.probabilities) == phrases
        assert all(0 <= value <= 1 for value in known.probabilities.values())
    for one in parser.trees(DEV, least_risk=True, threads=1):
        assert one.tree.words > 0


def test_the_best_trees_differ_and_get_worse(parser: ConstituencyParser) -> None:
    wide = dataclasses.replace(parser.model.config.tag, alpha=0.0, spine_alpha=0.0)
    config = dataclasses.replace(parser.model.config, tag=wide)
    parser = ConstituencyParser(dataclasses.replace(parser.model, config=config))
    for sentence in DEV.sentences[:4]:
        ranked = parser.kbest(sentence, 5)
        assert len({repr(one.value) for one in ranked}) == len(ranked) > 1
        assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
        assert ranked[0].value == parser.trees(Document.from_sentences([sentence]))[0].tree


def test_unknown_tags_words_and_single_words_get_trees(parser: ConstituencyParser) -> None:
    odd = Document.from_sentences([Sentence.from_words(["Zyx"], xpos=["??"]), Sentence.from_words(["a"] * 9)])
    assert [one.tree.words for one in parser.trees(odd)] == [1, 9]
    assert parser.kbest(odd.sentences[1], 2)[0].value.words == 9


def test_rules_about_spans_need_spans(parser: ConstituencyParser) -> None:
    with pytest.raises(ConfigError, match="need a model of spans"):
        parser.parse(DEV.sentences[0], require=[(0, 2)])


def test_a_neural_scorer_is_refused() -> None:
    with pytest.raises(ConfigError, match="linear scorer"):
        train_constituents(TRAINING, DEV, dataclasses.replace(SMALL, scorer="neural"))


def test_a_damaged_grammar_is_one_error(parser: ConstituencyParser) -> None:
    for text, why in [("relation 1 2", "no line of a grammar"), ("tag A 7\nspine 0", "out of range"), ("", "tags")]:
        model = dataclasses.replace(parser.model, grammar=text or "spine 0")
        with pytest.raises(ModelError, match=why):
            ConstituencyParser(model)


def test_a_grammar_comes_back_from_its_text() -> None:
    derivations = list(
        derivations_of(TRAINING.sentences, full_trees(TRAINING, functions=False), HeadRules.load("left"))
    )
    grammar = SpineGrammar.of(derivations)
    assert SpineGrammar.from_text(grammar.to_text(), grammar.labels) == grammar
    assert all(number >= 0 for number in grammar.numbers(derivations)["spines"].tolist())


def pruned(parser: ConstituencyParser, alpha: float, unknown: tuple[int, ...] = (), **others: float) -> tuple[int, ...]:
    """Words, gold relations kept, relations kept, relations possible, spines kept, of the training data.

    ``unknown``: words of the data whose spine is said to be one that no training data have.
    """
    tag = dataclasses.replace(parser.model.config.tag, alpha=alpha, **others)  # type: ignore[arg-type]
    native = dataclasses.replace(parser.model, config=dataclasses.replace(parser.model.config, tag=tag)).native()
    grammar = SpineGrammar.from_text(parser.model.grammar, parser.labels)
    trees = full_trees(TRAINING, functions=False)
    gold = grammar.numbers(derivations_of(TRAINING.sentences, trees, HeadRules.load("left")))
    gold["spines"][list(unknown)] = -1
    sequences = _text.DocumentSequences(TRAINING.native)
    return tuple(native.pruning(sequences=sequences, clusters=_text.ClusterLexicon(), **gold))


def test_a_smaller_alpha_keeps_more(parser: ConstituencyParser) -> None:
    figures = [pruned(parser, alpha) for alpha in (1.0, 1e-1, 1e-3, 1e-6)]
    kept, relations = [one[1] for one in figures], [one[2] for one in figures]
    assert kept == sorted(kept) and relations == sorted(relations) and relations[0] < relations[-1]
    assert kept[-1] == figures[0][0]  # nothing of gold is lost


def test_a_spine_that_training_never_had_costs_its_own_arcs_only(parser: ConstituencyParser) -> None:
    trees = full_trees(TRAINING, functions=False)
    first = next(iter(derivations_of(TRAINING.sentences, trees, HeadRules.load("left"))))
    words, kept, *_ = pruned(parser, 0.0, spine_alpha=0.0, most=10_000)
    assert kept == words
    for word in range(len(first.spines)):
        joined = sum(one.head == word + 1 for one in first.adjunctions) + 1  # its modifiers, and the word itself
        assert pruned(parser, 0.0, (word,), spine_alpha=0.0, most=10_000)[1] == words - joined


def test_a_temperature_makes_the_pruner_less_sure() -> None:
    def kept(temperature: float) -> int:
        tag = dataclasses.replace(TAG, pruner_temperature=temperature)
        settings = dataclasses.replace(SMALL, epochs=1, tag=tag)
        return pruned(ConstituencyParser(train_constituents(TRAINING, None, settings).model), 1e-2)[2]

    assert kept(1.0) < kept(10.0)


def test_each_of_the_three_models_is_a_distribution(parser: ConstituencyParser) -> None:
    """For every word, the probabilities of its heads and labels sum to one, in each model; so do those of spines."""
    native = parser.model.native()
    sequences = _text.DocumentSequences(DEV.native)
    for sentence in range(len(DEV)):
        sums: dict[tuple[int, int], float] = defaultdict(float)
        for model, _, word, _, probability in native.marginals(sequences, sentence):
            sums[model, word] += probability
        words = int(DEV.lengths[sentence])
        assert set(sums) == {(model, word) for model in range(4) for word in range(1, words + 1)}
        assert np.allclose(list(sums.values()), 1.0)


def test_the_treebank_learns_better_trees_with_more(tmp_path: Path, parser: ConstituencyParser) -> None:
    """A model file of spines is read by anybody who reads parsers of phrases."""
    parser.model.save(tmp_path / "tag.accord")
    assert compare(ConstituencyParser.load(tmp_path / "tag.accord"), DEV).f1 == compare(parser, DEV).f1
