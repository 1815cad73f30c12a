# SPDX-License-Identifier: Apache-2.0
"""Tasks that share weights: the limits in which they train apart, and what sharing brings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from accord.learning.multitask import train_together

Numbers = NDArray[np.float64]


class Choices:
    """Which of three candidates is the right one, by the hinge loss; candidates have four features."""

    def __init__(self, seed: int, instances: int, truth: Numbers, noise: float = 0.0) -> None:
        random = np.random.default_rng(seed)
        self.rows = random.normal(size=(instances, 3, 4))
        self.gold = (self.rows @ truth + noise * random.normal(size=(instances, 3))).argmax(axis=1)

    def __len__(self) -> int:
        return len(self.rows)

    def loss(self, instance: int, weights: Numbers) -> tuple[float, Numbers]:
        rows, gold = self.rows[instance], self.gold[instance]
        scores = rows @ weights + (np.arange(3) != gold)
        best = int(scores.argmax())
        return float(scores[best] - scores[gold]), rows[best] - rows[gold]

    def accuracy(self, weights: Numbers) -> float:
        return float(((self.rows @ weights).argmax(axis=1) == self.gold).mean())


TRUTH = np.array([1.0, -2.0, 0.5, 0.0])


def test_an_infinite_shared_penalty_trains_tasks_apart() -> None:
    tasks = [Choices(1, 30, TRUTH), Choices(2, 30, -TRUTH)]
    together = train_together(tasks, 4, shared_penalty=np.inf, own_penalties=[0.01, 0.01], epochs=5)
    assert not together.shared.any()
    for k, task in enumerate(tasks):
        assert task.accuracy(together.of(k)) > 0.85, "tasks that contradict one another do not disturb one another"


def test_a_task_without_importance_gets_what_the_others_share() -> None:
    tasks = [Choices(1, 30, TRUTH), Choices(2, 30, TRUTH)]
    found = train_together(tasks, 4, importance=[0.0, 1.0], epochs=5)
    assert not found.own[0].any()
    alone = train_together(tasks[1:], 4, epochs=5)
    assert found.shared == pytest.approx(alone.shared)


def test_sharing_helps_a_task_with_few_instances() -> None:
    test = Choices(9, 500, TRUTH)
    small, large = Choices(1, 4, TRUTH, noise=0.3), Choices(2, 200, TRUTH + np.array([0.2, 0.0, -0.2, 0.1]))
    alone = train_together([small], 4, epochs=20).of(0)
    how: Any = {"own_penalties": [1.0, 1.0], "shared_penalty": 0.01, "rate": 0.01}
    shared = train_together([small, large], 4, epochs=20, **how).of(0)
    assert test.accuracy(shared) > test.accuracy(alone)


def test_weights_that_must_not_be_negative_are_not() -> None:
    tasks = [Choices(1, 30, TRUTH), Choices(2, 30, TRUTH)]
    found = train_together(tasks, 4, non_negative=np.array([True, True, False, False]), epochs=5)
    for k in range(2):
        assert (found.of(k)[:2] >= -1e-12).all()


def test_the_same_seed_gives_the_same_weights() -> None:
    tasks = [Choices(1, 20, TRUTH)]
    one, other = (train_together(tasks, 4, epochs=3, seed=7) for _ in range(2))
    assert one.shared.tolist() == other.shared.tolist()
