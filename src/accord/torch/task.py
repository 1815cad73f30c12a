# SPDX-License-Identifier: Apache-2.0
"""A parser with a neural scorer as the training loop sees it (:class:`accord.learning.Learnable`)."""

from __future__ import annotations

import numpy as np

from accord.data import Document
from accord.errors import ConfigError, FormatError
from accord.tasks.parser import Parser, ParserModel, Trees
from accord.tasks.parser.answers import Pruning
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.treebank import has_single_roots, label_names, trees_alone
from accord.tasks.setting_files import read_setting_file
from accord.torch.batches import Sentences
from accord.torch.learnable import NetworkLearnable, check_given_tags
from accord.torch.training import NetworkTrainer
from accord.torch.transfer import begin_with, started_vocabulary

COLUMNS = {"upos": "UPOS", "xpos": "XPOS", "feats": "UFeats", "lemma": "Lemmas"}


class NeuralTask(NetworkLearnable):
    """Training on a treebank, scored on dev by the core as the finished model will be used."""

    config: ParserConfig
    snapshot_type = ParserModel
    started = 0.0  # the share of the weights that another network gave
    pruning: Pruning | None = None  # the network itself chooses the candidates

    def __init__(self, training: Document, dev: Document | None, config: ParserConfig) -> None:
        self.config, self.dev = config, dev
        check_given_tags(config.neural, training)
        self.single_root = has_single_roots(training) if config.single_root == "auto" else config.single_root == "true"
        self.labels = () if config.labels == "none" else label_names(training, config.blank_label)
        known = started_vocabulary(config.neural) if config.neural.keep_vocabulary else None
        if known is not None and self.labels:
            self.labels = known[0]
        parts = config.part_names()
        if set(parts) - {"sibling", "grandparent"}:
            raise ConfigError("neural scorers have siblings and grandparents, no other parts larger than arcs")
        if not (training.heads >= 0).any():
            raise FormatError("no sentence with a tree to train on", file=training.name)
        self.parts = parts
        trees = trees_alone(training, self.single_root)
        self.left_out, self.partial = len(training) - len(trees), 0
        self._dev_sentences: Sentences | None = None
        self.trainer = NetworkTrainer(
            trees,
            config.neural,
            self.labels,
            parts=parts,
            projective=config.projective,
            single_root=self.single_root,
            pruner=(config.pruner_heads, config.threshold()),
            clusters=read_setting_file("clusters", config.clusters),
            seed=config.seed,
            vocabulary=None if known is None else known[1],
        )
        if config.neural.start:
            self.started = begin_with(self.trainer, config.neural.start, self.labels)

    def snapshot(self) -> ParserModel:
        network = self.mean_network(len(self.labels), self.parts)
        return ParserModel(self.config, self.single_root, self.labels, "", {}, network=network)

    def evaluate(self, snapshot: ParserModel) -> dict[str, float]:
        if self.dev is None:
            return {}
        parser = Parser(snapshot)
        if self.trainer.device.type == "cpu" or self.parts or self.config.projective:
            trees = parser.trees(self.dev, tags=bool(parser.columns), threads=self.config.threads)
        else:
            trees = self._predicted(parser)
        return self._shares(parser, trees)

    def _shares(self, parser: Parser, trees: Trees) -> dict[str, float]:
        """Shares of right heads, labelled heads, tags and lemmas, in percent; the words being those of the treebank."""
        assert self.dev is not None
        right = trees.heads == self.dev.heads
        scores = {"UAS": right}
        if self.labels:
            names = [self.labels[label] for label in trees.labels.tolist()]
            scores = {"LAS": right & (np.array(names) == np.array(self.dev.column("deprel"))), **scores}
        vocabulary = self.trainer.vocabulary
        for task, classes in trees.tags.items():
            if task == "lemma":
                found = vocabulary.lemmas(self.dev, classes)
            else:
                found = [vocabulary.classes[task][number] for number in classes.tolist()]
            scores[COLUMNS[task]] = np.array(found) == np.array(self.dev.column(task))
        return {name: 100.0 * float(np.mean(values)) for name, values in scores.items()}

    def _predicted(self, parser: Parser) -> Trees:
        """The dev trees by PyTorch, on a GPU faster than by the core; both agree."""
        assert self.dev is not None
        if self._dev_sentences is None:
            self._dev_sentences = self.trainer.read(self.dev)
        kept = self.trainer.use_mean()
        found = self.trainer.predict(self._dev_sentences, self.dev)
        self.trainer.restore(kept)
        nothing = np.zeros(0)
        none = np.zeros(0, np.int32)
        return Trees(
            found.heads, found.labels, nothing, nothing, nothing, nothing, nothing, none, none, tags=found.tags
        )
