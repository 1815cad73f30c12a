# SPDX-License-Identifier: Apache-2.0
"""Cleaners with a neural scorer: one chain for fillers and one for edits, each over a network that reads the words.

A network sees the whole utterance, so that no step needs the text without what earlier steps took out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.data import Document, Sentence
from accord.learning import SILENT, Reporter
from accord.tasks.cleaner.config import CleanerConfig
from accord.tasks.cleaner.features import EDITS, FILLERS
from accord.tasks.cleaner.levels import EDIT_LABELS, FILLER_LABELS, legal_masks, trainer_of
from accord.tasks.cleaner.words import Utterances
from accord.tasks.labeller import Labeller, LabellerModel
from accord.tasks.labeller.problem import Problem
from accord.tasks.labeller.training import train_labeller
from accord.tasks.stack import StackedLabels, StackResult

LABELS = {FILLERS: FILLER_LABELS, EDITS: EDIT_LABELS}


def document_of(utterances: Utterances) -> Document:
    """Utterances as a document, whose sentences a network can read."""
    bounds = np.concatenate([[0], np.cumsum(utterances.lengths)]).tolist()
    return Document.from_sentences(Sentence.from_words(list(utterances.words[a:b])) for a, b in pairwise(bounds))


class NetworkLabeller:
    """Two chains over networks at work, with the face of a stack."""

    def __init__(self, models: Mapping[str, LabellerModel]) -> None:
        self._labellers = {name: Labeller(model) for name, model in models.items()}

    def label(self, tokens: Any, *, probabilities: Collection[str] = (), threads: int = 0) -> StackedLabels:
        """The labels of both chains; see :meth:`accord.tasks.stack.StackedLabeller.label`."""
        found = StackedLabels({}, {})
        document = document_of(tokens)
        for name, labeller in self._labellers.items():
            sequences = labeller.words(document)
            answer = labeller.label(sequences, label_probabilities=name in probabilities, threads=threads)
            found.decisions[name] = answer.numbers[:, 0]
            if name in probabilities:
                found.probabilities[name] = answer.label_probabilities
        return found


def train_networks(
    utterances: Utterances,
    gold: Mapping[str, NDArray[np.int32]],
    config: CleanerConfig,
    reporter: Reporter = SILENT,
) -> StackResult:
    """Train both chains; the result has no folds, since neither sees decisions of the other."""
    document = document_of(utterances)
    result = StackResult({}, {}, {}, np.zeros(0, np.int64), {})
    for name, labels in LABELS.items():
        problem = Problem(
            _text.DocumentSequences(document.native),
            np.ascontiguousarray(gold[name], np.int32),
            labels,
            masks=legal_masks(labels),
            neural=config.neural,
            document=document,
        )
        trained = train_labeller(problem, trainer_of(config), reporter=reporter)
        if trained.interrupted:
            raise KeyboardInterrupt
        result.models[name], result.logs[name] = trained.model, trained.log
    return result
