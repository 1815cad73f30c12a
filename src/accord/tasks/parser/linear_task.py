# SPDX-License-Identifier: Apache-2.0
"""A parser with a linear scorer in training: treebank -> instances -> weights -> model."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.data import Document
from accord.errors import ConfigError, FormatError
from accord.learning import SILENT, Reporter, UpdateReport, epoch_order
from accord.models.stored import Weights
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.parser.answers import Pruning
from accord.tasks.parser.config import ParserConfig, parser_settings
from accord.tasks.parser.hybrid_templates import frequent_paths, parser_templates
from accord.tasks.parser.model import Parser
from accord.tasks.parser.model_file import ParserModel
from accord.tasks.parser.options import Search
from accord.tasks.parser.treebank import attachment_scores, has_single_roots, label_names
from accord.tasks.setting_files import read_patterns, read_setting_file
from accord.tasks.sparsity.selection import Selection, select_features

HEAD_PARTS = ("sibling", "grandparent", "grand_sibling", "tri_sibling")
DUAL_RULES = ("eg_margin", "eg_crf")
SUM_RULES = ("crf", "softmax_margin")
MARGIN_SENTENCES = 1000  # of a fold, about, that choose the threshold
LEAST_THRESHOLD, MOST_THRESHOLD = 5e-4, 0.05
SEEN_BY_PRUNER = (
    "pruner_folds = {} with pruner_stages = 2: the pruner knows the heads of its own training sentences, so the parser "
    "learns from easier candidates than it meets in new text and loses much accuracy; use pruner_folds = 2 or more, or "
    "pruner_stages = 1"
)


def _check_answers(config: ParserConfig) -> None:
    """Raise where the answers that updates are made from do not fit the model or the rule."""
    others = [name for name in config.part_names() if name not in HEAD_PARTS]
    if config.answers == "heads" and others:
        raise ConfigError(f"answers = heads: {others[0]!r} parts are not of one side of a head")
    if config.answers == "relaxed" and config.projective:
        raise ConfigError("answers = relaxed: projective models have exact charts; this is for non-projective ones")
    if not config.unsupported and config.rule in DUAL_RULES:
        raise ConfigError(f"rule {config.rule!r} needs weights for unsupported features")
    if config.step == "automatic" and config.rule not in SUM_RULES:
        raise ConfigError(f"step = automatic: for the rules {' and '.join(SUM_RULES)}, not for {config.rule}")


class ParserTask:
    """The parser as the training loop sees it (:class:`accord.learning.Learnable`)."""

    snapshot_type = ParserModel

    def __init__(
        self,
        training: Document,
        dev: Document | None,
        config: ParserConfig,
        reporter: Reporter = SILENT,
        *,
        chosen: Selection | None = None,
    ) -> None:
        self.config = config
        self._chosen = chosen
        self.dev = dev
        self.pruning: Pruning | None = None
        self._reporter = reporter
        config.check_solver()
        self.parts = config.part_names()
        _check_answers(config)
        if self.parts and config.pruner_stages == 2 and config.pruner_folds < 2:
            reporter.warn(SEEN_BY_PRUNER.format(config.pruner_folds))
        if chosen is None:
            self.templates = parser_templates(config.template_names(), config.frequent)
        else:
            self.templates = chosen.templates
        self.tree_labels = config.labels_given_tree(self.templates)
        clusters = read_setting_file("clusters", config.clusters)
        self.clusters = frequent_paths(clusters, training.column("form"), config.frequent)
        self.patterns = read_patterns("accord.tasks.parser", config.patterns)
        self.single_root = has_single_roots(training) if config.single_root == "auto" else config.single_root == "true"
        self.labels = () if config.labels == "none" else label_names(training, config.blank_label)
        try:
            self._trainer = _tasks.ParserTrainer(
                parser_settings(
                    config,
                    self.templates,
                    len(self.labels),
                    single_root=self.single_root,
                    tree_labels=self.tree_labels,
                    patterns=self.patterns,
                ),
                self._trainer_settings(),
                list(self.labels),
                cluster_lexicon(self.clusters),
            )
            self.left_out = self._trainer.add(training.native)
            self.partial = self._trainer.partial()
        except ValueError as error:
            raise ConfigError(f"templates {config.templates!r}: {error}") from None
        if len(self._trainer) == 0:
            raise FormatError("no sentence with a tree to train on", file=training.name)
        self._support()

    def _trainer_settings(self) -> _tasks.TrainerSettings:
        c = self.config
        automatic = c.step == "automatic" and c.rule in SUM_RULES
        return _tasks.TrainerSettings(
            rule=f"automatic_{c.rule}" if automatic else c.rule,
            kind=c.table,
            arc_bits=c.arc_bits,
            label_bits=c.label_bits,
            cost=c.cost,
            label_cost=c.label_cost,
            aggressiveness=c.aggressiveness,
            adagrad=c.step == "adagrad",
            rate=1.0 if automatic else c.rate,
            l2=c.l2,
            dual_c=c.dual_c,
            batch=c.batch,
            part_bits=c.part_table_bits(),
            pruner_bits=c.pruner_table_bits(),
            second_pruner_bits=c.second_pruner_bits,
            pruner_rate=c.pruner_rate,
            tree_label_bits=c.tree_label_bits,
            pair_bits=c.pair_bits,
            decoder=Search(iterations=c.training_iterations, nodes=c.training_nodes).decoder(
                c, search_nodes=c.training_search_nodes
            ),
            sharpness=c.sharpness,
            answers=c.answers,
            unsupported=c.unsupported,
            prune=c.prune,
            partial=c.partial == "complete",
        )

    def prepare_pruner(self, *, train: bool = True) -> Pruning:
        """Train the pruner and let it choose the candidate arcs of the training sentences."""
        config, everything = self.config, np.arange(len(self), dtype=np.int64)
        folds = [everything] if config.pruner_folds < 2 else list(np.array_split(everything, config.pruner_folds))
        pruners = np.arange(1, len(folds) + 1) if len(folds) > 1 else np.zeros(1, dtype=np.int64)
        if train:
            self._train_pruners(everything, folds, pruners)
        if config.pruner_threshold < 0 and len(folds) > 1:
            self._choose_threshold(folds, pruners)
        totals = np.zeros(3, dtype=np.int64)
        for pruner, fold in zip(pruners.tolist(), folds, strict=True):
            totals += self._trainer.prune(pruner, fold, config.threads)
        self.pruning = Pruning(*totals.tolist())
        heads, kept = self.pruning.heads_per_word, 100 * self.pruning.recall
        self._reporter.note(f"pruner: {heads:.2f} heads a word, {kept:.2f} % of gold heads kept")
        return self.pruning

    def _choose_threshold(self, folds: list[NDArray[np.int64]], pruners: NDArray[np.int64]) -> None:
        """The threshold that keeps enough gold heads of sentences that a pruner has not seen."""
        margins = []
        for pruner, fold in zip(pruners.tolist(), folds, strict=True):
            some = fold[:: max(1, len(fold) // MARGIN_SENTENCES)]
            margins.append(self._trainer.gold_margins(pruner, some, self.config.threads))
        margin = float(np.quantile(np.concatenate(margins), self.config.pruner_recall))
        threshold = min(max(math.exp(-margin), LEAST_THRESHOLD), MOST_THRESHOLD)
        self.config = dataclasses.replace(self.config, pruner_threshold=threshold)
        self._trainer.set_pruner_threshold(threshold)

    def _train_pruners(
        self, everything: NDArray[np.int64], folds: list[NDArray[np.int64]], pruners: NDArray[np.int64]
    ) -> None:
        """Train the pruner of each fold on the other folds, and then the model's, pruner 0, on everything."""
        config = self.config

        def learn(pruner: int, stage: int, seen: NDArray[np.int64], epochs: int) -> None:
            for epoch in range(epochs):
                self._trainer.learn_pruner(pruner, stage, seen[epoch_order(len(seen), config.seed + pruner, epoch)])

        for pruner, fold in zip(pruners.tolist(), folds, strict=True):
            seen = np.setdiff1d(everything, fold) if pruner > 0 else everything
            for stage in range(config.pruner_stages):
                learn(pruner, stage, seen, config.pruner_epochs)
        for stage in range(config.pruner_stages if len(folds) > 1 else 0):
            self._trainer.start_pruner(0, stage, pruners)
            learn(0, stage, everything, config.pruner_final_epochs)

    def __len__(self) -> int:
        return len(self._trainer)

    def size_of(self, index: int) -> int:
        return self._trainer.words(index)

    def update(self, order: NDArray[np.int64]) -> UpdateReport:
        if self.parts and self.pruning is None:
            self.prepare_pruner()
        return UpdateReport(*self._trainer.update(order, self.config.threads))

    def finish_epoch(self) -> dict[str, float]:
        primal, dual, rate = self._trainer.finish_pass()
        if self.config.rule not in DUAL_RULES:
            return {}
        return {"primal": primal, "dual": dual, "gap": primal - dual, "rate": rate}

    def snapshot(self) -> ParserModel:
        average = self.config.average
        tables = {
            "arcs": Weights.from_native(self._trainer.freeze_arcs(average), 2),
            "labels": Weights.from_native(self._trainer.freeze_labels(average), 1),
        }
        if self.tree_labels:
            tables["tree_labels"] = Weights.from_native(self._trainer.freeze_tree_labels(average), 1)
            tables["label_pairs"] = Weights.from_native(self._trainer.freeze_label_pairs(average), 2)
        if self.parts:
            tables["parts"] = Weights.from_native(self._trainer.freeze_parts(average), 2)
            tables["pruner"] = Weights.from_native(self._trainer.freeze_pruner(0), 2)
            if self.config.pruner_stages == 2:
                tables["second_pruner"] = Weights.from_native(self._trainer.freeze_pruner(1), 1)
        if self.config.bytes == 1:
            tables = {name: table if "pruner" in name else table.coarser() for name, table in tables.items()}
        return ParserModel(
            config=self.config,
            single_root=self.single_root,
            labels=self.labels,
            templates=self.templates,
            tables=tables,
            clusters=self.clusters,
            patterns=self.patterns,
        )

    def evaluate(self, snapshot: ParserModel) -> dict[str, float]:
        if self.dev is None:
            return {}
        parser = Parser(snapshot)
        trees = parser.trees(self.dev, threads=self.config.threads)
        if self.config.label_mode() == "none":
            return {"UAS": attachment_scores(self.dev, trees.heads, None).uas}
        names = [self.labels[label] for label in trees.labels.tolist()]
        scores = attachment_scores(self.dev, trees.heads, names)
        return {"LAS": scores.las, "UAS": scores.uas}

    def save_state(self) -> list[NDArray[np.uint8]]:
        return list(self._trainer.save())

    def load_state(self, blocks: list[NDArray[np.uint8]]) -> None:
        try:
            self._trainer.load(blocks)
        except ValueError as error:
            raise ConfigError(f"cannot resume: {error}") from None
        self._support()
        if self.parts:
            self.prepare_pruner(train=False)

    def choose(self) -> Selection:
        """Choose features in a run of proximal steps, which is all that this task can do then."""
        labels = () if self.config.label_mode() == "none" else ("label",)
        return select_features(
            self._trainer,
            self.update,
            self.templates,
            self.config.sparsity,
            len(self),
            tables=3,
            seed=self.config.seed,
            sections=("arc", *labels, *self.parts),
            needed=("arc", *labels),
            reporter=self._reporter,
        )

    def _support(self) -> None:
        """Only the features that were chosen learn, where there was a choice of single ones."""
        for table, (keys, columns) in enumerate(() if self._chosen is None else self._chosen.features):
            self._trainer.support(table, keys, columns)
