# SPDX-License-Identifier: Apache-2.0
"""Settings of the parser of spines."""

from __future__ import annotations

from dataclasses import dataclass

from accord.settings import setting


@dataclass(frozen=True)
class TagConfig:
    """Spines of words and their adjunctions, scored by features of words; the best derivation by an exact chart."""

    order: int = setting(2, "1: spines and adjunctions; 2: also siblings and grandchildren", low=1, high=2)
    grandchild: str = setting(
        "outermost",
        "order 2: which modifier of a modifier is looked at on each side",
        choices=("outermost", "nearest"),
    )
    boundaries: bool = setting(True, "score the places where phrases begin and end")
    heads: str = setting("collins", "head rules: a packaged name or a file")
    templates: str = setting("tag", "feature templates: names inside the package or files, with + between")
    bits: int = setting(22, "2^bits weights of parts", low=4, high=24)

    alpha: float = setting(
        1e-4, "relations are kept whose probability is at least this share of the word's best", low=0.0, high=1.0
    )
    spine_alpha: float = setting(
        1e-3, "spines are kept whose probability is at least this share of the word's best", low=0.0, high=1.0
    )
    most: int = setting(1000, "relations kept of a word, at most", low=1)
    pruner_bits: int = setting(18, "2^bits rows of the pruner's weights, one for each label", low=4, high=20)
    pruner_epochs: int = setting(2, "passes that train the pruner", low=1)
    pruner_rate: float = setting(0.1, "length of a step of the pruner's training", low=0.0)
    pruner_temperature: float = setting(
        1.5,
        "what divides the scores of the pruner's arcs: above 1 it is less sure of what it saw in training",
        low=0.01,
    )
    folds: int = setting(4, "pruners of which each prunes sentences that it has not seen in training; 1: none", low=1)
