# SPDX-License-Identifier: Apache-2.0
"""Training of the parser of spines: its grammar, its pruners, then the parser on what they leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document
from accord.data.constituents.head_rules import HeadRules
from accord.learning.loop import epoch_order
from accord.models.stored import Weights
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.constituents.config import ConstituentsConfig
from accord.tasks.constituents.model import ConstituentsModel, pruning_of, shape_of
from accord.tasks.constituents.tag.grammar import SpineGrammar, derivations_of
from accord.tasks.constituents.training import ConstituentsTask
from accord.tasks.constituents.treebank import full_trees

PRUNER_BYTES = 1


@dataclass(frozen=True)
class Pruners:
    """The pruner of the model, and those that prune training sentences which they have not seen: none, or several."""

    final: tuple[Weights, Weights]
    folds: tuple[tuple[Weights, Weights], ...] = ()

    def fold_of(self, sentences: int) -> NDArray[np.int32]:
        """Which pruner is there for each sentence."""
        return np.arange(sentences, dtype=np.int32) % max(len(self.folds), 1)


class TagTask(ConstituentsTask):
    """Spines and adjunctions. ``pruners``: those of another task on the same data, where there are some."""

    def __init__(
        self, training: Document, dev: Document | None, config: ConstituentsConfig, pruners: Pruners | None = None
    ) -> None:
        self._pruners = pruners
        super().__init__(training, dev, config, config.tag.templates, bits=config.tag.bits)

    @property
    def pruners(self) -> Pruners:
        assert self._pruners is not None
        return self._pruners

    def trainer(self, training: Document) -> Any:
        config = self.config
        trees = full_trees(training, functions=config.functions)
        derivations = list(derivations_of(training.sentences, trees, HeadRules.load(config.tag.heads)))
        self.grammar = SpineGrammar.of(derivations)
        self._sequences = _text.DocumentSequences(training.native)
        self._gold = self.grammar.numbers(derivations)
        self._lexicon = cluster_lexicon(self.clusters)
        if self._pruners is None:
            self._pruners = self._train_pruners(len(training))
        return _tasks.TagTrainer(
            settings=self.settings,
            shape=shape_of(config.tag),
            pruning=pruning_of(config.tag),
            pruners=[self._frozen(pair) for pair in self.pruners.folds or (self.pruners.final,)],
            chosen=self.pruners.fold_of(len(training)),
            **self._data,
        )

    @property
    def _data(self) -> dict[str, Any]:
        return {
            "templates": self.templates,
            "grammar": self.grammar.native,
            "tags": list(self.grammar.tags),
            "sequences": self._sequences,
            "clusters": self._lexicon,
            **self._gold,
        }

    def _train_pruners(self, sentences: int) -> Pruners:
        everything = np.arange(sentences)
        folds = self.config.tag.folds if sentences >= 2 * self.config.tag.folds else 1
        kept = [everything[everything % folds != fold] for fold in range(folds)] if folds > 1 else []
        return Pruners(self._train_pruner(everything), tuple(map(self._train_pruner, kept)))

    def _train_pruner(self, sentences: NDArray[np.int64]) -> tuple[Weights, Weights]:
        """The weights of a pruner that has seen these sentences."""
        tag = self.config.tag
        settings = _tasks.PhraseTrainerSettings(
            rule="crf",
            cost=0.0,
            aggressiveness=1.0,
            adagrad=True,
            rate=tag.pruner_rate,
            l2=0.0,
            bits=tag.pruner_bits,
            batch=self.config.batch,
            threads=self.config.threads,
        )
        trainer = _tasks.SpinePrunerTrainer(
            settings=settings, bits=[tag.pruner_bits, min(tag.pruner_bits + 4, 22)], **self._data
        )
        short = sentences[self._lengths[sentences] <= self.config.longest]
        for epoch in range(tag.pruner_epochs):
            trainer.update(short[epoch_order(len(short), self.config.seed, epoch)])
        labels, spines = trainer.freeze(True, PRUNER_BYTES, 1)
        arcs = Weights.from_native(labels, PRUNER_BYTES)
        arcs = arcs._replace(scale=arcs.scale / tag.pruner_temperature)
        return arcs, Weights.from_native(spines, PRUNER_BYTES)

    def _frozen(self, pair: tuple[Weights, Weights]) -> _tasks.FrozenPruner:
        return _tasks.FrozenPruner(
            templates=self.templates,
            grammar=self.grammar.native,
            tags=list(self.grammar.tags),
            labels=pair[0],
            spines=pair[1],
            clusters=self._lexicon,
        )

    def finish_epoch(self) -> dict[str, float]:
        super().finish_epoch()
        words, kept, relations, _, _ = self._native.pruning()
        return {"kept by the pruner": 100.0 * kept / max(words, 1), "relations a word": relations / max(words, 1)}

    def model(self, tables: Sequence[Weights]) -> ConstituentsModel:
        labels, spines = self.pruners.final
        return ConstituentsModel(
            self.config,
            self.grammar.labels,
            self.templates,
            {"pruner_labels": labels, "pruner_spines": spines, "parts": tables[0]},
            self.clusters,
            grammar=self.grammar.to_text(),
        )
