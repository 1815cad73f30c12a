# SPDX-License-Identifier: Apache-2.0
"""What an encoder learns from text without trees, before it learns trees: to guess words from their neighbours.

Two guesses, each a log-linear choice among the most frequent words of the text:
hidden      a share of the words has no inputs at all, and the top layer guesses which words these are
neighbours  the forward half of the first layer guesses the next word, its backward half the one before

Both are scored on a share of the positions, since a choice among many thousand words is what costs most. Nothing of
the guesses stays but the embeddings and the encoder. The first is the task of Devlin et al. (2019), the second that of
Peters et al. (2018).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from accord.torch.batches import IGNORED, Batch, Sentences
from accord.torch.network import Network

HIDDEN = 0.2  # share of the words that have no inputs
ASKED = 0.25  # share of the positions whose neighbours are guessed
SIZE = 256  # numbers that a guess is made from
MOST = 30000  # words to choose from
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Pretraining:
    """``epochs`` over the text, ``words`` an update, steps of at most ``rate``, and the seed of what is hidden."""

    epochs: float = 4.0
    words: int = 16000
    rate: float = 0.002
    warm_up: float = 0.05
    seed: int = 1


class Guesser(nn.Module):
    """Choices among the most frequent words, from the top layer or from one half of the first."""

    def __init__(self, units: int, words: int) -> None:
        super().__init__()
        widths = {"hidden": 2 * units, "before": units, "after": units}
        self.narrow = nn.ModuleDict({name: nn.Linear(width, SIZE) for name, width in widths.items()})
        self.out = nn.Linear(SIZE, words)

    def forward(self, kind: str, vectors: Tensor) -> Tensor:
        scores: Tensor = self.out(functional.leaky_relu(self.narrow[kind](vectors), 0.1))
        return scores


def word_classes(sentences: Sentences, rows: int, most: int = MOST) -> tuple[Integers, int]:
    """By position the word to guess, IGNORED for rare ones and roots; and how many words there are to choose from.

    Words are the values of the first field. ``rows``: how many values it has, the unknown one included.
    """
    bags = sentences.fields[0]
    known = (np.diff(bags.offsets) > 0) & sentences.words
    row = np.zeros(len(sentences.words), np.int64)
    row[known] = bags.numbers[bags.offsets[:-1][known]]
    seen = np.bincount(row, minlength=rows)
    seen[0] = 0  # unknown words, and what is no word
    best = np.argsort(-seen, kind="stable")[:most]
    best = best[seen[best] > 0]
    classes = np.full(rows, IGNORED, np.int64)
    classes[best] = np.arange(len(best))
    return classes[row], len(best)


def _neighbour(places: Tensor, classes: Tensor, step: int) -> Tensor:
    """The class of the word so many positions further on; IGNORED beyond the ends of a sentence."""
    out = torch.full_like(classes, IGNORED)
    if step > 0:
        out[:, :-step] = classes[:, step:]
    else:
        out[:, -step:] = classes[:, :step]
    return out.flatten().index_select(0, places)


def guess_loss(network: Network, guesser: Guesser, batch: Batch, classes: Tensor, draw: torch.Generator) -> Tensor:
    """The loss of both guesses on a batch, per guess. ``classes`` (flat): the words."""
    hidden = (torch.rand(len(classes), generator=draw, device=classes.device) < HIDDEN) & ~batch.root
    found = network.encode(batch, hidden)
    top = found.top.flatten(0, 1).index_select(0, batch.places)
    first = found.first.flatten(0, 1).index_select(0, batch.places)
    table = torch.full(batch.mask.shape, IGNORED, dtype=torch.int64, device=classes.device)
    table.view(-1)[batch.places] = classes
    asked = torch.rand(len(classes), generator=draw, device=classes.device) < ASKED
    units = first.shape[1] // 2
    total = top.new_zeros(())
    for kind, vectors, gold, wanted in (
        ("hidden", top, classes, hidden),
        ("after", first[:, :units], _neighbour(batch.places, table, 1), asked),
        ("before", first[:, units:], _neighbour(batch.places, table, -1), asked),
    ):
        rows = (wanted & (gold != IGNORED)).nonzero()[:, 0]
        if len(rows):
            with torch.autocast(vectors.device.type, torch.bfloat16, enabled=vectors.device.type == "cuda"):
                scores = guesser(kind, vectors[rows])
            total = total + functional.cross_entropy(scores.float(), gold[rows])
    return total


def pretrain(
    network: Network,
    sentences: Sentences,
    rows: int,
    settings: Pretraining,
    report: Callable[[float, float], None] = lambda share, loss: None,
    clock: Callable[[], float] | None = None,
) -> None:
    """Teach the encoder of ``network`` to guess words. ``report`` hears the share that is done, and the mean loss.

    ``clock`` says how much is done, where time and not ``settings.epochs`` is to end it.
    """
    classes, words = word_classes(sentences, rows)
    if not words or (clock is None and settings.epochs <= 0):
        return
    device = sentences.device
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        torch.manual_seed(settings.seed)
        guesser = Guesser(network.config.units, words).to(device)
    draw = torch.Generator(device=device).manual_seed(settings.seed)
    parameters = [p for p in [*network.parameters(), *guesser.parameters()] if p.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=settings.rate, betas=(0.9, 0.95), weight_decay=0.01)
    total = settings.epochs * float(sentences.words.sum())
    network.train()
    network.word_dropout, kept = 0.0, network.word_dropout  # counts are those of the treebank
    seen, share, order = 0, 0.0, np.random.default_rng(settings.seed)
    try:
        while share < 1:
            for group in sentences.batches(order.permutation(len(sentences)), settings.words):
                share = clock() if clock else seen / total
                if share >= 1:
                    break
                rate = min(share / settings.warm_up, 0.5 * (1 + math.cos(math.pi * share)))
                for slot in optimizer.param_groups:
                    slot["lr"] = max(settings.rate * rate, 1e-6)
                batch = sentences.batch(group)
                gold = sentences.send(classes[sentences.positions(group)])
                loss = guess_loss(network, guesser, batch, gold, draw)
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(parameters, 5.0, foreach=True)
                optimizer.step()
                seen += int(batch.lengths.sum()) - len(group)
                report(share, float(loss.detach()))
    finally:
        network.word_dropout = kept
