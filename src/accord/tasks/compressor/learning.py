# SPDX-License-Identifier: Apache-2.0
"""Learning of compressors: the weights of word, bigram and arc features, one sentence after another.

For a sentence with compression y the decoder finds ŷ = argmax score(z) + cost(z, y), where the cost is the number of
words wrongly kept or deleted, and of wrong heads. With Δ = features(y) - features(ŷ), the rules do

    perceptron  w += Δ, without the cost
    mira        w += τ Δ, τ = min(C, (cost - w·Δ) / |Δ|²): the smallest change that makes up for the cost
    svm         w := (1 - 1/t) w + η Δ: a step on the structured hinge loss with λ|w|²/2 (Pegasos), η = 1 / (λ t)

Weights are averages over all steps (averaged.py).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.learning import UpdateReport
from accord.tasks.compressor.averaged import AveragedWeights
from accord.tasks.compressor.config import CompressorConfig
from accord.tasks.compressor.decoding import Decoded, decode
from accord.tasks.compressor.linear import LinearCompressor, sections_of, tables_of
from accord.tasks.compressor.model import CompressorModel
from accord.tasks.compressor.parts import Index, PartFeatures, Scores
from accord.tasks.compressor.preparing import Instance
from accord.tasks.compressor.templates import Templates, compile_templates

_HEAD_COST = 0.5  # of a wrong head, beside a word wrongly kept or deleted


class CompressorTask:
    """A linear compressor being trained: what the training loop needs to know."""

    snapshot_type = CompressorModel

    def __init__(
        self,
        instances: Sequence[Instance],
        config: CompressorConfig,
        text: str,
        evaluate: Callable[[CompressorModel], dict[str, float]] | None,
    ) -> None:
        self.config = config
        self._instances = instances
        self._text = text
        self._templates: Templates = compile_templates(text)
        self._sections = sections_of(config.method)
        self._evaluate = evaluate
        self._weights = AveragedWeights(tables_of(config.method) << config.bits)
        self._step = 0

    def __len__(self) -> int:
        return len(self._instances)

    def size_of(self, index: int) -> int:
        return len(self._instances[index].analysis)

    def update(self, order: NDArray[np.int64]) -> UpdateReport:
        objective = mistakes = updates = 0.0
        for number in order.tolist():
            loss, wrong = self._learn(self._instances[number])
            objective += loss
            mistakes += wrong
            updates += loss > 0
        return UpdateReport(objective, mistakes, updates)

    def _learn(self, instance: Instance) -> tuple[float, float]:
        """One step on a sentence: its hinge loss, and the words that are wrong."""
        analysis, config = instance.analysis, self.config
        features = PartFeatures(analysis, self._templates, config.bits, self._sections)
        scores = features.scores(self._weights.values).times(self._weights.scale)
        gold_kept, gold_heads = self._gold(instance)
        cost = 0.0 if config.rule == "perceptron" else config.cost
        length = int(gold_kept.sum()) if config.length == "gold" else None
        method = "relaxed" if config.method == "joint" else config.method
        found = decode(_with_cost(scores, gold_kept, gold_heads, cost), analysis, method, length=length)
        wrong = float((found.kept != gold_kept).sum())
        index, signs = _difference(features.of(gold_kept, gold_heads), features.of(found.kept, _by_word(found)))
        self._step += 1
        if len(index) == 0:
            self._weights.step(index, signs, self._shrink())
            return 0.0, wrong
        margin = float((self._weights.values[index] * signs).sum()) * self._weights.scale
        loss = max(0.0, cost * (wrong + _wrong_heads(found, gold_kept, gold_heads)) - margin)
        self._weights.step(index, signs * self._rate(loss, float((signs**2).sum())), self._shrink())
        return loss, wrong

    def _gold(self, instance: Instance) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        """What is to be learnt: the compression, or the nearest one that deletes whole subtrees."""
        if self.config.method != "tree":
            return instance.kept, instance.heads
        n = len(instance.analysis)
        words = np.concatenate(([0.0], np.where(instance.kept, 1.0, -1.0)))
        found = decode(Scores(words, None, np.zeros((n + 1, n + 1))), instance.analysis, "tree")
        heads = np.where(found.kept, np.array(instance.analysis.heads), -1).astype(np.int32)
        return found.kept, heads

    def _rate(self, loss: float, norm: float) -> float:
        if self.config.rule == "perceptron":
            return 1.0
        if self.config.rule == "mira":
            return min(self.config.aggressiveness, loss / norm)
        return (1.0 if loss > 0 else 0.0) / (self.config.l2 * (self._step + 1.0 / self.config.l2))

    def _shrink(self) -> float:
        return 1.0 if self.config.rule != "svm" else 1.0 - 1.0 / (self._step + 1.0 / self.config.l2)

    def finish_epoch(self) -> dict[str, float]:
        return {}

    def snapshot(self) -> CompressorModel:
        weights = LinearCompressor.freeze(self._weights.average(), self.config.bits, self._text)
        return CompressorModel(self.config, weights)

    def evaluate(self, snapshot: CompressorModel) -> dict[str, float]:
        return self._evaluate(snapshot) if self._evaluate else {}

    def save_state(self) -> list[NDArray[np.uint8]]:
        return [*self._weights.save(), np.array([self._step], np.int64).view(np.uint8)]

    def load_state(self, blocks: Sequence[NDArray[np.uint8]]) -> None:
        self._weights.load(blocks[:-1])
        self._step = int(np.array(blocks[-1]).view(np.int64)[0])


def _with_cost(scores: Scores, kept: NDArray[np.bool_], heads: NDArray[np.int32], cost: float) -> Scores:
    """Scores with the cost of each word that is wrongly kept or deleted, and of each wrong head, but for a constant."""
    if cost == 0:
        return scores
    words = scores.words.copy()
    words[1:] += np.where(kept, -cost, cost)
    arcs = scores.arcs
    if arcs is not None:
        arcs = arcs.copy()
        right = np.flatnonzero(kept)
        arcs[:, right + 1] += _HEAD_COST * cost
        arcs[heads[right], right + 1] -= _HEAD_COST * cost
    return dataclasses.replace(scores, words=words, arcs=arcs)


def _wrong_heads(found: Decoded, kept: NDArray[np.bool_], heads: NDArray[np.int32]) -> float:
    answer = _by_word(found)
    return 0.0 if answer is None else _HEAD_COST * float((found.kept & kept & (answer != heads)).sum())


def _by_word(found: Decoded) -> NDArray[np.int32] | None:
    """The heads of an answer, without the entry of the root."""
    return None if found.heads is None else found.heads[1:]


def _difference(gold: Index, found: Index) -> tuple[Index, NDArray[np.float64]]:
    """The features whose counts differ, and by how much."""
    index, places = np.unique(np.concatenate((gold, found)), return_inverse=True)
    signs = np.concatenate((np.ones(len(gold)), -np.ones(len(found))))
    counts = np.bincount(places, signs, minlength=len(index))
    changed = counts != 0
    return index[changed], counts[changed]
