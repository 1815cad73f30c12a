# SPDX-License-Identifier: Apache-2.0
"""Settings of rerankers. A trained model carries all of them."""

from __future__ import annotations

from dataclasses import dataclass

from accord.settings import group, setting

DOMAINS = ("lexical", "tag", "highest", "categories")
EDGES = ("head", "sibling")
LINEAR = ("boosting", "maxent", "mira")


@dataclass(frozen=True)
class BoostingConfig:
    """Boosting: one feature a round."""

    rounds: int = setting(5000, "most rounds; dev data choose how many of them count", low=1)
    smoothing: str = setting(
        "0.0005 0.0025 0.01", "shares of the loss that smooth steps; dev data choose among several"
    )
    loss: str = setting("exp", "exp: exponential; log: logarithmic, by its upper bound", choices=("exp", "log"))
    algorithm: str = setting(
        "sparse", "sparse: by inverted lists; naive: all over again each round", choices=("sparse", "naive")
    )
    weights: str = setting(
        "score",
        "score: a pair weighs as much as its candidates differ in quality; unit: all alike",
        choices=("score", "unit"),
    )
    start: str = setting(
        "score",
        "what features add to. score: the base model's score; numbers: a log-linear model of all numbers",
        choices=("score", "numbers"),
    )
    calibrate: bool = setting(True, "choose the weight of the start by the loss; else it is 1")


@dataclass(frozen=True)
class MaxentConfig:
    """Log-linear models."""

    loss: str = setting(
        "margin",
        "likelihood of the best candidates; margin: with costs added; risk: expected cost",
        choices=("likelihood", "margin", "risk"),
    )
    l2: str = setting("10 30 100", "penalties of squared weights; dev data choose among several")
    iterations: int = setting(120, "most iterations of L-BFGS", low=1)


@dataclass(frozen=True)
class MiraConfig:
    """Steps by mistakes."""

    epochs: int = setting(8, "passes over the lists; dev data choose how many of them count", low=1)
    aggressiveness: float = setting(0.002, "longest step", low=1e-9)


@dataclass(frozen=True)
class HiddenConfig:
    """Models with hidden values."""

    templates: str = setting("auto", "templates of words and edges: a packaged name or a file; auto: by the kind")
    values: int = setting(5, "values of a tag, of a phrase or of a word without a category", low=1, high=32)
    word_values: int = setting(3, "values of a word form or of a category", low=1, high=32)
    categories: str = setting("", "domain categories: a file, 'word<TAB>category' a line; a word may have several")
    epochs: int = setting(3, "passes over the lists; dev data choose how many of them count", low=1)
    rate: float = setting(0.1, "length of the steps of AdaGrad", low=0.0)
    l2: float = setting(0.001, "decay of weights that are touched", low=0.0)
    spread: float = setting(0.05, "standard deviation of the first weights; 0: values never come apart", low=0.0)
    with_score: bool = setting(True, "training knows the base model's score; else only the mixture does")


@dataclass(frozen=True)
class RerankerConfig:
    """Which of the k best answers of another model is the best, by features of whole answers."""

    base: str = setting("", "model whose lists are reranked; empty: the training data are lists")
    method: str = setting(
        "maxent+boosting",
        "what is learnt, with + between: boosting, maxent, mira, hidden/DOMAIN/EDGES with the domains "
        f"{', '.join(DOMAINS)} and the edges {' and '.join(EDGES)}; dev data weigh them",
    )
    k: int = setting(50, "candidates of a list", low=2, high=1000)
    folds: int = setting(5, "parts of the training data; a model of the other parts makes the lists of each", low=2)
    lists: str = setting("", "file that the lists are written to, to be trained on again; empty: none")
    templates: str = setting(
        "auto", "features: packaged sets or files, with + between; auto: by the kind of candidates"
    )
    head_rules: str = setting("collins", "head rules for trees of phrases: a packaged name or a file")
    least_count: int = setting(5, "features of fewer lists are left out", low=1)
    numbers: str = setting(
        "score",
        "what maxent and mira learn beside features. score: the base model's score; all: also consensus, size and "
        "right branch",
        choices=("score", "all"),
    )
    seed: int = setting(1, "seed of the order of lists and of first weights", low=0)
    threads: int = setting(0, "threads; 0: all cores; the result does not depend on it", low=0)

    boosting: BoostingConfig = group(BoostingConfig, "of boosting")
    maxent: MaxentConfig = group(MaxentConfig, "of log-linear models")
    mira: MiraConfig = group(MiraConfig, "of steps by mistakes")
    hidden: HiddenConfig = group(HiddenConfig, "of hidden values")
