# SPDX-License-Identifier: Apache-2.0
"""What trees cost under the scores of their arcs or larger parts: one number a sentence that has a gold tree.

    crf         log of the sum of exp(score) over all trees, minus the score of gold
    margin      max over trees of score + cost, minus the score of gold; the cost is 1 a wrong head
    sparsemap   max over mu of scores . mu - |mu|^2 / 2, minus the same for gold; mu a mixture of trees

Arc scores are ``[B, N+1, N+1]`` by ``[sentence, head, dependent]``, gold trees ``[B, N+1]`` heads. Scores of parts are
those of :mod:`accord.torch.part_scores`. The gradient of all three is what the method expects, minus gold.

Koo, Globerson, Carreras and Collins (2007), "Structured prediction models via the matrix-tree theorem"; Taskar,
Guestrin and Koller (2003), "Max-margin Markov networks"; Blondel, Martins and Niculae (2020), "Learning with
Fenchel-Young losses".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from accord._core import tasks as _tasks
from accord._core import trees as _core
from accord.torch._arrays import Lengths
from accord.torch.parts import part_argmax, part_log_partition
from accord.torch.sparse import sparsemap_tree
from accord.torch.trees import tree_argmax, tree_log_partition

Layouts = Sequence[_core.PartLayout]


def gold_trees(
    heads: NDArray[np.int32], words: NDArray[np.int64], *, projective: bool, single_root: bool
) -> NDArray[np.bool_]:
    """Which sentences have a gold tree: at least one word, no unknown (negative) head, and a tree of the space."""

    def is_one(row: NDArray[np.int32]) -> bool:
        if len(row) < 2 or row[1:].min() < 0 or row[1:].max() >= len(row):
            return False
        return bool(_core.is_tree(row, single_root) and (not projective or _core.is_projective(row)))

    return np.array([is_one(row[: count + 1]) for row, count in zip(heads, words.tolist(), strict=True)], bool)


def gold_arcs(scores: Tensor, heads: Tensor) -> Tensor:
    """1 where the arcs of the gold trees are; heads are negative for roots and padding."""
    known = (heads >= 0).to(scores)
    return torch.zeros_like(scores).scatter_(1, heads.clamp(min=0)[:, None, :], known[:, None, :])


def crf_loss(scores: Tensor, heads: Tensor, lengths: Lengths, *, projective: bool, single_root: bool) -> Tensor:
    """``[B]`` negative log-likelihoods of gold."""
    log_z = tree_log_partition(scores, lengths, projective=projective, single_root=single_root)
    return log_z - _total(scores, gold_arcs(scores, heads))


def margin_loss(scores: Tensor, heads: Tensor, lengths: Lengths, *, projective: bool, single_root: bool) -> Tensor:
    """``[B]`` by which the best wrong tree comes too near."""
    gold = gold_arcs(scores, heads)
    costly = scores + 1 - gold
    found = tree_argmax(costly, lengths, projective=projective, single_root=single_root, straight_through=False)
    return (_total(costly, found) - _total(scores, gold)).clamp(min=0)


def sparsemap_loss(scores: Tensor, heads: Tensor, lengths: Lengths, *, projective: bool, single_root: bool) -> Tensor:
    """``[B]`` Fenchel-Young losses of SparseMAP: zero where gold beats all other trees by enough."""
    gold = gold_arcs(scores, heads)
    mixed = sparsemap_tree(scores.detach(), lengths, projective=projective, single_root=single_root)
    # The mixture is a maximum, so it need not be differentiated.
    return _total(scores, mixed - gold) + (gold.square() - mixed.square()).sum(dim=(1, 2)) / 2


def part_crf_loss(scores: Tensor, heads: Tensor, layouts: Layouts, *, single_root: bool) -> Tensor:
    """``[B]`` negative log-likelihoods of projective gold trees, among the projective trees of the candidates."""
    return part_log_partition(scores, layouts, single_root=single_root) - _gold_parts(scores, heads, layouts)


def part_margin_loss(
    scores: Tensor,
    heads: Tensor,
    layouts: Layouts,
    *,
    projective: bool,
    single_root: bool,
    iterations: int = 20,
    search_nodes: int = 0,
) -> Tensor:
    """``[B]`` by which the best wrong tree comes too near: that which the decoder finds within its budget.

    Over projective trees it is the best one always; else the loss may be too small, but never too large.
    """
    slots, sentences, arcs = (torch.from_numpy(one).to(scores.device) for one in _arcs(layouts))
    wrong = heads[sentences, arcs[:, 1]] != arcs[:, 0]
    costly = scores.index_add(0, slots, wrong.to(scores))
    found = part_argmax(
        costly.detach(),
        layouts,
        projective=projective,
        single_root=single_root,
        iterations=iterations,
        search_nodes=search_nodes,
    )
    sizes = torch.tensor([layout.size for layout in layouts], device=scores.device)
    owner = torch.repeat_interleave(torch.arange(len(layouts), device=scores.device), sizes, output_size=len(scores))
    best = scores.new_zeros(len(layouts)).index_add(0, owner, costly * found.slots)
    return (best - _gold_parts(scores, heads, layouts)).clamp(min=0)


def _arcs(layouts: Layouts) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    return _tasks.part_positions(list(layouts), _core.Part.arc, 0, 1)


def _gold_parts(scores: Tensor, heads: Tensor, layouts: Layouts) -> Tensor:
    trees = np.ascontiguousarray(heads.cpu().numpy(), dtype=np.int32)
    slots, sentences = (torch.from_numpy(one).to(scores.device) for one in _tasks.tree_slots(list(layouts), trees))
    return scores.new_zeros(len(layouts)).index_add(0, sentences, scores[slots])


def _total(scores: Tensor, weights: Tensor) -> Tensor:
    return (scores * weights).sum(dim=(1, 2))
