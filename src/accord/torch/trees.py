# SPDX-License-Identifier: Apache-2.0
"""Dependency trees over padded batches of arc scores.

Scores are ``[B, N+1, N+1]`` by ``[sentence, head, dependent]``, 0 the artificial root. A sentence of ``n`` words uses
the first n+1 rows and columns; column 0, the diagonal and the padding are not read and get no gradient. A score of
``-inf`` forbids an arc, which gets no gradient either.

Koo, Globerson, Carreras and Collins (2007), "Structured prediction models via the matrix-tree theorem"; Eisner (2000),
"Bilexical grammars and their cubic-time parsing algorithms".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from accord._core import trees as _core
from accord.torch._arrays import Doubles, Lengths, check_possible, checked, checked_lengths, like, to_numpy
from accord.torch._autograd import LogPartition, Marginals, StraightThrough

NO_TREE = "no tree is made of the arcs that are not forbidden"


@dataclass(frozen=True, eq=False)
class TreeSums:
    """Sums over trees; see :class:`accord.torch._autograd.Sums`."""

    words: NDArray[np.int64]
    projective: bool
    single_root: bool
    threads: int

    def log_partition(self, scores: Doubles) -> Doubles:
        values = _core.log_partition_padded(scores, self.words, self.projective, self.single_root, self.threads)
        return check_possible(values, NO_TREE)

    def marginals(self, scores: Doubles) -> tuple[Doubles, Doubles]:
        values, marginals = _core.marginals_padded(scores, self.words, self.projective, self.single_root, self.threads)
        return check_possible(values, NO_TREE), marginals

    def tangents(self, scores: Doubles, direction: Doubles) -> Doubles:
        moved: Doubles = _core.tangents_padded(
            scores, self.words, direction, self.projective, self.single_root, self.threads
        )
        return moved

    def spread(self, values: torch.Tensor) -> torch.Tensor:
        return values[:, None, None]


def tree_log_partition(
    scores: torch.Tensor,
    lengths: Lengths | None = None,
    *,
    projective: bool = False,
    single_root: bool = True,
    threads: int = 0,
) -> torch.Tensor:
    """log of the sum of exp(score) over the trees of each sentence: ``[B]``. Can be differentiated twice.

    Parameters
    ----------
    scores:
        ``[B, N+1, N+1]`` arc scores by ``[sentence, head, dependent]``.
    lengths:
        Words of each sentence; all have N where none are given. A sentence without words has one tree.
    projective:
        Only trees without crossing arcs.
    single_root:
        Only trees in which one word depends on the root.
    threads:
        0: one a processor. Results do not depend on it.

    >>> round(float(tree_log_partition(torch.zeros(1, 5, 5)).exp()))  # n^(n-1)
    64
    """
    value: torch.Tensor = LogPartition.apply(*tree_batch(scores, lengths, projective, single_root, threads))
    return value


def tree_marginals(
    scores: torch.Tensor,
    lengths: Lengths | None = None,
    *,
    projective: bool = False,
    single_root: bool = True,
    threads: int = 0,
) -> torch.Tensor:
    """The probability of each arc: an array like the scores, zero where there is no arc. Differentiable once.

    Parameters are those of :func:`tree_log_partition`.

    >>> tree_marginals(torch.zeros(2, 3, 3), [2, 1]).sum(dim=1)  # every word has one head
    tensor([[0., 1., 1.],
            [0., 1., 0.]])
    """
    marginals: torch.Tensor = Marginals.apply(*tree_batch(scores, lengths, projective, single_root, threads))
    return marginals


def tree_entropy(
    scores: torch.Tensor,
    lengths: Lengths | None = None,
    *,
    projective: bool = False,
    single_root: bool = True,
    threads: int = 0,
) -> torch.Tensor:
    """Shannon entropy of each sentence's distribution over trees, in nats: ``[B]``. Differentiable once.

    Parameters are those of :func:`tree_log_partition`.

    >>> round(float(tree_entropy(torch.zeros(1, 4, 4), projective=True).exp()), 3)  # seven trees, all alike
    7.0
    """
    scores, sums = tree_batch(scores, lengths, projective, single_root, threads)
    used = torch.where(_allowed(scores, sums.words), scores, 0.0)
    expected = (Marginals.apply(scores, sums) * used).sum(dim=(1, 2))
    entropy: torch.Tensor = LogPartition.apply(scores, sums) - expected
    return entropy


def tree_argmax(
    scores: torch.Tensor,
    lengths: Lengths | None = None,
    *,
    projective: bool = False,
    single_root: bool = True,
    straight_through: bool = True,
    threads: int = 0,
) -> torch.Tensor:
    """The best tree of each sentence: 1 where its arcs are, 0 elsewhere, an array like the scores.

    With ``straight_through``, gradients go to the scores of all allowed arcs as if the choice had been the scores
    themselves; else there are none. The other parameters are those of :func:`tree_log_partition`.

    >>> tree_argmax(torch.tensor([[[0.0, 1.0, 2.0], [0.0, 0.0, 4.0], [0.0, 8.0, 0.0]]]))[0]
    tensor([[0., 0., 1.],
            [0., 0., 0.],
            [0., 1., 0.]])
    """
    scores, sums = tree_batch(scores, lengths, projective, single_root, threads)
    values, trees = _core.argmax_padded(to_numpy(scores), sums.words, projective, single_root, threads)
    check_possible(values, NO_TREE)
    choice = like(trees, scores)
    if not straight_through:
        return choice
    chosen: torch.Tensor = StraightThrough.apply(scores, choice, _allowed(scores, sums.words))
    return chosen


def tree_batch(
    scores: torch.Tensor, lengths: Lengths | None, projective: bool, single_root: bool, threads: int
) -> tuple[torch.Tensor, TreeSums]:
    """The scores, checked, and the sums over their trees."""
    checked(scores, 3, "[B, N+1, N+1]")
    if scores.shape[1] != scores.shape[2] or scores.shape[1] == 0:
        raise ValueError(f"scores must have the shape [B, N+1, N+1], not {tuple(scores.shape)}")
    words = checked_lengths(lengths, scores.shape[0], scores.shape[1] - 1)
    return scores, TreeSums(words, projective, single_root, threads)


def _allowed(scores: torch.Tensor, words: NDArray[np.int64]) -> torch.Tensor:
    """Which entries are arcs that are not forbidden."""
    node = torch.arange(scores.shape[1], device=scores.device)
    inside = node <= torch.from_numpy(words).to(scores.device)[:, None]
    arcs = inside[:, :, None] & inside[:, None, :] & (node[:, None] != node) & (node > 0)
    return arcs & (scores > -torch.inf)
