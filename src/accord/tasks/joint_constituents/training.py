# SPDX-License-Identifier: Apache-2.0
"""Training of the joint parser: a segmenter, a tagger, phrases on known words and tags, then weights on dev data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError
from accord.learning import SILENT, Checkpoint, EpochReport, Reporter, TrainingResult, train
from accord.models.stored import Weights
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.constituents.training import CHUNK, PhraseTask
from accord.tasks.joint_constituents.config import JointConstituentsConfig
from accord.tasks.joint_constituents.grammar import Binariser, PhraseGrammar
from accord.tasks.joint_constituents.lattice import Lattice
from accord.tasks.joint_constituents.model import JointConstituencyParser, JointConstituentsModel, Mixture
from accord.tasks.joint_constituents.scoring import Trees, gold_of, joint_scores
from accord.tasks.joint_constituents.tuning import tune_weights
from accord.tasks.labeller import Labeller, LabellerModel, Problem, fit_temperature, train_labeller
from accord.tasks.labeller.problem import number_labels
from accord.tasks.segmenter.training import train_segmenter

Made = TypeVar("Made")
TEMPERATURE_SENTENCES = 500


class DerivationTask(PhraseTask[JointConstituentsConfig, JointConstituentsModel]):
    """Phrases of known words and tags, by derivations of a grammar."""

    snapshot_type = JointConstituentsModel
    package = "accord.tasks.joint_constituents"

    def __init__(
        self,
        training: Trees,
        dev: Trees | None,
        config: JointConstituentsConfig,
        make: Callable[[PhraseGrammar, str, str, Sequence[Weights]], JointConstituentsModel],
    ) -> None:
        self._training, self._gold, self._make = training, dev, make
        super().__init__(training.document, config, config.templates, bits=config.bits)

    def trainer(self, training: Document) -> Any:
        binariser = Binariser(self.config.binarisation, self.config.parents)
        derivations = [binariser.spans(tree) for tree in self._training.trees]
        rules = self.config.rules if self.config.binarisation == "parent" else "seen"
        self.grammar = PhraseGrammar.of_derivations(derivations, rules=rules)
        rows, starts = self.grammar.rows(derivations)
        return _tasks.JointTrainer(
            templates=self.templates,
            grammar=self.grammar.native(),
            beam=self.config.training_beam,
            settings=self.settings,
            sequences=_text.DocumentSequences(training.native),
            gold=rows,
            starts=starts,
            clusters=cluster_lexicon(self.clusters),
        )

    def model(self, tables: Sequence[Weights]) -> JointConstituentsModel:
        return self._make(self.grammar, self.templates, self.clusters, tables)

    def evaluate(self, snapshot: JointConstituentsModel) -> dict[str, float]:
        """Brackets on known words and tags; tags that training never had are left to the tagger."""
        if self._gold is None:
            return {}
        parser, known = JointConstituencyParser(snapshot), set(snapshot.grammar.tags)
        lattices = [
            Lattice.of_words(words, [tag if tag in known else None for tag in tree.tags])
            for words, tree in zip(self._gold.words, self._gold.trees, strict=True)
        ]
        found = parser.parse(lattices, beam=self.config.training_beam, threads=self.config.threads)
        gold = gold_of(self._gold.document.with_constituents(self._gold.trees))
        return {"F1": joint_scores(gold, found).brackets.f1}


def train_tags(
    training: Trees, dev: Trees | None, config: JointConstituentsConfig, *, reporter: Reporter = SILENT
) -> LabellerModel:
    """The tagger: a chain over the tags of the words of trees."""
    names = [tag for tree in training.trees for tag in tree.tags]
    labels, numbers = number_labels(names)
    problem = Problem(_text.DocumentSequences(training.document.native), numbers, labels)
    settings = dataclasses.replace(config.tagger.labeller(), threads=config.threads)

    def scores(model: LabellerModel) -> dict[str, float]:
        if dev is None:
            return {}
        labeller = Labeller(model)
        found = labeller.names(labeller.label(labeller.words(dev.document), threads=config.threads).numbers)
        wanted = [tag for tree in dev.trees for tag in tree.tags]
        right = sum(a == b for a, b in zip(found, wanted, strict=True))
        return {"accuracy": 100 * right / max(len(wanted), 1)}

    model = _finished(train_labeller(problem, settings, scores, reporter=reporter))
    if dev is None:
        return model
    known = set(labels)
    few = dev.few(TEMPERATURE_SENTENCES)
    wanted = [tag if tag in known else labels[0] for tree in few.trees for tag in tree.tags]
    gold = number_labels(wanted, labels)[1]
    return fit_temperature(model, lambda labeller: labeller.words(few.document), gold)


class _Told(Reporter):
    """Tells of the epochs of segmenter and tagger in lines: the epochs of the run are those of the phrases."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def epoch(self, report: EpochReport) -> None:
        scores = ", ".join(f"{name} {value:.2f}" for name, value in report.scores.items())
        self._reporter.note(f"pass {report.epoch}{': ' if scores else ''}{scores}")


def _finished(result: TrainingResult[Made]) -> Made:
    """The model of a step; one that the user interrupts ends the whole."""
    if result.interrupted:
        raise KeyboardInterrupt
    return result.model


def train_joint_constituents(
    training: Document,
    dev: Document | None = None,
    config: JointConstituentsConfig | None = None,
    *,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[JointConstituentsModel]:
    """Train on the trees of a treebank; dev data decides which epochs are best, and which weights.

    A resumed run trains segmenter and tagger again, and goes on with the phrases.
    """
    config = config or JointConstituentsConfig()
    data = Trees.of(training, functions=config.functions)
    held = None if dev is None else Trees.of(dev, functions=config.functions)
    if not data.words:
        raise ConfigError("there is nothing to train on")
    reporter.note("segmenter: words from characters")
    told = _Told(reporter)
    words = dataclasses.replace(config.segmenter, threads=config.threads)
    segmenter = _finished(train_segmenter(data.words, None if held is None else held.words, words, reporter=told))
    reporter.note("tagger: tags of known words")
    tagger = train_tags(data, held, config, reporter=told)
    reporter.note("phrases of known words and tags")

    def make(
        grammar: PhraseGrammar, templates: str, clusters: str, tables: Sequence[Weights]
    ) -> JointConstituentsModel:
        weights = Mixture(config.word_weight or 1.0, config.tag_weight or 1.0, config.phrase_weight)
        named = {"phrases": tables[0]}
        return JointConstituentsModel(config, segmenter, tagger, grammar, templates, named, clusters, weights)

    result = train(
        DerivationTask(data, held, config, make),
        epochs=config.epochs,
        patience=config.patience,
        chunk=CHUNK,
        seed=config.seed,
        reporter=reporter,
        checkpoint=checkpoint,
    )
    if dev is None or result.interrupted:
        return result
    model, scores = tune_weights(result.model, dev, reporter=reporter)
    return dataclasses.replace(result, model=model, scores=scores)
