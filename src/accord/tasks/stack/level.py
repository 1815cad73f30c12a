# SPDX-License-Identifier: Apache-2.0
"""One level of a stack: labels, what the level sees, how it learns and what its mistakes cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.tasks.labeller import LabellerConfig, Masks
from accord.tasks.stack.columns import Columns

Decisions = Mapping[str, NDArray[np.int32]]  # by level: the number of the label of each token
ViewOf = Callable[[Any, Decisions], Columns]


@dataclass(frozen=True)
class Level:
    """A chain of a stack.

    Attributes
    ----------
    name: what later levels call its decisions.
    labels: the names of its labels.
    view: what it sees: columns from the tokens and the decisions of earlier levels.
    templates: the text of its feature templates, which call columns by their names.
    trainer: how it learns; every method of a labeller will do.
    cost: ``[gold][label]`` for methods with a margin; None: each wrong label costs 1.
    masks: labels that may not follow each other; by default all may.
    """

    name: str
    labels: tuple[str, ...]
    view: ViewOf
    templates: str
    trainer: LabellerConfig
    cost: NDArray[np.float64] | None = None
    masks: Masks = field(default_factory=Masks)


def run_labels(inside: NDArray[np.bool_], lengths: NDArray[np.int64]) -> NDArray[np.int32]:
    """Labels of tokens whose runs are marked: 0 outside, 1 begin, 2 inside, 3 end, 4 single.

    >>> run_labels(np.array([1, 1, 1, 0, 1, 1], bool), np.array([5, 1])).tolist()
    [1, 2, 3, 0, 4, 4]
    """
    marked = np.asarray(inside, np.bool_)
    if not len(marked):
        return np.zeros(0, np.int32)
    first = np.zeros(len(marked), np.bool_)
    ends = np.cumsum(lengths)
    first[(ends - lengths)[lengths > 0]] = True
    before = np.concatenate([[False], marked[:-1]]) & ~first
    last = np.concatenate([first[1:], [True]])
    after = np.concatenate([marked[1:], [False]]) & ~last
    labels = np.where(before, np.where(after, 2, 3), np.where(after, 1, 4))
    return np.where(marked, labels, 0).astype(np.int32)


def miss_costs(labels: Sequence[str], miss: float, outside: str = "O") -> NDArray[np.float64]:
    """Costs of labels where taking a token for an outside one costs ``miss`` and any other mistake costs 1.

    >>> miss_costs(["O", "B", "I"], 2.0).tolist()
    [[0.0, 1.0, 1.0], [2.0, 0.0, 1.0], [2.0, 1.0, 0.0]]
    """
    costs = np.ones((len(labels), len(labels)))
    costs[:, list(labels).index(outside)] = miss
    np.fill_diagonal(costs, 0.0)
    return costs
