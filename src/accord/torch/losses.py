# SPDX-License-Identifier: Apache-2.0
"""Losses of a batch: of heads by one of several methods, of labels on gold arcs, of tags.

local    each word chooses its head; what every sentence falls back on that has no gold tree of the kind searched
others   see accord.torch.tree_losses; with larger parts, the arcs that choose the candidates learn locally besides
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from accord.errors import ConfigError
from accord.tasks.network.config import NeuralConfig
from accord.torch.batches import IGNORED, Batch
from accord.torch.network import Network, Scores
from accord.torch.part_scores import candidate_layouts, in_single, part_scores
from accord.torch.tree_losses import (
    crf_loss,
    gold_trees,
    margin_loss,
    part_crf_loss,
    part_margin_loss,
    sparsemap_loss,
)

FAR = -1e9  # a score that no head has
LOCAL_WEIGHT = 0.5  # of the arcs' local loss where they choose the candidates of larger parts
ARC_LOSSES = {"crf": crf_loss, "margin": margin_loss, "sparsemap": sparsemap_loss}


class Search(NamedTuple):
    """The trees that losses look at, and which arcs are candidates where there are larger parts."""

    projective: bool = False
    single_root: bool = True
    heads: int = 10
    threshold: float = 0.015


def arc_mask(batch: Batch) -> Tensor:
    """Which arcs [sentences, head, dependent] there are."""
    inside = batch.mask[:, :, None] & batch.mask[:, None, :]
    mask: Tensor = inside & ~torch.eye(batch.mask.shape[1], dtype=torch.bool, device=inside.device)
    mask[:, :, 0] = False
    return mask


def head_loss(scores: Tensor, batch: Batch, smoothing: float = 0.0, sentences: Tensor | None = None) -> Tensor:
    """Each word chooses its head on its own; ``sentences`` [sentences] says which ones count, else all."""
    masked = scores.masked_fill(~arc_mask(batch), FAR)
    by_word = masked.transpose(1, 2).reshape(-1, masked.shape[1])
    kept = batch.heads if sentences is None else batch.heads.masked_fill(~sentences[:, None], IGNORED)
    heads = kept.reshape(-1)
    if smoothing == 0:
        return functional.cross_entropy(by_word, heads, ignore_index=IGNORED, reduction="sum")
    known = heads != IGNORED
    logs = functional.log_softmax(by_word[known], 1)
    real = by_word[known] > FAR / 2
    even = (logs * real).sum(1) / real.sum(1).clamp(min=1)
    gold = logs.gather(1, heads[known][:, None])[:, 0]
    return -((1 - smoothing) * gold + smoothing * even).sum()


def label_loss(network: Network, scores: Scores, batch: Batch) -> Tensor:
    sentence, head, dependent, label = batch.labelled
    if not len(sentence):
        return scores.arcs.new_zeros(())
    found = network.score_labels(scores.label_head[sentence, head], scores.label_dependent[sentence, dependent])
    return functional.cross_entropy(found, label, reduction="sum")


def tag_loss(scores: Scores, batch: Batch) -> Tensor:
    total = scores.arcs.new_zeros(())
    for name, found in scores.tags.items():
        gold = batch.tags[name]
        total = total + functional.cross_entropy(found, gold, ignore_index=IGNORED, reduction="sum")
    return total / max(len(scores.tags), 1)


def check_loss(loss: str, parts: tuple[str, ...]) -> None:
    """Refuses what cannot be learnt."""
    if parts and loss not in ("crf", "margin"):
        raise ConfigError(f"loss = {loss!r}: parts are learnt with loss=crf or loss=margin")


def structured_loss(scores: Scores, batch: Batch, config: NeuralConfig, search: Search) -> Tensor:
    """The loss of all heads by the method of the settings."""
    check_loss(config.loss, tuple(scores.parts))
    arcs = in_single(scores.arcs)
    if config.loss == "local":
        return head_loss(arcs, batch, config.smoothing)
    if scores.parts and config.loss == "crf":  # charts sum over projective trees alone
        search = search._replace(projective=True)
    gold = batch.heads.clamp(min=-1).cpu().numpy().astype(np.int32)
    usable = gold_trees(gold, batch.lengths.numpy() - 1, projective=search.projective, single_root=search.single_root)
    whole = torch.from_numpy(usable).to(arcs.device)
    total = head_loss(arcs, batch, config.smoothing, ~whole)
    if not usable.any():
        return total
    rows = np.flatnonzero(usable)
    if not scores.parts:
        return total + _arc_loss(arcs, batch, rows, config.loss, search)
    total = total + LOCAL_WEIGHT * head_loss(arcs, batch, config.smoothing, whole)
    return total + _part_loss(scores, gold, batch, rows, config.loss, search)


def _arc_loss(arcs: Tensor, batch: Batch, rows: NDArray[np.int64], loss: str, search: Search) -> Tensor:
    """Of the trees of some sentences."""
    chosen = torch.from_numpy(rows)
    placed = chosen.to(arcs.device)
    values = ARC_LOSSES[loss](
        arcs[placed],
        batch.heads[placed],
        batch.lengths[chosen] - 1,
        projective=search.projective,
        single_root=search.single_root,
    )
    return values.sum()


def _part_loss(
    scores: Scores, gold: NDArray[np.int32], batch: Batch, rows: NDArray[np.int64], loss: str, search: Search
) -> Tensor:
    """The same with larger parts."""
    placed = torch.from_numpy(rows).to(scores.arcs.device)
    layouts = candidate_layouts(
        scores.arcs[placed],
        batch.lengths.numpy()[rows] - 1,
        gold[rows],
        tuple(scores.parts),
        heads=search.heads,
        threshold=search.threshold,
        projective=search.projective,
        single_root=search.single_root,
    )
    flat, heads = part_scores(scores, layouts, placed), batch.heads[placed]
    if loss == "crf":
        return part_crf_loss(flat, heads, layouts, single_root=search.single_root).sum()
    values = part_margin_loss(flat, heads, layouts, projective=search.projective, single_root=search.single_root)
    return values.sum()


def total_loss(
    network: Network,
    batch: Batch,
    config: NeuralConfig,
    *,
    projective: bool = False,
    single_root: bool = True,
    heads: int = 10,
    threshold: float = 0.015,
    local: bool = False,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of a batch per word, and its pieces.

    ``projective`` and ``single_root`` say which trees are searched; with larger parts, a word's candidates are its
    ``heads`` likeliest heads that are at least ``threshold`` times as likely as the first. ``local``: each word chooses
    its head on its own, whatever the settings say, as at the start of training.
    """
    scores = network(batch)
    words = max(batch.words, 1)
    search = Search(projective, single_root, heads, threshold)
    if local:
        pieces = {"heads": head_loss(in_single(scores.arcs), batch, config.smoothing) / words}
    else:
        pieces = {"heads": structured_loss(scores, batch, config, search) / words}
    total = pieces["heads"]
    if network.sizes.labels:
        pieces["labels"] = label_loss(network, scores, batch) / words
        total = total + config.label_weight * pieces["labels"]
    if scores.tags:
        pieces["tags"] = tag_loss(scores, batch) / words
        total = total + config.tag_weight * pieces["tags"]
    return total, pieces
