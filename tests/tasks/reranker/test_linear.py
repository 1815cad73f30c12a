# SPDX-License-Identifier: Apache-2.0
"""Linear rerankers beside the base model: what its score and the other numbers may do to the order of a list."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from accord.settings import make_settings
from accord.tasks.reranker import RerankerConfig
from accord.tasks.reranker.config import LINEAR
from accord.tasks.reranker.dataset import Dataset, Keys
from accord.tasks.reranker.features import ListFeatures, consensus
from accord.tasks.reranker.linear import TRAINERS, LinearReranker, number_factors, spreads
from accord.tasks.reranker.lists import Counts, count_parts

PARTS, SIZE = 12, 10


def noisy_lists(count: int, seed: int = 4) -> list[ListFeatures]:
    """Lists of answers that differ from gold in each part by chance, with a base score that sees some of the mistakes.

    The best answer of a list is the one that luck has put there. It is far from the others, but that an answer is far
    from the others makes it no better.
    """
    draw = np.random.default_rng(seed)
    gold = [(place, 0) for place in range(PARTS)]
    lists = []
    for _ in range(count):
        values = (draw.random((SIZE, PARTS)) < 0.3) * draw.integers(1, 4, (SIZE, PARTS))
        answers = [[(place, int(value)) for place, value in enumerate(row)] for row in values]
        scores = -1.5 * (values > 0).sum(axis=1) + draw.normal(scale=2.0, size=SIZE)
        order = np.argsort(-scores)
        scores, answers = scores[order] - scores.max(), [answers[place] for place in order]
        numbers = np.zeros((SIZE, 5))
        numbers[:, 0], numbers[:, 1] = scores, consensus(answers, scores)
        numbers[:, 2], numbers[:, 3] = consensus(answers, 2 * scores), PARTS
        keys = np.array([place * 10 + value for answer in answers for place, value in answer], np.uint64)
        owners = np.repeat(np.arange(SIZE, dtype=np.int32), PARTS)
        counts: tuple[Counts, ...] = tuple(count_parts(answer, gold) for answer in answers)
        lists.append(ListFeatures(SIZE, owners, keys, numbers, counts, np.unique(keys)))
    return lists


def dataset(lists: list[ListFeatures], *, features: bool) -> Dataset:
    keys: Keys = np.unique(np.concatenate([one.present for one in lists])) if features else np.zeros(0, np.uint64)
    return Dataset.of([replace(one, keys=np.sort(one.keys.reshape(SIZE, -1)).ravel()) for one in lists], keys)


def learnt(data: Dataset, method: str, **values: object) -> LinearReranker:
    chosen = {"threads": 1, "boosting.rounds": 50, "mira.epochs": 2, **values}
    return TRAINERS[method](data, None, make_settings(RerankerConfig, chosen))


@pytest.mark.parametrize("method", LINEAR)
def test_without_features_the_order_stays(method: str) -> None:
    """A reranker that knows no features knows nothing better than the base model."""
    data = dataset(noisy_lists(200), features=False)
    found = learnt(data, method).scores(data)
    assert np.array_equal(data.best(found), data.best(data.numbers[:, 0]))


@pytest.mark.parametrize("loss", ["likelihood", "margin"])
def test_penalties_of_features_hardly_hold_back_the_base_score(loss: str) -> None:
    alone = learnt(dataset(noisy_lists(200), features=False), "maxent", **{"maxent.loss": loss, "maxent.l2": "1"})
    beside = learnt(dataset(noisy_lists(200), features=True), "maxent", **{"maxent.loss": loss, "maxent.l2": "300"})
    assert beside.numbers[0] == pytest.approx(alone.numbers[0], rel=0.25)


@pytest.mark.parametrize("method", LINEAR)
def test_features_that_tell_right_parts_lift_other_lists(method: str) -> None:
    data, held_out = (dataset(noisy_lists(300, seed), features=True) for seed in (4, 5))
    score = held_out.score(learnt(data, method, **{"maxent.l2": "1", "mira.aggressiveness": 0.05}).scores(held_out))
    assert score.closed > 50


def test_other_numbers_are_learnt_on_request() -> None:
    data = dataset(noisy_lists(50), features=True)
    assert np.flatnonzero(learnt(data, "maxent").numbers).tolist() == [0]
    assert learnt(data, "maxent", numbers="all").numbers[:3].all()
    every = number_factors(data, make_settings(RerankerConfig, {"numbers": "all"}))
    assert np.allclose(every * spreads(data), 1)
