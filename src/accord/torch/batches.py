# SPDX-License-Identifier: Apache-2.0
"""A treebank as arrays, and batches of it as tensors: padded sentences of like length with gold heads, labels and tags.

Everything about the shape of a batch is worked out on the CPU, so that a GPU is never waited for inside a step.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from accord._core import neural as _neural
from accord.data import Document

IGNORED = -100  # a class that is not learnt
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Bags:
    """Lists of numbers by position; ``take`` gathers those of some positions."""

    offsets: Integers
    numbers: Integers

    @staticmethod
    def of(arrays: tuple[NDArray[np.uint32], NDArray[np.int32]]) -> Bags:
        offsets, numbers = arrays
        return Bags(offsets.astype(np.int64), numbers.astype(np.int64))

    def take(self, positions: Integers) -> tuple[Integers, Integers]:
        """The numbers of these positions one after the other, and where those of each begin."""
        first = self.offsets[positions]
        counts = self.offsets[positions + 1] - first
        starts = np.cumsum(counts) - counts
        return self.numbers[np.repeat(first - starts, counts) + np.arange(int(counts.sum()))], starts

    def table(self, positions: Integers, filler: int) -> Integers:
        """The same as rows of one length, filled up."""
        first = self.offsets[positions]
        counts = self.offsets[positions + 1] - first
        grid = np.arange(max(int(counts.max(initial=0)), 1))
        inside = grid[None, :] < counts[:, None]
        out = np.full(inside.shape, filler, np.int64)
        out[inside] = self.take(positions)[0]
        return out


@dataclass(frozen=True)
class Batch:
    """Some sentences. Positions are roots and words; *flat* tensors have those of all sentences one after the other."""

    sentences: Integers
    lengths: Tensor  # on the CPU: positions of each sentence
    rows: Tensor  # [sentences, longest]: number of the flat row, or the number of rows where there is none
    places: Tensor  # flat: where the position stands in [sentences * longest]
    mask: Tensor  # [sentences, longest]: there is a position
    root: Tensor  # flat: is it a root?
    fields: list[tuple[Tensor, Tensor]]  # numbers, and where those of each flat position begin
    characters: Tensor  # flat x longest word; -1 beyond its end
    heads: Tensor  # [sentences, longest]: gold heads, IGNORED for roots and padding
    labels: Tensor
    labelled: Tensor  # [4, arcs]: sentence, head, dependent and label of the gold arcs whose labels are known
    words: int  # with known heads
    tags: dict[str, Tensor] = field(default_factory=dict)  # by task, flat


class Sentences:
    """A document with its inputs, ready to be cut into batches for a device."""

    def __init__(
        self,
        document: Document,
        reader: _neural.InputReader,
        device: torch.device,
        labels: Integers | None = None,
        tags: dict[str, Integers] | None = None,
    ) -> None:
        fields, characters = reader.read(document.native)
        self.device = device
        self.fields = [Bags.of(one) for one in fields]
        self.characters = Bags.of(characters)
        self.lengths: Integers = document.lengths.astype(np.int64) + 1
        self.starts: Integers = np.cumsum(self.lengths) - self.lengths
        self.words = np.ones(int(self.lengths.sum()), bool)  # by position: it is no root
        self.words[self.starts] = False
        heads = document.heads.astype(np.int64)
        self.heads = self._spread(np.where(heads < 0, IGNORED, heads))
        self.labels = self._spread(np.full(len(heads), IGNORED) if labels is None else labels)
        self.tags = {name: self._spread(values) for name, values in (tags or {}).items()}

    def _spread(self, values: Integers) -> Integers:
        """Values of words as values of positions."""
        out = np.full(len(self.words), IGNORED, np.int64)
        out[self.words] = values
        return out

    def __len__(self) -> int:
        return len(self.lengths)

    def positions(self, sentences: Integers) -> Integers:
        """Where the positions of these sentences stand among all."""
        lengths = self.lengths[sentences]
        ends = np.cumsum(lengths)
        return np.repeat(self.starts[sentences] - (ends - lengths), lengths) + np.arange(int(lengths.sum()))

    def batches(self, order: Integers, most: int) -> list[Integers]:
        """Sentences of like length in groups of at most so many positions; the groups in the order of their first."""
        ranks = np.argsort(self.lengths[order], kind="stable")
        groups: list[Integers] = []
        begin = 0
        for end in range(1, len(ranks) + 1):
            longest = self.lengths[order[ranks[end]]] if end < len(ranks) else 0
            if end == len(ranks) or longest * (end + 1 - begin) > most:
                groups.append(np.sort(ranks[begin:end]))
                begin = end
        groups.sort(key=lambda group: int(group[0]))
        return [order[group] for group in groups]

    def send(self, values: NDArray[np.generic]) -> Tensor:
        """An array as a tensor on the device."""
        tensor = torch.from_numpy(np.ascontiguousarray(values))
        return tensor.pin_memory().to(self.device, non_blocking=True) if self.device.type == "cuda" else tensor

    def batch(self, sentences: Integers) -> Batch:
        lengths = self.lengths[sentences]
        mask = np.arange(int(lengths.max()))[None, :] < lengths[:, None]
        positions = self.positions(sentences)
        rows = np.full(mask.shape, len(positions), np.int64)
        rows[mask] = np.arange(len(positions))

        def padded(values: Integers) -> Integers:
            out = np.full(mask.shape, IGNORED, np.int64)
            out[mask] = values[positions]
            return out

        heads, labels = padded(self.heads), padded(self.labels)
        sentence, dependent = np.nonzero((heads != IGNORED) & (labels != IGNORED))
        arcs = np.stack([sentence, heads[sentence, dependent], dependent, labels[sentence, dependent]])
        return Batch(
            sentences,
            torch.from_numpy(lengths),
            self.send(rows),
            self.send(np.flatnonzero(mask)),
            self.send(mask),
            self.send(~self.words[positions]),
            [(self.send(numbers), self.send(starts)) for numbers, starts in (b.take(positions) for b in self.fields)],
            self.send(self.characters.table(positions, -1)),
            self.send(heads),
            self.send(labels),
            self.send(arcs),
            int((heads != IGNORED).sum()),
            {name: self.send(values[positions]) for name, values in self.tags.items()},
        )
