# SPDX-License-Identifier: Apache-2.0
"""What lexicons made of training data say of that data, by folds: a sentence's own words would tell it every answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from accord._core import text as _text
from accord.tasks.labeller.model_file import Lexicon

Sentence = TypeVar("Sentence")


def annotate_by_folds(
    sequences: _text.Sequences,
    sentences: Sequence[Sentence],
    make: Callable[[Sequence[Sentence]], Lexicon],
    folds: Sequence[Sequence[int]],
) -> Lexicon:
    """Say of each fold what the lexicon of the other folds says; the lexicon of all. Without folds it speaks of all."""
    whole = make(sentences)
    if not folds:
        whole.native().annotate(sequences)
    for fold in folds:
        own = set(fold)
        others = make([sentence for number, sentence in enumerate(sentences) if number not in own])
        others.native().annotate_some(sequences, list(fold))
    return whole
