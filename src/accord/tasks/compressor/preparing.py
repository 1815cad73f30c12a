# SPDX-License-Identifier: Apache-2.0
"""From pairs of sentences and compressions to instances: both are tagged and parsed.

The tree of a compression is that of a parser that reads the kept words alone, as people who read the compression do
(Qian & Liu 2014). Decoders build projective trees: an arc that crosses another one is lifted to the head of its head
until none does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data import Document, Sentence
from accord.tasks.compressor.analysis import Analysis, analyses_of
from accord.tasks.compressor.lifting import projective
from accord.tasks.compressor.pairs import Mask, Pair
from accord.tasks.pipeline import Pipeline


@dataclass(frozen=True)
class Instance:
    """A sentence with the words that were kept and, by word, their heads in a tree of the compression (-1: deleted)."""

    analysis: Analysis
    kept: NDArray[np.bool_]
    heads: NDArray[np.int32]


def analyse(sentences: Sequence[Sequence[str]], pipeline: Pipeline, threads: int = 0) -> list[Analysis]:
    """Tags and trees of tokenised sentences; a sentence without words has none."""
    filled = [Sentence.from_words(words) for words in sentences if words]
    found = iter(analyses_of(pipeline(Document.from_sentences(filled), threads=threads)))
    return [next(found) if words else Analysis((), (), (), (), ()) for words in sentences]


def prepare(
    pairs: Sequence[Pair], pipeline: Pipeline, *, references: str = "first", threads: int = 0
) -> list[Instance]:
    """An instance for the first compression of each sentence, or for all of them. Empty compressions are left out."""
    wanted = [(pair, mask) for pair in pairs for mask in _wanted(pair, references) if any(mask)]
    sources = analyse([pair.words for pair in pairs], pipeline, threads)
    of_pair = {id(pair): analysis for pair, analysis in zip(pairs, sources, strict=True)}
    kept = [[word for word, one in zip(pair.words, mask, strict=True) if one] for pair, mask in wanted]
    trees = analyse(kept, pipeline, threads)
    return [
        Instance(of_pair[id(pair)], np.array(mask, np.bool_), tree_of_kept(mask, tree.heads))
        for (pair, mask), tree in zip(wanted, trees, strict=True)
    ]


def _wanted(pair: Pair, references: str) -> Iterable[Mask]:
    return pair.masks[:1] if references == "first" else dict.fromkeys(pair.masks)


def tree_of_kept(mask: Sequence[bool], heads: Sequence[int]) -> NDArray[np.int32]:
    """By word of the source the head of a kept word, 0 for the root, and -1 for a deleted word."""
    places = np.flatnonzero(np.array(mask, np.bool_))
    ends = np.concatenate(([0], places + 1))
    found = np.full(len(mask), -1, np.int32)
    found[places] = ends[np.array(projective(heads), np.intp)]
    return found
