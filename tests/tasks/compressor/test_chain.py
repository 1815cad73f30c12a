# SPDX-License-Identifier: Apache-2.0
"""Chains of kept and deleted words: lists of the best against enumeration, labels that cannot follow, budgets."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.chain import ChainCompressor, label_numbers, train_chain_compressor
from accord.tasks.compressor.engines import Question
from accord.tasks.compressor.language_model import LanguageModel
from accord.tasks.compressor.reranking import candidate_features, chain_engine, training_lists
from accord.tasks.labeller import LabellerConfig

SENTENCES = [("uh", "I", "I", "should", "go"), ("so", "we", "go", "now"), ("uh", "we", "should", "stay"), ("I", "stay")]
MASKS = [(0, 0, 1, 1, 1), (0, 1, 1, 1), (0, 1, 1, 1), (1, 1)]


def analysis(words: tuple[str, ...]) -> Analysis:
    size = len(words)
    return Analysis(words, ("X",) * size, ("X",) * size, (0, *[1] * (size - 1)), ("dep",) * size)


@pytest.fixture(scope="module", params=["bio", "binary"])
def chain(request: pytest.FixtureRequest) -> ChainCompressor:
    model = LanguageModel.train(SENTENCES)
    settings = LabellerConfig(templates="compress", method="lbfgs", l2=0.5, table="dictionary", bits=8, threads=1)
    result = train_chain_compressor(
        [analysis(words) for words in SENTENCES],
        [np.array(mask, np.bool_) for mask in MASKS],
        settings,
        labels=request.param,
        features="expanded",
        models=[model] * len(SENTENCES),
    )
    return ChainCompressor(result.model, "expanded", model)


def test_lists_hold_every_compression_once_and_in_order(chain: ChainCompressor) -> None:
    ranked = chain.nbest(analysis(SENTENCES[1]), 100)
    assert {one.kept for one in ranked} == set(itertools.product((False, True), repeat=4))
    assert len(ranked) == 16
    logs = [one.log_probability for one in ranked]
    assert logs == sorted(logs, reverse=True)
    assert sum(map(math.exp, logs)) == pytest.approx(1)


def test_probabilities_of_words_are_sums_over_compressions(chain: ChainCompressor) -> None:
    ranked = chain.nbest(analysis(SENTENCES[1]), 100)
    expected = sum(math.exp(one.log_probability) * np.array(one.kept) for one in ranked)
    assert chain.keep_probabilities(analysis(SENTENCES[1])) == pytest.approx(expected)


def test_what_was_learnt_is_repeated(chain: ChainCompressor) -> None:
    found = [chain.nbest(analysis(words), 1)[0].kept for words in SENTENCES]
    assert found == [tuple(map(bool, mask)) for mask in MASKS]


def test_labels_of_runs() -> None:
    mask = np.array([0, 0, 1, 0, 1, 0], np.bool_)
    assert label_numbers(mask, "bio").tolist() == [1, 2, 0, 1, 0, 1]
    assert label_numbers(mask, "binary").tolist() == [1, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("target", [1, 2, 3, 5])
def test_budgets_and_fates_are_kept(chain: ChainCompressor, target: int) -> None:
    engine = chain_engine(chain, None, 25)
    sentence = analysis(SENTENCES[0])
    keep, drop = np.zeros(5, np.bool_), np.zeros(5, np.bool_)
    costs = np.ones(5, np.int32)
    assert engine(Question(sentence, costs, (target, target), keep, drop)).kept.sum() == target
    keep[0] = True
    drop[4] = target < 5
    found = engine(Question(sentence, costs, (1, target), keep, drop)).kept
    assert found[0] and (target == 5 or not found[4]) and found.sum() <= target


def test_samples_for_the_reranker(chain: ChainCompressor) -> None:
    sentence = analysis(SENTENCES[0])
    ranked = chain.nbest(sentence, 8)
    features = candidate_features(sentence, ranked, chain.language_model)
    assert features[0]["rate"] == 0 and features[1]["rank 2"] == 1
    names = features[[one.kept for one in ranked].index((False, False, True, True, True))]
    assert names["w uh i/11"] == 1 and names["w uh i i/110"] == 1 and names["w should go </s>"] == 1
    several = [ranked[2].kept, ranked[0].kept]
    samples = list(training_lists([ranked], [several]))
    assert [members[positive] for _, members, positive in samples] == [0, 2]
    nothing = list(training_lists([ranked[1:]], [[ranked[0].kept]]))
    assert len(nothing) == 1 and len(nothing[0][1]) == 7
