# SPDX-License-Identifier: Apache-2.0
"""The network in PyTorch, for training; ``core/neural`` computes the same without it.

word   sum of the embeddings of its attributes | filters over its characters | sum of the embeddings of given tags
       (a vector given for the word joins the first sum through a linear map)
h      encoder over root and words: LSTM in both directions, or gated convolutions
tags   classifiers on a hidden layer over the output of one encoder layer, which the next layer reads along
arc    score(h, m) = head(h) . (W dependent(m) + w)
label  score(l; h, m) = [head(h); 1] . W_l [dependent(m); 1]
part   score(h, m, s) = sum over r of a_r(h) b_r(m) c_r(s): siblings and grandparents
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from accord.tasks.network.config import NeuralConfig
from accord.torch.batches import Batch
from accord.torch.given_vectors import GivenVectors
from accord.torch.sizes import Sizes

SLOPE = 0.1  # of the leaky rectifier
PART_ROLES = 3


@dataclass(frozen=True)
class Scores:
    """What a batch's sentences are decoded and trained from; all [sentences, positions, ...]."""

    arcs: Tensor  # [sentences, head, dependent]
    label_head: Tensor
    label_dependent: Tensor
    tags: dict[str, Tensor]  # flat rows x classes
    parts: dict[str, Tensor]  # [sentences, positions + 1, role, rank]; the last position is nowhere


class Encoded(NamedTuple):
    """What the encoder makes of a batch."""

    top: Tensor  # [sentences, positions, 2 units]
    tags: dict[str, Tensor]  # scores by task: flat rows x classes
    first: Tensor  # the output of the first layer


class SharedDropout(nn.Module):
    """Dropout with one mask for all positions of a sentence."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.share == 0:
            return x
        mask = x.new_empty(x.shape[0], 1, x.shape[2]).bernoulli_(1 - self.share) / (1 - self.share)
        return x * mask


class GatedConvolution(nn.Module):
    """x_t + a_t * sigmoid(g_t), with [a; g] a linear map of the window around t."""

    def __init__(self, channels: int, reach: int, dilation: int) -> None:
        super().__init__()
        self.reach, self.dilation = reach, dilation
        self.map = nn.Linear((2 * reach + 1) * channels, 2 * channels)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = x * mask[:, :, None]
        margin = self.reach * self.dilation
        padded = functional.pad(x, (0, 0, margin, margin))
        length = x.shape[1]
        windows = [padded[:, i * self.dilation : i * self.dilation + length] for i in range(2 * self.reach + 1)]
        a, g = self.map(torch.cat(windows, 2)).chunk(2, dim=2)
        result: Tensor = x + a * torch.sigmoid(g)
        return result


class Network(nn.Module):
    """Encoder and heads. With ``vectors``, the last of the word tables is not learnt, but mapped from them."""

    def __init__(
        self,
        config: NeuralConfig,
        sizes: Sizes,
        counts: Sequence[NDArray[np.int64]] = (),
        vectors: NDArray[np.float32] | None = None,
    ) -> None:
        super().__init__()
        self.config, self.sizes = config, sizes
        self.word_dropout = config.word_dropout
        learnt = sizes.words if vectors is None else sizes.words[:-1]
        self.words = nn.ParameterList(self._table(rows, config.word_size) for rows in learnt)
        self.given = None if vectors is None else GivenVectors(vectors, config.word_size)
        self.tags = nn.ParameterList(self._table(rows, config.tag_size) for rows in sizes.tags)
        width = config.word_size + (config.tag_size if sizes.tags else 0)
        if config.character_size:
            self.characters = self._table(sizes.characters, config.character_size)
            self.filters = nn.Linear(3 * config.character_size, config.filters)
            width += config.filters
        self.width = width
        self.root = nn.Parameter(torch.randn(width) * 0.1)
        self.drop = SharedDropout(config.dropout)
        self._make_encoder()
        top = 2 * config.units
        self.arc_head, self.arc_dependent = nn.Linear(top, config.arc_size), nn.Linear(top, config.arc_size)
        self.arc_form = nn.Linear(config.arc_size, config.arc_size)
        nn.init.zeros_(self.arc_form.weight)
        if sizes.labels:
            self.label_head, self.label_dependent = nn.Linear(top, config.label_size), nn.Linear(top, config.label_size)
            self.label_form = nn.Parameter(torch.zeros(sizes.labels, config.label_size + 1, config.label_size + 1))
        if sizes.tasks:
            self.tag_hidden = nn.Linear(top, config.tag_hidden)
            self.classifiers = nn.ModuleDict(
                {name: nn.Linear(config.tag_hidden, classes) for name, classes in sizes.tasks.items()}
            )
        self.part_maps = nn.ModuleDict({name: nn.Linear(top, PART_ROLES * config.rank) for name in sizes.parts})
        self.part_nowhere = nn.ParameterDict(
            {name: nn.Parameter(torch.randn(PART_ROLES * config.rank) * 0.1) for name in sizes.parts}
        )
        for index, count in enumerate(counts):
            self.register_buffer(f"count_{index}", torch.from_numpy(count).float(), persistent=False)
        self._counted = len(counts)

    @staticmethod
    def _table(rows: int, width: int) -> nn.Parameter:
        return nn.Parameter(torch.randn(rows, width) * 0.1)

    @property
    def tag_layer(self) -> int:
        """The encoder layer that tags are read from, 1-based."""
        config = self.config
        return config.layers if config.tag_layer == 0 else min(config.tag_layer, config.layers)

    def _make_encoder(self) -> None:
        config, top = self.config, 2 * self.config.units
        layers: list[nn.Module] = []
        joined = self.tag_layer if self.sizes.tasks else config.layers
        if config.encoder == "lstm":
            for layer in range(config.layers):
                inputs = self.width if layer == 0 else top
                inputs += config.tag_hidden if layer == joined else 0
                layers.append(nn.LSTM(inputs, config.units, batch_first=True, bidirectional=True))
        else:
            self.projection = nn.Linear(self.width, top)
            layers = [GatedConvolution(top, config.reach, 2 ** (layer % 3)) for layer in range(config.layers)]
            if self.sizes.tasks and joined < config.layers:
                self.tag_projection = nn.Linear(config.tag_hidden, top)
        self.encoder = nn.ModuleList(layers)

    def _embed(self, batch: Batch) -> Tensor:
        config = self.config
        total = len(batch.root)
        slots = []
        if self.sizes.words:
            slot = self._look_up(batch, self.words, 0)
            if self.given is not None:
                vectors = self.given(*batch.fields[len(self.words)])
                slot = vectors if slot is None else slot + vectors
            assert slot is not None
            slots.append(slot)
        if self.sizes.tags:
            slot = self._look_up(batch, self.tags, len(self.sizes.words))
            assert slot is not None
            slots.append(slot)
        if config.character_size:
            slots.insert(1, self._spell(batch))
        if self.training and config.input_dropout and len(slots) > 1:
            slots = [slot * slot.new_empty(total, 1).bernoulli_(1 - config.input_dropout) for slot in slots]
        return torch.where(batch.root[:, None], self.root, torch.cat(slots, 1))

    def _look_up(self, batch: Batch, tables: nn.ParameterList, first: int) -> Tensor | None:
        """The sum of some tables, which read the fields from ``first`` on; rare values are dropped in training."""
        share = self.word_dropout
        total: Tensor | None = None
        for field, table in enumerate(tables, first):
            numbers, starts = batch.fields[field]
            if self.training and field < self._counted and share:
                seen = getattr(self, f"count_{field}")[numbers]
                unknown = torch.rand_like(seen) * (seen + share) < share
                numbers = numbers.masked_fill(unknown, 0)
            bag = functional.embedding_bag(numbers, table, starts, mode="sum")
            total = bag if total is None else total + bag
        return total

    def _spell(self, batch: Batch) -> Tensor:
        table = torch.cat([self.characters, self.characters.new_zeros(1, self.characters.shape[1])])
        none = batch.characters < 0
        numbers = batch.characters.masked_fill(none, len(self.characters))
        letters = functional.pad(functional.embedding(numbers, table), (0, 0, 1, 1))
        windows = torch.cat([letters[:, :-2], letters[:, 1:-1], letters[:, 2:]], 2)
        found = self.filters(windows).masked_fill(none[:, :, None], float("-inf"))
        best: Tensor = found.max(1).values
        return best.masked_fill(none[:, :1], 0.0)

    def encode(self, batch: Batch, hidden: Tensor | None = None) -> Encoded:
        """``hidden`` (flat) says which positions have no inputs at all."""
        flat = self._embed(batch)
        if hidden is not None:
            flat = flat.masked_fill(hidden[:, None], 0.0)
        x = functional.embedding(batch.rows, torch.cat([flat, flat.new_zeros(1, flat.shape[1])]))
        tags: dict[str, Tensor] = {}
        if self.config.encoder == "convolution":
            x = self.projection(self.drop(x))
        first = x
        for layer, module in enumerate(self.encoder):
            if isinstance(module, nn.LSTM):
                packed = pack_padded_sequence(self.drop(x), batch.lengths, batch_first=True, enforce_sorted=False)
                x, _ = pad_packed_sequence(module(packed)[0], batch_first=True)
            else:
                x = module(self.drop(x), batch.mask)
            first = x if layer == 0 else first
            if self.sizes.tasks and layer + 1 == self.tag_layer:
                tagged = self.drop(functional.leaky_relu(self.tag_hidden(self.drop(x)), SLOPE))
                read = tagged.flatten(0, 1).index_select(0, batch.places)
                tags = {name: classify(read) for name, classify in self.classifiers.items()}
                if layer + 1 < len(self.encoder):
                    joined = isinstance(module, nn.LSTM)
                    x = torch.cat([x, tagged], 2) if joined else x + self.tag_projection(tagged)
        return Encoded(self.drop(x), tags, first)

    def forward(self, batch: Batch) -> Scores:
        top, tags, _ = self.encode(batch)

        def vectors(linear: nn.Linear) -> Tensor:
            return self.drop(functional.leaky_relu(linear(top), SLOPE))

        arcs = vectors(self.arc_head) @ self.arc_form(vectors(self.arc_dependent)).transpose(1, 2)
        empty = top.new_zeros(0)
        labelled = bool(self.sizes.labels)
        parts = {}
        for name, linear in self.part_maps.items():
            roles = linear(top)
            nowhere = self.part_nowhere[name].expand(len(roles), 1, -1)
            roles = torch.cat([roles, nowhere], 1)
            parts[name] = roles.reshape(*roles.shape[:2], PART_ROLES, -1)
        return Scores(
            arcs,
            vectors(self.label_head) if labelled else empty,
            vectors(self.label_dependent) if labelled else empty,
            tags,
            parts,
        )

    def score_labels(self, head: Tensor, dependent: Tensor) -> Tensor:
        """Scores of all labels of some arcs, by their vectors: [arcs, labels]."""
        head, dependent = functional.pad(head, (0, 1), value=1.0), functional.pad(dependent, (0, 1), value=1.0)
        return torch.einsum("ai,lij,aj->al", head, self.label_form, dependent)
