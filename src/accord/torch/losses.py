"""Losses of a batch: of heads by one of several methods, of labels on gold arcs, of tags."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from accord.tasks.network.config import NeuralConfig
from accord.torch.batches import IGNORED, Batch
from accord.torch.network import Network, Scores

FAR = -1e9  # a score that no head has


def arc_mask(batch: Batch) -> Tensor:
    """Which arcs [sentences, head, dependent] there are."""
    inside = batch.mask[:, :, None] & batch.mask[:, None, :]
    mask: Tensor = inside & ~torch.eye(batch.mask.shape[1], dtype=torch.bool, device=inside.device)
    mask[:, :, 0] = False
    return mask


def head_loss(scores: Tensor, batch: Batch, smoothing: float = 0.0) -> Tensor:
    """Each word chooses its head on its own."""
    masked = scores.masked_fill(~arc_mask(batch), FAR)
    by_word = masked.transpose(1, 2).reshape(-1, masked.shape[1])
    heads = batch.heads.reshape(-1)
    if smoothing == 0:
        return F.cross_entropy(by_word, heads, ignore_index=IGNORED, reduction="sum")
    known = heads != IGNORED
    logs = F.log_softmax(by_word[known], 1)
    real = by_word[known] > FAR / 2
    even = (logs * real).sum(1) / real.sum(1).clamp(min=1)
    gold = logs.gather(1, heads[known][:, None])[:, 0]
    return -((1 - smoothing) * gold + smoothing * even).sum()


def label_loss(network: Network, scores: Scores, batch: Batch) -> Tensor:
    known = (batch.labels != IGNORED) & (batch.heads != IGNORED)
    sentence, dependent = known.nonzero(as_tuple=True)
    if not len(sentence):
        return scores.arcs.new_zeros(())
    head = batch.heads[sentence, dependent]
    found = network.score_labels(scores.label_head[sentence, head], scores.label_dependent[sentence, dependent])
    return F.cross_entropy(found, batch.labels[sentence, dependent], reduction="sum")


def tag_loss(scores: Scores, batch: Batch) -> Tensor:
    total = scores.arcs.new_zeros(())
    for name, found in scores.tags.items():
        gold = batch.tags[name]
        total = total + F.cross_entropy(found, gold, ignore_index=IGNORED, reduction="sum")
    return total / max(len(scores.tags), 1)


def total_loss(network: Network, batch: Batch, config: NeuralConfig) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of a batch per word, and its pieces."""
    scores = network(batch)
    words = max(int((batch.heads != IGNORED).sum()), 1)
    pieces = {"heads": head_loss(scores.arcs.float(), batch, config.smoothing) / words}
    total = pieces["heads"]
    if network.sizes.labels:
        pieces["labels"] = label_loss(network, scores, batch) / words
        total = total + config.label_weight * pieces["labels"]
    if scores.tags:
        pieces["tags"] = tag_loss(scores, batch) / words
        total = total + config.tag_weight * pieces["tags"]
    return total, pieces
