# SPDX-License-Identifier: Apache-2.0
"""Small batches with random scores, and what trees score by the definition of their parts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import torch

from accord._core import trees as native
from accord.torch import part_slots
from accord.torch.batches import IGNORED, Batch
from accord.torch.network import Scores

Heads = tuple[int, ...]


def make_batch(trees: Sequence[Heads]) -> Batch:
    """Sentences with these heads, -1 for the root and unknown ones; nothing to read."""
    longest = max(len(heads) for heads in trees)
    lengths = torch.tensor([len(heads) for heads in trees])
    mask = torch.arange(longest) < lengths[:, None]
    table = torch.full((len(trees), longest), IGNORED)
    for row, heads in enumerate(trees):
        for word, head in enumerate(heads):
            table[row, word] = IGNORED if head < 0 else head
    nothing = torch.zeros(0, dtype=torch.long)
    return Batch(
        np.arange(len(trees)),
        lengths,
        table,
        nothing,
        mask,
        nothing,
        [],
        nothing,
        table,
        table,
        nothing.reshape(0, 0),
        int((table != IGNORED).sum()),
    )


def make_scores(batch: Batch, families: Sequence[str] = (), seed: int = 1, rank: int = 2) -> Scores:
    drawn = torch.Generator().manual_seed(seed)
    sentences, positions = batch.mask.shape

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=drawn, dtype=torch.float64)

    parts = {family: draw(sentences, positions + 1, 3, rank) for family in families}
    empty = torch.zeros(0)
    return Scores(draw(sentences, positions, positions), empty, empty, {}, parts)


def local_loss(arcs: torch.Tensor, heads: Heads) -> float:
    """Of the known heads of one sentence, word by word."""
    total = 0.0
    for word, gold in enumerate(heads):
        if word > 0 and gold >= 0:
            rivals = [float(arcs[head, word]) for head in range(len(heads)) if head != word]
            total += math.log(sum(map(math.exp, rivals))) - float(arcs[gold, word])
    return total


def part_words(layout: native.PartLayout, family: str, nowhere: int) -> dict[int, tuple[int, int, int]]:
    """Head, dependent and third of each listed slot. Lists leave out the (START, END) of a side."""
    slots, words = part_slots(layout, family)
    found = {}
    for slot, (first, second, third) in zip(slots.tolist(), words.tolist(), strict=True):
        if family == "grandparent":
            found[slot] = (second, third, first)
        else:
            found[slot] = (first, nowhere if third == first else third, nowhere if second == first else second)
    return found


def tree_score(scores: Scores, row: int, heads: Heads, candidates: set[tuple[int, int]]) -> float:
    """The arcs of a tree, and for every side of a head that may have modifiers its siblings; its grandparents."""
    words, nowhere = len(heads) - 1, scores.arcs.shape[1]

    def part(family: str, head: int, dependent: int, third: int) -> float:
        if family not in scores.parts:
            return 0.0
        x = scores.parts[family][row]
        return float((x[head, 0] * x[dependent, 1] * x[third, 2]).sum())

    total = sum(float(scores.arcs[row, heads[word], word]) for word in range(1, words + 1))
    for head in range(words + 1):
        for side in (range(head - 1, 0, -1), range(head + 1, words + 1)):
            if any((head, word) in candidates for word in side):
                chain = [nowhere, *(word for word in side if heads[word] == head), nowhere]
                total += sum(part("sibling", head, outer, inner) for inner, outer in itertools.pairwise(chain))
            if head > 0:
                total += sum(part("grandparent", head, word, heads[head]) for word in side if heads[word] == head)
    return total


def candidates_of(layout: native.PartLayout) -> set[tuple[int, int]]:
    return {(head, dependent) for head, dependent in part_slots(layout)[1].tolist()}
