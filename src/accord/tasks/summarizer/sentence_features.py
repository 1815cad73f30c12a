# SPDX-License-Identifier: Apache-2.0
"""Features of sentences for structured learning: what a sentence is worth beside its concepts and cuts.

A sentence has a bias, its place, and whether it says what is so (:mod:`~accord.tasks.summarizer.style`). Its tokens
have words of the first person, the length, and how many documents share the word; these go with the piece of the
sentence that has the token, so that a cut changes them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.tasks.summarizer.sources import SourceSentence
from accord.tasks.summarizer.style import marks
from accord.tasks.summarizer.weighing import FEW_DOCUMENTS, Counts

NAMES = (
    "sentence",
    "first sentence",
    "early sentence",
    "says what is so",
    "words of the first person",
    "words",
    "shared words",
)
SENTENCE_FEATURES = len(NAMES)
_LENGTH = 10.0  # words that weigh as much as an indicator


def sentence_features(sentences: Sequence[SourceSentence], counts: Counts) -> NDArray[np.float64]:
    """A row for each unit: of a sentence without pieces one, of another one for each piece."""
    personal, stating = marks(sentences, counts.words)
    few = counts.sizes[0] < FEW_DOCUMENTS
    often, most = (counts.sentences, counts.sizes[1]) if few else (counts.documents, counts.sizes[0])
    rows = []
    for k, (sentence, found, place) in enumerate(zip(sentences, counts.keys, counts.places, strict=True)):
        of_tokens = np.zeros((len(sentence.tokens), 3))
        of_tokens[:, 0] = personal[k]
        of_tokens[:, 1] = [any(map(str.isalnum, token)) for token in sentence.tokens]
        for key, *tokens in found:
            if len(key) == 1 and key[0] not in counts.stops:
                of_tokens[tokens[0], 2] = (often[key] - 1) / max(1, most - 1)
        pieces = sentence.pieces
        table = np.zeros((1 if pieces is None else len(pieces.parents), SENTENCE_FEATURES))
        piece_of = np.zeros(len(of_tokens), np.int64) if pieces is None else np.array(pieces.piece_of, np.int64)
        np.add.at(table[:, 4:], piece_of, of_tokens / (1.0, _LENGTH, 1.0))
        table[0, :4] = 1.0, float(place == 0), 1 / (1 + place), stating[k]
        rows.append(table)
    return np.concatenate(rows) if rows else np.zeros((0, SENTENCE_FEATURES))
