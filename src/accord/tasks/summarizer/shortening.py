# SPDX-License-Identifier: Apache-2.0
"""Sentences chosen by learned relevance and shortened by a trained compressor at once (Martins & Smith 2009).

The worth of a sentence and the score of its compression are added, and the best choice within the budget of words is
found exactly. A sentence that is used keeps a share of its words: four fifths, unless the settings say otherwise.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from accord.errors import ConfigError
from accord.inference.compression import CompressionProblem, compress_together
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.cutting import Pieces, stretches_of
from accord.tasks.summarizer.problems import words_of
from accord.tasks.summarizer.relevance import worths_of
from accord.tasks.summarizer.solving import Choice
from accord.tasks.summarizer.sources import Source, SourceSentence

if TYPE_CHECKING:
    from accord.tasks.compressor import Compressor

LEAST_SHARE = 0.8
_LONGEST, _LONGEST_WITH_TREES = 120, 60  # words: longer sentences are not used, where trees are found with words
_NOTHING = CompressionProblem([0.0], drop=[True])


def shortened_together(
    sources: Sequence[Source],
    config: SummarizerConfig,
    weights: Sequence[float],
    compressor: Compressor,
    query: Sequence[str] = (),
) -> Choice:
    """The best choice of sentences and of the words that stay of them."""
    if not config.words or config.characters or config.sentences:
        raise ConfigError("choosing and shortening at once needs a budget of words, and no other one")
    started = time.perf_counter()
    worths = worths_of(sources, config, weights, query)
    pieced = [Source(source.name, tuple(map(_with_tokens, source.sentences))) for source in sources]
    sentences = [sentence for source in pieced for sentence in source.sentences]
    longest = _LONGEST_WITH_TREES if compressor.model.config.method in ("joint", "relaxed") else _LONGEST
    usable = [
        worth > -1 and sentence.pieces is not None and 0 < len(sentence.tokens) <= longest
        for worth, sentence in zip(worths.tolist(), sentences, strict=True)
    ]
    found = compress_together(
        _problems(sentences, usable, compressor),
        config.relevance_scale * worths,
        config.words,
        least_share=config.least_share or LEAST_SHARE,
    )
    kept = [None if one is None else tuple(np.flatnonzero(one.kept).tolist()) for one in found.compressions]
    return Choice(pieced, kept, found.value, found.value, found.status, time.perf_counter() - started)


def _problems(
    sentences: Sequence[SourceSentence], usable: Sequence[bool], compressor: Compressor
) -> list[CompressionProblem]:
    """What the compressor says of each sentence that may be used."""
    given = [sentence for sentence, use in zip(sentences, usable, strict=True) if use]
    costs = [np.array(words_of(sentence), np.int32) for sentence in given]
    found = iter(compressor.problems([sentence.tokens for sentence in given], costs))
    return [next(found) if use else _NOTHING for use in usable]


def _with_tokens(sentence: SourceSentence) -> SourceSentence:
    """The sentence with each of its tokens as a piece; without pieces where tokens are not found in the text."""
    stretches = stretches_of(sentence.text, sentence.tokens)
    if not stretches:
        return dataclasses.replace(sentence, pieces=None)
    size = len(stretches)
    return dataclasses.replace(sentence, pieces=Pieces(stretches, tuple(range(size)), (-1,) + (0,) * (size - 1)))
