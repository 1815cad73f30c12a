# SPDX-License-Identifier: Apache-2.0
"""Training of the tagger, and tags for training data by taggers that did not see it (jackknifing)."""

from __future__ import annotations

import numpy as np

from accord._core import text as _text
from accord.data import Document, Sentence
from accord.errors import ConfigError
from accord.learning import SILENT, Checkpoint, Reporter, TrainingResult
from accord.tasks.labeller import Labeller, LabellerModel, Problem, fit_temperature, number_labels, train_labeller
from accord.tasks.lemmatizer import Lemmatizer
from accord.tasks.tagger.analyses import Analyses
from accord.tasks.tagger.config import TaggerConfig
from accord.tasks.tagger.model import Tagger, TaggerModel

TEMPERATURE_SENTENCES = 500  # at most so many dev sentences fit the temperature of the confidences


def tag_column(document: Document) -> str:
    """What is tagged first: UPOS, or XPOS in a treebank that has no UPOS."""
    for column in ("upos", "xpos"):
        values = document.column(column)
        if any(value != "_" for value in values):
            if "_" in values:
                raise ConfigError(f"{document.name}: some words have {column.upper()}, others have none")
            return column
    raise ConfigError(f"{document.name}: no word has a tag")


def train_tagger(
    training: Document,
    dev: Document | None = None,
    config: TaggerConfig | None = None,
    *,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[TaggerModel]:
    """Train on the tags of a treebank; dev data decides which epoch of the chain is best.

    Where the user interrupts the training of the chain, XPOS, FEATS and lemmas are trained all the same: without them
    there is no whole tagger.
    """
    config = config or TaggerConfig()
    column = tag_column(training)
    labels, numbers = number_labels(training.column(column))
    problem = Problem(_text.DocumentSequences(training.native), numbers, labels)

    def evaluate(model: LabellerModel) -> dict[str, float]:
        if dev is None:
            return {}
        labeller = Labeller(model)
        found = labeller.names(labeller.label(labeller.words(dev), threads=config.threads).numbers)
        right = np.mean([one == other for one, other in zip(found, dev.column(column), strict=True)])
        return {column.upper(): 100 * float(right)}

    result = train_labeller(
        problem,
        config.labeller(),
        evaluate,
        reporter=reporter,
        checkpoint=checkpoint,
        whole=lambda _: None,
    )
    chain = result.model
    if dev is not None:
        known = {label: number for number, label in enumerate(labels)}
        few = Document.from_sentences(dev.sentences[:TEMPERATURE_SENTENCES])
        gold = np.array([known.get(tag, 0) for tag in few.column(column)], np.int32)
        chain = fit_temperature(chain, lambda labeller: labeller.words(few), gold)
    lemmas = config.lemmas and any(value != "_" for value in training.column("lemma"))
    model = TaggerModel(
        config=config,
        column=column,
        chain=chain,
        analyses=Analyses.train(training, config) if config.analyses and column == "upos" else None,
        lemmas=Lemmatizer.train(training) if lemmas else None,
    )
    return TrainingResult(model, result.log, result.best_epoch, result.interrupted, result.scores)


def _finished(result: TrainingResult[TaggerModel]) -> TaggerModel:
    if result.interrupted:
        raise KeyboardInterrupt
    return result.model


def jackknife(training: Document, config: TaggerConfig, folds: int = 5) -> Document:
    """The training data with tags and lemmas by taggers trained on the other folds.

    A parser trained on them learns what tags are like in text that nobody has annotated.
    """
    sentences = list(training.sentences)
    if folds < 2 or len(sentences) < folds:
        raise ConfigError(f"{folds} folds of {len(sentences)} sentences")
    fold_of = np.arange(len(sentences)) * folds // len(sentences)
    pieces: list[Sentence] = []
    for fold in range(folds):
        rest = [sentence for sentence, number in zip(sentences, fold_of, strict=True) if number != fold]
        held_out = [sentence for sentence, number in zip(sentences, fold_of, strict=True) if number == fold]
        tagger = Tagger(_finished(train_tagger(Document.from_sentences(rest), None, config)))
        pieces.extend(tagger(Document.from_sentences(held_out), threads=config.threads).sentences)
    return Document.from_sentences(pieces, name=training.name)
