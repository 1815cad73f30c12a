# SPDX-License-Identifier: Apache-2.0
"""What concepts are worth without training.

A concept is worth the number of documents that have it (Gillick & Favre 2009); where there are fewer than three
documents, a power of the number of sentences. Concepts of the first sentences of documents are worth more, single stop
words little, and pairs of two stop words less than other pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from accord.data.stems import stem
from accord.tasks.summarizer.config import SummarizerConfig

Key = tuple[str, ...]  # stems
Mentioned = tuple[Key, int] | tuple[Key, int, int]  # a concept, and its tokens in the sentence
Weights = Callable[["Counts", SummarizerConfig], dict[Key, float]]

FEW_DOCUMENTS = 3  # with fewer of them, sentences are counted
_FEW = 20  # concepts: with fewer of them, rarer ones count too


@dataclass(frozen=True)
class Counts:
    """Where concepts occur in a topic, and how often.

    ``keys``: of each sentence, its concepts with their tokens; ``places``: its place in its document.
    ``documents``, ``sentences`` and ``times``: how many have a concept, and how often it occurs in all.
    ``firsts``: in how many documents it is in the first sentence. ``words``: stop words; ``stops``: their stems.
    """

    keys: Sequence[Sequence[Mentioned]]
    places: Sequence[int]
    documents: Counter[Key]
    sentences: Counter[Key]
    times: Counter[Key]
    firsts: Counter[Key]
    words: frozenset[str]
    stops: frozenset[str]
    sizes: tuple[int, int]  # documents and sentences of the topic

    @staticmethod
    def of(keys: Sequence[Sequence[Mentioned]], lengths: Sequence[int], stops: frozenset[str]) -> Counts:
        """``lengths``: sentences of each document."""
        documents: Counter[Key] = Counter()
        sentences: Counter[Key] = Counter()
        times: Counter[Key] = Counter()
        firsts: Counter[Key] = Counter()
        begin = 0
        for length in lengths:
            here: set[Key] = set()
            for k, found in enumerate(keys[begin : begin + length]):
                times.update(key for key, *_ in found)
                mine = {key for key, *_ in found}
                sentences.update(mine)
                here |= mine
                if k == 0:
                    firsts.update(mine)
            documents.update(here)
            begin += length
        stems = frozenset(map(stem, stops))
        places = [place for length in lengths for place in range(length)]
        return Counts(keys, places, documents, sentences, times, firsts, stops, stems, (len(lengths), len(keys)))


def unsupervised(counts: Counts, config: SummarizerConfig) -> dict[Key, float]:
    """Weights by frequency, place and the settings."""
    few = counts.sizes[0] < FEW_DOCUMENTS
    often = counts.sentences if few else counts.documents
    exponent = config.sentence_exponent if few else config.exponent
    weights: dict[Key, float] = {}
    for key in _enough(often, counts.stops, config):
        only_stops = counts.stops.issuperset(key)
        weight = often[key] ** exponent * (1 + config.early * counts.firsts[key] / counts.documents[key])
        if len(key) == 1:
            weight *= config.words_weight * (config.stop_weight if only_stops else 1.0)
        elif only_stops:
            weight *= config.stop_pairs
        weights[key] = weight
    return weights


def _enough(often: Counter[Key], stops: frozenset[str], config: SummarizerConfig) -> list[Key]:
    """The concepts that occur often enough; rarer ones too where these are too few."""
    for least in range(min(config.least_count, max(often.values(), default=1)), 0, -1):
        found = [key for key, count in often.items() if count >= least]
        if least == 1 or sum(not stops.issuperset(key) for key in found) >= _FEW:
            return found
    return []
