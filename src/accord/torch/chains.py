# SPDX-License-Identifier: Apache-2.0
"""Label sequences over padded batches: the layer of a linear-chain CRF.

Unary scores are ``[B, N, L]`` by ``[sentence, position, label]``; transitions are ``[L, L]`` for all neighbours,
``[N-1, L, L]``, or ``[B, N-1, L, L]``, by ``[.., label before, label]``. What lies beyond the end of a sentence is not
read and gets no gradient. ``-inf`` forbids a label or a pair.

Lafferty, McCallum and Pereira (2001), "Conditional random fields".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from accord._core import chains as _core
from accord.torch._arrays import Doubles, Lengths, check_possible, checked, checked_lengths
from accord.torch._autograd import LogPartition, Marginals

NO_LABELLING = "no labelling is made of labels and pairs that are not forbidden"


class ChainMarginals(NamedTuple):
    """Probabilities, zero beyond the end of a sentence."""

    labels: torch.Tensor  # [B, N, L]
    pairs: torch.Tensor  # [B, N-1, L, L]


@dataclass(frozen=True, eq=False)
class ChainSums:
    """Sums over labellings of rows of scores, unary ones first; see :class:`accord.torch._autograd.Sums`."""

    lengths: NDArray[np.int64]
    positions: int
    labels: int
    threads: int

    def log_partition(self, scores: Doubles) -> Doubles:
        values = _core.log_partition_padded(scores, self.lengths, self.positions, self.labels, self.threads)
        return check_possible(values, NO_LABELLING)

    def marginals(self, scores: Doubles) -> tuple[Doubles, Doubles]:
        values, marginals = _core.marginals_padded(scores, self.lengths, self.positions, self.labels, self.threads)
        return check_possible(values, NO_LABELLING), marginals

    def tangents(self, scores: Doubles, direction: Doubles) -> Doubles:
        moved: Doubles = _core.tangents_padded(
            scores, self.lengths, direction, self.positions, self.labels, self.threads
        )
        return moved

    def spread(self, values: torch.Tensor) -> torch.Tensor:
        return values[:, None]


def chain_log_partition(
    unary: torch.Tensor, transitions: torch.Tensor, lengths: Lengths | None = None, *, threads: int = 0
) -> torch.Tensor:
    """log of the sum of exp(score) over the labellings of each sentence: ``[B]``. Can be differentiated twice.

    ``lengths`` are the positions of each sentence (none given: all have N); a sentence without any has one labelling.
    Results do not depend on ``threads`` (0: one a processor).

    >>> round(float(chain_log_partition(torch.zeros(1, 4, 3), torch.zeros(3, 3)).exp()))
    81
    """
    value: torch.Tensor = LogPartition.apply(*_batch(unary, transitions, lengths, threads))
    return value


def chain_marginals(
    unary: torch.Tensor, transitions: torch.Tensor, lengths: Lengths | None = None, *, threads: int = 0
) -> ChainMarginals:
    """The probability of each label and of each pair of neighbours. Differentiable once.

    >>> chain_marginals(torch.zeros(1, 2, 2), torch.tensor([[0.0, -torch.inf], [0.0, 0.0]])).labels[0]
    tensor([[0.3333, 0.6667],
            [0.6667, 0.3333]])
    """
    rows, sums = _batch(unary, transitions, lengths, threads)
    sentences, positions, labels = unary.shape
    marginals = Marginals.apply(rows, sums)
    split = positions * labels
    return ChainMarginals(
        marginals[:, :split].reshape(sentences, positions, labels),
        marginals[:, split:].reshape(sentences, max(positions - 1, 0), labels, labels),
    )


def _batch(
    unary: torch.Tensor, transitions: torch.Tensor, lengths: Lengths | None, threads: int
) -> tuple[torch.Tensor, ChainSums]:
    """One row a sentence: its unary scores, then its own copy of the transitions."""
    checked(unary, 3, "[B, N, L]")
    sentences, positions, labels = unary.shape
    if labels == 0:
        raise ValueError("there must be a label")
    words = checked_lengths(lengths, sentences, positions)
    shape = (sentences, max(positions - 1, 0), labels, labels)
    if not isinstance(transitions, torch.Tensor) or tuple(transitions.shape) not in (shape, shape[1:], shape[2:]):
        raise ValueError(f"transitions must have the shape {shape}, {shape[1:]} or {shape[2:]}")
    pairs = transitions.to(unary).expand(shape)
    rows = torch.cat([unary.flatten(1), pairs.flatten(1)], dim=1)
    return rows, ChainSums(words, positions, labels, threads)
