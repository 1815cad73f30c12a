# SPDX-License-Identifier: Apache-2.0
"""Linear rerankers: weights of features and of numbers, learnt by boosting, as a log-linear model or by mistakes.

Where there are dev lists, they choose among the settings that are given as several numbers, and how many rounds or
passes count. Without them the middle one of several is taken, and all rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accord.errors import ConfigError
from accord.learning import epoch_order
from accord.tasks.reranker.config import RerankerConfig
from accord.tasks.reranker.dataset import Dataset
from accord.tasks.reranker.features import Floats
from accord.tasks.reranker.pairs import Pairs, replay

_CHUNK = 200  # rounds of boosting between two looks at signals
_LOOKS = 60  # numbers of rounds that dev data choose from
_RAISED = 10.0  # the spread of the base model's score, where that of a feature is at most 1


@dataclass(frozen=True)
class LinearReranker:
    """Weights of the kept features, and of the numbers. ``figures``: what training has to say about itself."""

    name: str
    weights: Floats
    numbers: Floats
    figures: dict[str, Any] = field(default_factory=dict)

    def scores(self, data: Dataset) -> Floats:
        return data.linear(self.weights, data.numbers, self.numbers)


def several(text: str, name: str) -> list[float]:
    """The numbers of a setting that may hold several.

    >>> several("0.1 1", "l2")
    [0.1, 1.0]
    """
    try:
        found = [float(one) for one in text.replace(",", " ").split()]
    except ValueError:
        found = []
    if not found or not all(np.isfinite(one) and one >= 0 for one in found):
        raise ConfigError(f"{name} = {text!r}: expected numbers that are not negative, with blanks between")
    return found


def _chosen(candidates: list[LinearReranker], dev: Dataset | None) -> LinearReranker:
    if dev is None:
        return candidates[len(candidates) // 2]
    return max(candidates, key=lambda one: dev.score(one.scores(dev)).chosen)


def spreads(data: Dataset) -> Floats:
    """How far numbers are apart inside lists; 1 where they are all the same."""
    inner = np.concatenate([one.numbers - one.numbers.mean(axis=0) for one in data.lists])
    found: Floats = inner.std(axis=0)
    return np.where(found > 1e-12, found, 1.0)


def number_weights(data: Dataset, config: RerankerConfig) -> Floats:
    """A log-linear model of the numbers alone."""
    spread = spreads(data)
    bare = Dataset(data.lists, data.keys[:0], np.zeros_like(data.starts), data.columns[:0])
    weights = bare.with_numbers(data.numbers / spread).fit("likelihood", 1.0, config.maxent.iterations, config.threads)
    return np.asarray(weights / spread)


def number_factors(data: Dataset, config: RerankerConfig) -> Floats:
    """What numbers are multiplied by before their weights are learnt, beside features that are 0 or 1.

    The base model's score alone stands far above the spread of its list, so that penalties and longest steps, which are
    meant for features, hardly hold its weight back.
    """
    spread = spreads(data)
    if config.numbers == "all":
        return 1.0 / spread
    found: Floats = np.zeros_like(spread)
    found[0] = _RAISED / spread[0]
    return found


def train_maxent(data: Dataset, dev: Dataset | None, config: RerankerConfig) -> LinearReranker:
    """A log-linear model of features and numbers, by L-BFGS."""
    factors = number_factors(data, config)
    lists = data.with_numbers(data.numbers * factors)
    found = []
    for l2 in several(config.maxent.l2, "maxent.l2"):
        weights = lists.fit(config.maxent.loss, l2, config.maxent.iterations, config.threads)
        found.append(_linear("maxent", weights, data, factors, {"l2": l2}))
    return _chosen(found, dev)


def _linear(name: str, weights: Floats, data: Dataset, factors: Floats, figures: dict[str, Any]) -> LinearReranker:
    count = len(data.keys)
    return LinearReranker(name, np.asarray(weights[:count]), np.asarray(weights[count:] * factors), figures)


def train_mira(data: Dataset, dev: Dataset | None, config: RerankerConfig) -> LinearReranker:
    """Steps by mistakes; the mean of the weights."""
    from accord._core import learn as _learn

    factors = number_factors(data, config)
    native = _learn.ListMira(data.with_numbers(data.numbers * factors), config.mira.aggressiveness)
    found = []
    for epoch in range(config.mira.epochs):
        native.run(epoch_order(len(data), config.seed, epoch))
        found.append(_linear("mira", native.mean(), data, factors, {"epochs": epoch + 1}))
    return found[-1] if dev is None else _chosen(found, dev)


def train_boosting(data: Dataset, dev: Dataset | None, config: RerankerConfig) -> LinearReranker:
    """Boosting for each smoothing; the log of rounds is replayed to find the number of rounds."""
    asked = config.boosting
    start = np.zeros(data.numbers.shape[1])
    if asked.start == "numbers":
        start = number_weights(data, config)
    else:
        start[0] = 1.0
    pairs = Pairs.of(data, data.numbers @ start, weighted=asked.weights == "score")
    weight = pairs.calibrated() if asked.calibrate else 1.0
    found = []
    for smoothing in several(asked.smoothing, "boosting.smoothing"):
        if smoothing >= 1:
            raise ConfigError(f"boosting.smoothing = {smoothing:g}: expected numbers below 1")
        boosting = pairs.boosting(weight, asked.loss, smoothing, asked.algorithm == "sparse")
        left = asked.rounds
        while left and boosting.run(min(left, _CHUNK)) == min(left, _CHUNK):
            left -= min(left, _CHUNK)
        features, steps = boosting.features(), boosting.steps()
        rounds = len(steps) if dev is None else best_rounds(dev, features, steps, weight * start)
        weights = replay(features, steps, rounds, len(data.keys))
        passes = float(boosting.work()[:rounds].sum()) / max(boosting.entries, 1)
        figures = {
            "smoothing": smoothing,
            "rounds": rounds,
            "features": int(np.count_nonzero(weights)),
            "start": weight,
        }
        found.append(LinearReranker("boosting", weights, weight * start, {**figures, "passes": passes}))
    return _chosen(found, dev)


def best_rounds(dev: Dataset, features: Any, steps: Floats, start: Floats) -> int:
    """The number of rounds that is best on dev lists, of some that are more and more apart."""
    total = len(steps)
    looks = np.unique(np.round(np.geomspace(1, max(total, 1), _LOOKS)).astype(int)) if total else np.zeros(0, int)
    best, at = dev.score(dev.numbers @ start).chosen, 0
    for rounds in looks.tolist():
        weights = replay(features, steps, rounds, len(dev.keys))
        found = dev.score(dev.linear(weights, dev.numbers, start)).chosen
        if found > best:
            best, at = found, rounds
    return at


TRAINERS: dict[str, Callable[[Dataset, Dataset | None, RerankerConfig], LinearReranker]] = {
    "boosting": train_boosting,
    "maxent": train_maxent,
    "mira": train_mira,
}
