"""A treebank as tensors, and batches of it: sentences of similar length, padded, with gold heads, labels and tags."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from accord._core import neural as _neural
from accord.data import Document

IGNORED = -100  # a class that is not learnt


@dataclass(frozen=True)
class Bags:
    """Lists of numbers by position; ``take`` gathers those of some positions."""

    offsets: Tensor
    numbers: Tensor

    @staticmethod
    def of(arrays: tuple[NDArray[np.uint32], NDArray[np.int32]], device: torch.device) -> Bags:
        offsets, numbers = arrays
        return Bags(
            torch.from_numpy(offsets.astype(np.int64)).to(device), torch.from_numpy(numbers.astype(np.int64)).to(device)
        )

    def take(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """The numbers of these positions one after the other, and where those of each begin."""
        first = self.offsets[positions]
        counts = self.offsets[positions + 1] - first
        starts = torch.cumsum(counts, 0) - counts
        total = int(counts.sum())
        owner = torch.repeat_interleave(torch.arange(len(positions), device=positions.device), counts, output_size=total)
        within = torch.arange(total, device=positions.device) - starts[owner]
        return self.numbers[first[owner] + within], starts


@dataclass(frozen=True)
class Batch:
    """Some sentences: ``words`` [sentences, longest + 1] says where a position stands in the flat rows, -1 for none."""

    sentences: NDArray[np.int64]
    lengths: Tensor  # positions: words and root
    rows: Tensor  # [sentences, longest]: number of the flat row, or the number of rows where there is none
    mask: Tensor  # [sentences, longest]: there is a position
    root: Tensor  # flat: is it a root?
    fields: list[tuple[Tensor, Tensor]]
    characters: tuple[Tensor, Tensor]
    heads: Tensor  # [sentences, longest]: gold heads, IGNORED for roots and padding
    labels: Tensor
    tags: dict[str, Tensor] = field(default_factory=dict)  # by task, flat


class Sentences:
    """A document with its inputs on a device."""

    def __init__(
        self,
        document: Document,
        reader: _neural.InputReader,
        device: torch.device,
        labels: NDArray[np.int64] | None = None,
        tags: dict[str, NDArray[np.int64]] | None = None,
    ) -> None:
        fields, characters = reader.read(document.native)
        self.device = device
        self.fields = [Bags.of(one, device) for one in fields]
        self.characters = Bags.of(characters, device)
        self.lengths = document.lengths.astype(np.int64) + 1
        self.starts = np.cumsum(self.lengths) - self.lengths
        words = np.ones(int(self.lengths.sum()), bool)
        words[self.starts[self.lengths > 0]] = False
        self._words = words

        def spread(values: NDArray[np.int64]) -> Tensor:
            out = np.full(len(words), IGNORED, np.int64)
            out[words] = values
            return torch.from_numpy(out).to(device)

        heads = document.heads.astype(np.int64)
        self.heads = spread(np.where(heads < 0, IGNORED, heads))
        self.labels = self.heads if labels is None else spread(labels)
        self.tags = {name: spread(values) for name, values in (tags or {}).items()}
        self.root = torch.from_numpy(~words).to(device)

    def __len__(self) -> int:
        return len(self.lengths)

    def batches(self, order: NDArray[np.int64], most: int) -> list[NDArray[np.int64]]:
        """Sentences of similar length in groups of at most so many positions, the groups in the order of their first."""
        ranks = np.argsort(self.lengths[order], kind="stable")
        groups: list[NDArray[np.int64]] = []
        begin = 0
        for end in range(1, len(ranks) + 1):
            longest = self.lengths[order[ranks[end]]] if end < len(ranks) else 0
            if end == len(ranks) or longest * (end + 1 - begin) > most:
                groups.append(np.sort(ranks[begin:end]))
                begin = end
        groups.sort(key=lambda group: int(group[0]))
        return [order[group] for group in groups]

    def batch(self, sentences: NDArray[np.int64]) -> Batch:
        lengths, starts = self.lengths[sentences], self.starts[sentences]
        longest = int(lengths.max())
        grid = np.arange(longest)
        mask = grid[None, :] < lengths[:, None]
        positions = (starts[:, None] + grid[None, :])[mask]
        rows = np.full(mask.shape, len(positions), np.int64)
        rows[mask] = np.arange(len(positions))
        device = self.device
        flat = torch.from_numpy(positions).to(device)
        padded = torch.from_numpy(rows).to(device)

        def pad(values: Tensor) -> Tensor:
            extended = torch.cat([values[flat], values.new_full((1,), IGNORED)])
            return extended[padded]

        return Batch(
            sentences,
            torch.from_numpy(lengths),
            padded,
            torch.from_numpy(mask).to(device),
            self.root[flat],
            [bags.take(flat) for bags in self.fields],
            self.characters.take(flat),
            pad(self.heads),
            pad(self.labels),
            {name: values[flat] for name, values in self.tags.items()},
        )
