# SPDX-License-Identifier: Apache-2.0
"""A constituency parser with a neural scorer as the training loop sees it.

The network is that of the dependency parser. Its positions are the root and the words, and position i stands for the
boundary behind word i: a phrase over the words i+1 to j is an arc from i to j, with the phrase's label. The loss is the
log-likelihood of the shape of the tree, and of the label of each gold phrase.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from accord.data import Document
from accord.tasks.constituents.config import ConstituentsConfig
from accord.tasks.constituents.model import ConstituencyParser, ConstituentsModel
from accord.tasks.constituents.training import scores
from accord.tasks.constituents.treebank import GoldSpans, count_labels, gold_spans, learnt_trees
from accord.tasks.network.vocabulary import gold_classes
from accord.tasks.setting_files import read_setting_file
from accord.torch.batches import Batch, Sentences
from accord.torch.learnable import NetworkLearnable, check_given_tags
from accord.torch.losses import label_loss, tag_loss
from accord.torch.part_scores import in_single
from accord.torch.spans import span_log_partition
from accord.torch.training import NetworkTrainer
from accord.torch.transfer import begin_with


class SpanSentences(Sentences):
    """A treebank with its gold phrases in the place of arcs."""

    gold: GoldSpans

    def batch(self, sentences: NDArray[np.int64]) -> Batch:
        starts = self.gold.starts
        rows = [
            (place, *row)
            for place, sentence in enumerate(sentences.tolist())
            for row in self.gold.rows[starts[sentence] : starts[sentence + 1]].tolist()
        ]
        labelled = np.array(rows, np.int64).reshape(-1, 4).T
        words = int((self.lengths[sentences] - 1).sum())
        return dataclasses.replace(super().batch(sentences), labelled=self.send(labelled), words=words)


class SpanTrainer(NetworkTrainer):
    """A network that learns phrases."""

    def __init__(self, training: Document, gold: GoldSpans, config: ConstituentsConfig, **how: Any) -> None:
        self.gold = gold
        super().__init__(training, config.neural, **how)

    def read(self, document: Document) -> Sentences:
        tags = {task: gold_classes(self.vocabulary, document, task) for task in self.vocabulary.classes}
        sentences = SpanSentences(document, self.vocabulary.reader, self.device, None, tags)
        sentences.gold = self.gold
        return sentences

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        found = self.network(batch)
        arcs = in_single(found.arcs)
        words = max(batch.words, 1)
        sentence, begin, end, _ = batch.labelled
        gold = arcs[sentence, begin, end].sum()
        pieces = {"shape": (span_log_partition(arcs, batch.lengths - 1).sum() - gold) / words}
        pieces["labels"] = label_loss(self.network, found, batch) / words
        total = pieces["shape"] + self.config.label_weight * pieces["labels"]
        if found.tags:
            pieces["tags"] = tag_loss(found, batch) / words
            total = total + self.config.tag_weight * pieces["tags"]
        return total, pieces


class NeuralConstituentsTask(NetworkLearnable):
    """Training on a treebank, scored on dev by the core as the finished model will be used."""

    config: ConstituentsConfig
    snapshot_type = ConstituentsModel
    started = 0.0  # the share of the weights that another network gave

    def __init__(self, training: Document, dev: Document | None, config: ConstituentsConfig) -> None:
        self.config, self.dev = config, dev
        kept = [index for index, length in enumerate(training.lengths.tolist()) if 0 < length <= config.longest]
        if len(kept) < len(training):
            training = Document.from_sentences((training.sentences[index] for index in kept), name=training.name)
        trees = learnt_trees(training, functions=config.functions)
        self.labels = count_labels(trees, config.least_count)
        check_given_tags(config.neural, training)
        self.trainer = SpanTrainer(
            training,
            gold_spans(trees, self.labels),
            config,
            labels=self.labels,
            clusters=read_setting_file("clusters", config.clusters),
            seed=config.seed,
        )
        if config.neural.start:
            self.started = begin_with(self.trainer, config.neural.start, self.labels, spans=True)

    def snapshot(self) -> ConstituentsModel:
        return ConstituentsModel(self.config, self.labels, "", {}, network=self.mean_network(len(self.labels)))

    def evaluate(self, snapshot: ConstituentsModel) -> dict[str, float]:
        return {} if self.dev is None else scores(ConstituencyParser(snapshot), self.dev)
