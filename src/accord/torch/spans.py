# SPDX-License-Identifier: Apache-2.0
"""Sums over trees of phrases in PyTorch, for batches of sentences on any device.

The trees are those of :mod:`accord.inference.constituents`, without labels: ``scores[b, i, j]`` with i < j is the score
of a phrase over the words i+1 to j of sentence b. Everything is made of operations on tensors, so gradients flow: the
gradient of the log-partition is the marginals.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def span_log_partition(scores: Tensor, lengths: Tensor) -> Tensor:
    """log of the sum of exp(score) over all trees of each sentence: ``[B]``.

    Parameters
    ----------
    scores: ``[B, N, N]`` by begin and end; a sentence of n words uses the entries up to n.
    lengths: words of each sentence, at least one.

    By width, with ``node`` a phrase (or a bare word), ``series`` two children or more, ``list`` one child or more:
    series(i, j) = sum over k of list(i, k) node(k, j); node(i, j) = exp(score) series(i, j); list = node + series.
    O(n^3) operations in O(n) steps.

    >>> round(float(span_log_partition(torch.zeros(1, 4, 4), torch.tensor([3])).exp()))  # 3 shapes, 2 choices a word
    24
    """
    size = scores.shape[1]
    longest = int(lengths.max())
    # lists[d] holds list(i, i + d) at i; nodes[d] holds node(j - d, j) at j. Entries outside a sentence mean nothing.
    single = functional.softplus(_diagonal(scores, 1))
    lists, nodes = [_from_left(single, size)], [_from_right(single, size)]
    goals = [single[:, 0]]
    for width in range(2, longest + 1):
        left = torch.stack(lists, 2)[:, : size - width]
        right = torch.stack(nodes[::-1], 2)[:, width:]
        series = torch.logsumexp(left + right, 2)
        node = series + _diagonal(scores, width)
        goals.append(node[:, 0])
        if width < longest:
            lists.append(_from_left(torch.logaddexp(node, series), size))
            nodes.append(_from_right(node, size))
    return torch.stack(goals, 1).gather(1, lengths[:, None].to(scores.device) - 1)[:, 0]


def _diagonal(scores: Tensor, width: int) -> Tensor:
    return torch.diagonal(scores, offset=width, dim1=1, dim2=2)


def _from_left(values: Tensor, size: int) -> Tensor:
    """Values of spans by their begins, filled up behind."""
    return functional.pad(values, (0, size - values.shape[1]))


def _from_right(values: Tensor, size: int) -> Tensor:
    """Values of spans by their ends, filled up in front."""
    return functional.pad(values, (size - values.shape[1], 0))
