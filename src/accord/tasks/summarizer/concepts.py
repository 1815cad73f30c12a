# SPDX-License-Identifier: Apache-2.0
"""Concepts: what a summary should say, as stems of words and of pairs of neighbours.

A concept is worth the number of documents that have it (Gillick & Favre 2009); where there are fewer than three
documents, the number of sentences. A pair has at least one word that is not a stop word, and no punctuation stands
inside it. Concepts of the first sentences of documents, and concepts of the query, are worth more; concepts of earlier
texts are worth less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from accord.data.stems import stem
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.sources import Source
from accord.tasks.summarizer.stop_words import stop_words

Key = tuple[str, ...]  # stems
_FEW = 20  # concepts: with fewer of them, rarer ones count too


@dataclass(frozen=True)
class Concept:
    """A concept: how it is written where it first occurs, and what it is worth."""

    text: str
    weight: float


@dataclass(frozen=True)
class Concepts:
    """The concepts of a topic, and which of them each sentence has, in the order of all sentences of all sources."""

    concepts: tuple[Concept, ...]
    of_sentences: tuple[tuple[int, ...], ...]


def find_concepts(
    sources: Sequence[Source], config: SummarizerConfig, query: str = "", earlier: Sequence[Source] = ()
) -> Concepts:
    """The concepts of a topic, weighed by the settings."""
    lowered = [[token.lower() for token in s.tokens] for source in sources for s in source.sentences]
    stops = stop_words(lowered, config.stop_words)
    keys = [dict(_keys(tokens, stops)) for tokens in lowered]
    counts, firsts = _counts(sources, keys)
    old = {key for source in earlier for s in source.sentences for key, _ in _keys(map(str.lower, s.tokens), stops)}
    wanted = {stem(word) for word in query.lower().split() if word not in stops} if query else set()
    weights: dict[Key, float] = {}
    for key in _enough(counts, config):
        weight = counts[key] * (1.0 if len(key) > 1 else config.words_weight) * (1 + config.early * firsts[key])
        weight *= 1 + config.query_weight * any(part in wanted for part in key)
        weights[key] = weight * (1 - config.novelty * (key in old))
    best = sorted((key for key in weights if weights[key] > 0), key=lambda key: (-weights[key], key))[: config.concepts]
    number = {key: k for k, key in enumerate(best)}
    written: dict[Key, str] = {}
    for found in keys:
        for key, text in found.items():
            written.setdefault(key, text)
    return Concepts(
        tuple(Concept(written[key], weights[key]) for key in best),
        tuple(tuple(sorted(number[key] for key in found if key in number)) for found in keys),
    )


def _keys(tokens: Iterable[str], stops: frozenset[str]) -> Iterator[tuple[Key, str]]:
    """The concepts of a sentence, as stems and as they are written."""
    before: str | None = None
    for token in tokens:
        if not any(map(str.isalnum, token)):
            before = None
            continue
        if token not in stops:
            yield (stem(token),), token
        if before is not None and not (token in stops and before in stops):
            yield (stem(before), stem(token)), f"{before} {token}"
        before = token


def _counts(sources: Sequence[Source], keys: Sequence[dict[Key, str]]) -> tuple[Counter[Key], dict[Key, float]]:
    """In how many documents a concept is, and in which share of those it is in the first sentence."""
    by_sentence = len(sources) < 3
    counts: Counter[Key] = Counter()
    first: Counter[Key] = Counter()
    documents: Counter[Key] = Counter()
    begin = 0
    for source in sources:
        mine = keys[begin : begin + len(source.sentences)]
        begin += len(mine)
        here = {key for found in mine for key in found}
        documents.update(here)
        counts.update(here if not by_sentence else (key for found in mine for key in found))
        first.update(list(mine[0]) if mine else [])
    return counts, {key: first[key] / documents[key] for key in counts}


def _enough(counts: Counter[Key], config: SummarizerConfig) -> list[Key]:
    """The concepts that occur often enough; rarer ones too where these are too few."""
    for least in range(config.least_count, 0, -1):
        found = [key for key, count in counts.items() if count >= least]
        if len(found) >= _FEW or least == 1:
            return found
    return []
