# SPDX-License-Identifier: Apache-2.0
"""Weights of words, tags and phrases against each other, tuned on dev data."""

from __future__ import annotations

import dataclasses

from accord.data import Document
from accord.learning import SILENT, Reporter, spread
from accord.tasks.joint_constituents.lattice import Lattice
from accord.tasks.joint_constituents.model import JointConstituencyParser, JointConstituentsModel, Mixture
from accord.tasks.joint_constituents.scoring import Gold, gold_of, joint_scores

STEPS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # weights that may be tried, in this order, from the middle on
SHARES = (0.0, 0.4, 0.7, 1.0, 1.3)  # bonuses that may be tried


def tune_weights(
    model: JointConstituentsModel, dev: Document, *, reporter: Reporter = SILENT
) -> tuple[JointConstituentsModel, dict[str, float]]:
    """The model with the weights whose brackets, tags and words are best on dev data, one weight after the other.

    What counts is the mean of the three F1. A weight that the settings give stays; another one goes up or down as long
    as this is better.
    """
    config = model.config
    parser = JointConstituencyParser(model)
    gold = spread(gold_of(dev), config.tuning)
    texts = ["".join(words) for words, _ in gold]
    tried: dict[Mixture, tuple[float, ...]] = {}

    def scores(weights: Mixture) -> tuple[float, ...]:
        if weights not in tried:
            found = parser.trees(texts, weights=weights, threads=config.threads)
            tried[weights] = tuple(joint_scores(gold, found).to_dict().values())
            line = ", ".join(f"{value:.2f}" for value in tried[weights])
            given = ", ".join(f"{value:g}" for value in weights)
            reporter.note(f"weights {given}: brackets, tags, words {line}")
        return tried[weights]

    unit = config.phrase_weight * _score_of_word(parser, gold, config.threads)
    best = model.weights._replace(bonus=-unit if config.even else 0.0)

    def climbed(name: str, weights: Mixture) -> Mixture:
        values = _values(name, weights, unit)
        tries = [weights._replace(**{name: value}) for value in values]
        here = min(range(len(values)), key=lambda place: abs(values[place] - getattr(weights, name)))
        for step in (1, -1):
            begin = here
            while 0 <= here + step < len(tries) and sum(scores(tries[here + step])) > sum(scores(tries[here])):
                here += step
            if here != begin:
                break
        return tries[here]

    for name, free in (
        ("words", config.word_weight == 0),
        ("tags", config.tag_weight == 0),
        ("bonus", config.even),
        ("words", config.word_weight == 0),
    ):
        if free:
            best = climbed(name, best)
    names = ("brackets", "tags", "words")
    return dataclasses.replace(model, weights=best), dict(zip(names, scores(best), strict=True))


def _values(name: str, weights: Mixture, unit: float) -> list[float]:
    """What is tried for a weight; of a bonus, shares of what phrases score for a word."""
    if name == "bonus":
        return [-unit * share for share in SHARES]
    return [step * weights.phrases for step in STEPS]


def _score_of_word(parser: JointConstituencyParser, gold: Gold, threads: int) -> float:
    """What phrases score for a word of gold segmentations on average."""
    lattices = [Lattice.of_words(words) for words, _ in gold]
    found = parser.parse(lattices, weights=Mixture(1.0, 1e-3, 1.0), pipeline=True, threads=threads)
    return sum(one.score for one in found) / max(sum(len(one.words) for one in found), 1)
