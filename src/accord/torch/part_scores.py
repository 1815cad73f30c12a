# SPDX-License-Identifier: Apache-2.0
"""Scores of parts of several arcs, by a form of low rank over the words that they join.

    set     candidate arcs of each sentence: the likeliest heads of each word, the best tree and the gold arcs
    score   of an arc: its own; of a part (a, b, c): sum over r of x[a, 0, r] x[b, 1, r] x[c, 2, r]

A part's words are its head, its dependent, and the sibling before it or the grandparent; START and END are no words and
have a position of their own behind the last one. Scores are one tensor with the slots of all sentences one after
another, as :mod:`accord.torch.parts` reads them. O(rank) a part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.autograd.function import once_differentiable

from accord._core import tasks as _tasks
from accord._core import trees as _core
from accord.torch._arrays import to_numpy
from accord.torch.network import Scores

CHUNK = 1 << 16  # parts whose vectors are in memory at once


def candidate_layouts(
    arcs: Tensor,
    words: NDArray[np.int64],
    gold: NDArray[np.int32],
    families: Sequence[str],
    *,
    heads: int = 10,
    threshold: float = 0.015,
    projective: bool = False,
    single_root: bool = True,
    threads: int = 0,
) -> list[_core.PartLayout]:
    """Slots for the parts that are made of the arcs worth a closer look.

    Parameters
    ----------
    arcs:
        ``[B, N+1, N+1]`` scores by ``[sentence, head, dependent]``.
    words:
        Words of each sentence.
    gold:
        ``[B, N+1]`` gold heads, which are candidates always; negative where unknown.
    families:
        ``sibling``, ``grandparent`` or both.
    heads, threshold:
        A word keeps at most so many heads, and those that are at least so likely as its likeliest one.
    projective, single_root:
        What the best tree is, whose arcs are candidates too.
    """
    names = [_core.Part[family] for family in families]
    return _tasks.candidate_layouts(
        to_numpy(arcs), words, gold, heads, threshold, names, projective, single_root, threads
    )


def part_scores(
    scores: Scores, layouts: Sequence[_core.PartLayout], sentences: Tensor | None = None, *, threads: int = 0
) -> Tensor:
    """The scores of all slots, one layout after another; 0 where a slot is no part.

    The layouts are those of all sentences, or of those that ``sentences`` numbers, and have the families of the scores.
    """
    own = list(layouts)
    arcs = in_single(scores.arcs)
    device, nowhere = arcs.device, arcs.shape[1]

    def place(family: str) -> tuple[Tensor, Tensor, Tensor]:
        found = _tasks.part_positions(own, _core.Part[family], nowhere, threads)
        slots, rows, positions = (torch.from_numpy(one).to(device) for one in found)
        return slots, rows if sentences is None else sentences[rows], positions

    slots, rows, positions = place("arc")
    flat = arcs.new_zeros(sum(layout.size for layout in own))
    flat = flat.index_copy(0, slots, arcs[rows, positions[:, 0], positions[:, 1]])
    for family, vectors in scores.parts.items():
        slots, rows, positions = place(family)
        roles = vectors.shape[2]
        keys = (rows[:, None] * vectors.shape[1] + positions) * roles + torch.arange(roles, device=device)
        values: Tensor = Products.apply(vectors.reshape(-1, vectors.shape[3]).to(arcs), keys)
        flat = flat.index_copy(0, slots, values)
    return flat


def in_single(scores: Tensor) -> Tensor:
    """Scores of 16 bits in 32; others as they are."""
    return scores.to(torch.promote_types(scores.dtype, torch.float32))


class Products(torch.autograd.Function):
    """Of rows ``[k, 3]`` of a table: the sum of the products of each three rows. What is large is not kept."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, rows: Tensor) -> Tensor:
        ctx.save_for_backward(table, rows)
        values = table.new_empty(len(rows))
        for begin in range(0, len(rows), CHUNK):
            first, second, third = (table[column] for column in rows[begin : begin + CHUNK].unbind(1))
            values[begin : begin + CHUNK] = (first * second * third).sum(1)
        return values

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        table, rows = ctx.saved_tensors
        out = torch.zeros_like(table)
        for begin in range(0, len(rows), CHUNK):
            columns = rows[begin : begin + CHUNK].unbind(1)
            first, second, third = (table[column] for column in columns)
            weighted = gradient[begin : begin + CHUNK, None] * first
            out.index_add_(0, columns[0], gradient[begin : begin + CHUNK, None] * second * third)
            out.index_add_(0, columns[1], weighted * third)
            out.index_add_(0, columns[2], weighted * second)
        return out, None
