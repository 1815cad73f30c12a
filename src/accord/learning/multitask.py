# SPDX-License-Identifier: Apache-2.0
"""Several tasks that share weights: a structured SVM with a common vector and one for each task.

Task k predicts with ``shared + own[k]`` (Evgeniou & Pontil 2004; Almeida & Martins 2013). Training minimises

    shared_penalty / 2 * |shared|^2  +  sum over k of  own_penalty[k] / 2 * |own[k]|^2
                                     +  sum over k of  importance[k] * mean loss of task k at shared + own[k]

by stochastic subgradient steps, one instance at a time. A task is anything that can tell its loss for an instance and
weights, with a subgradient: it brings its own decoder. An infinite shared penalty trains the tasks apart; a task of no
importance is not trained at all and predicts with what the others share.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


class SharingTask(Protocol):
    """A task with instances 0 to n - 1."""

    def __len__(self) -> int: ...

    def loss(self, instance: int, weights: Numbers) -> tuple[float, Numbers]:
        """The loss of an instance and a subgradient by the weights.

        For a structured SVM the loss is that of the best answer under scores and cost, less the score of the gold
        answer; the subgradient is the difference of their features.
        """


@dataclass(frozen=True)
class SharedWeights:
    """What all tasks share, and what each task adds."""

    shared: Numbers
    own: tuple[Numbers, ...]

    def of(self, task: int) -> Numbers:
        return np.asarray(self.shared + self.own[task])


def train_together(
    tasks: Sequence[SharingTask],
    size: int,
    *,
    shared_penalty: float = 1e-3,
    own_penalties: Sequence[float] | None = None,
    importance: Sequence[float] | None = None,
    non_negative: NDArray[np.bool_] | None = None,
    epochs: int = 10,
    rate: float = 0.1,
    seed: int = 0,
) -> SharedWeights:
    """The mean of the weights over the second half of all steps.

    Parameters
    ----------
    tasks: with instances and losses.
    size: of the weight vectors.
    shared_penalty, own_penalties: how strongly weights are drawn to zero; own penalties are the shared one where not
        given. An infinite penalty leaves a vector at zero.
    importance: of each task; 1 where not given, so that tasks weigh the same however many instances they have.
    non_negative: which weights must not fall below zero, in the sum of shared and own ones (Qian & Liu 2013).
    epochs, rate, seed: passes over all instances, first step size, and order.
    """
    penalties = [shared_penalty if own_penalties is None else own_penalties[k] for k in range(len(tasks))]
    parts = [1.0 if importance is None else importance[k] for k in range(len(tasks))]
    shared, own = np.zeros(size), [np.zeros(size) for _ in tasks]
    mean_shared, mean_own, counted = np.zeros(size), [np.zeros(size) for _ in tasks], 0
    steps = [(k, i) for k, task in enumerate(tasks) if parts[k] > 0 for i in range(len(task))]
    decay = min((one for one in (shared_penalty, *penalties) if math.isfinite(one)), default=0.0)
    done, total = 0, epochs * len(steps)
    for epoch in range(epochs):
        for at in np.random.default_rng([seed, epoch]).permutation(len(steps)):
            k, instance = steps[at]
            step = rate / (1 + decay * rate * done)
            _, slope = tasks[k].loss(instance, shared + own[k])
            # all instances of a task are as many steps as its share of one epoch
            slope = slope * parts[k] * (len(steps) / len(tasks[k]) / max(1, sum(part > 0 for part in parts)))
            shared = _moved(shared, slope, step, shared_penalty)
            for j, penalty in enumerate(penalties):
                own[j] = _moved(own[j], slope if j == k else 0.0 * slope, step, penalty)
            if non_negative is not None:
                for j in range(len(own)):
                    own[j] = np.where(non_negative & (shared + own[j] < 0), -shared, own[j])
            done += 1
            if 2 * done > total:
                counted += 1
                mean_shared += (shared - mean_shared) / counted
                for mean, now in zip(mean_own, own, strict=True):
                    mean += (now - mean) / counted
    return SharedWeights(mean_shared, tuple(mean_own))


def _moved(weights: Numbers, slope: Numbers, step: float, penalty: float) -> Numbers:
    if math.isinf(penalty):
        return weights
    return np.asarray((1 - min(1.0, step * penalty)) * weights - step * slope)
