# SPDX-License-Identifier: Apache-2.0
"""Learned scores of cuts: decoding, losses and their slopes, and model files."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.learning.multitask import train_together
from accord.tasks.pipeline import Pipeline
from accord.tasks.summarizer import Summarizer, SummarizerConfig, SummarizerModel
from accord.tasks.summarizer.concepts import find_concepts
from accord.tasks.summarizer.cut_features import SIZE, features_of_cuts
from accord.tasks.summarizer.cutting import pieces_of
from accord.tasks.summarizer.extraction import ALL, CUTS, NON_NEGATIVE, Extraction
from accord.tasks.summarizer.features import CONCEPT_FEATURES
from accord.tasks.summarizer.parsing import with_pieces
from accord.tasks.summarizer.pruning import Pruning, best_cuts
from accord.tasks.summarizer.sources import Source, source_of_text
from accord.tasks.summarizer.topics import Topic
from accord.tasks.tokenizer import Tokenizer

STORM = "The storm, which killed at least twelve people in Florida, moved north on Tuesday."


@pytest.fixture(scope="module")
def english() -> Pipeline:
    return Pipeline.load("en")


@given(st.integers(0, 10**6), st.integers(1, 8))
def test_the_best_cuts_are_those_of_enumeration(seed: int, size: int) -> None:
    random = np.random.default_rng(seed)
    parents = (-1, *(int(random.integers(0, k)) for k in range(1, size)))
    scores = np.round(random.normal(size=size - 1), 1)

    def value(cut: tuple[bool, ...]) -> float:
        there, total = [True], 0.0
        for k in range(1, size):
            if cut[k - 1]:
                if not there[parents[k]]:
                    return -np.inf
                total += scores[k - 1]
            there.append(there[parents[k]] and not cut[k - 1])
        return total

    best = max(value(cut) for cut in itertools.product((False, True), repeat=size - 1))
    assert value(tuple(best_cuts(parents, scores).tolist())) == pytest.approx(best)


def test_compressions_of_people_teach_cuts(english: Pipeline) -> None:
    tree = english(STORM, input="sentences").sentences[0]
    pieces = pieces_of(tree)
    assert pieces is not None
    kept = [token.form in ("The", "storm", "moved", "north", ".") for token in tree.tokens]
    task = Pruning([(tree, kept)])
    weights = train_together([task], ALL, shared_penalty=0.0, own_penalties=[np.inf], epochs=50, rate=1.0).of(0)
    assert task.loss(0, weights)[0] < 0.01 < task.loss(0, np.zeros(ALL))[0]
    scores = weights[CONCEPT_FEATURES:][features_of_cuts(tree, pieces)].sum(axis=1)
    cut = best_cuts(pieces.parents, scores)
    assert cut.any()


def test_learned_cuts_decide_what_a_summary_leaves_out(english: Pipeline, tmp_path: Path) -> None:
    config = SummarizerConfig(words=14, compress=True)
    texts = [STORM, "The storm killed twelve people. It moved north."]
    for sign, whole in ((-100.0, True), (100.0, False)):
        model = SummarizerModel(config, cuts=(sign,) * SIZE)
        model.save(tmp_path / "cuts.accord")
        summary = Summarizer.load(tmp_path / "cuts.accord")(texts)
        assert all(one.is_whole for one in summary.sentences) == whole


def test_the_loss_of_compressive_summaries_has_the_slope_that_it_says(english: Pipeline) -> None:
    config = SummarizerConfig(words=12)
    texts = [STORM, "The storm killed twelve people in Florida. The roads near the coast were not safe."]
    sources: list[Source] = [source_of_text(text, Tokenizer.load("en")) for text in texts]
    parsed = with_pieces(sources, find_concepts(sources, config), english, 1000)
    task = Extraction([Topic(parsed, ["The storm killed twelve people."])], config)
    changed: set[str] = set()
    for seed in range(6):
        random = np.random.default_rng(seed)
        weights = np.where(NON_NEGATIVE, random.random(ALL), random.normal(size=ALL))
        loss, slope = task.loss(0, weights)
        assert loss > 0
        places = np.flatnonzero(slope)
        changed |= {"concepts" if k < CUTS.start else "cuts" if k < CUTS.stop else "sentences" for k in places.tolist()}
        for place in (*places[:5], *places[len(places) // 2 :][:5], *places[-3:]):
            step = 1e-6 * np.eye(ALL)[place]
            after = task.loss(0, weights + step)[0]
            assert (after - loss) / 1e-6 == pytest.approx(slope[place], abs=1e-3)
    assert changed == {"concepts", "cuts", "sentences"}
