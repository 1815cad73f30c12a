# SPDX-License-Identifier: Apache-2.0
"""Concepts: what a summary should say, as stems of words and of pairs of neighbours, and where they are mentioned.

A concept is a word or a pair of neighbouring words; no punctuation stands inside a pair. What a concept is worth is
decided by :mod:`~accord.tasks.summarizer.weighing`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from accord.data.stems import stem
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.sources import Source
from accord.tasks.summarizer.stop_words import ENGLISH, stop_words
from accord.tasks.summarizer.weighing import Counts, Key, Mentioned, Weights, unsupervised

Mention = tuple[int, ...]  # the concept, and its tokens in the sentence


@dataclass(frozen=True)
class Concept:
    """A concept: how it is written where it first occurs, and what it is worth."""

    text: str
    weight: float


@dataclass(frozen=True)
class Concepts:
    """The concepts of a topic, and the mentions of each sentence, in the order of all sentences of all sources."""

    concepts: tuple[Concept, ...]
    of_sentences: tuple[tuple[Mention, ...], ...]
    stops: frozenset[str] = frozenset()  # stop words of the topic
    counts: Counts | None = None
    without_query: bool = False  # there is a query, and no word of it is in the topic


def find_concepts(
    sources: Sequence[Source],
    config: SummarizerConfig,
    query: Sequence[str] = (),
    earlier: Sequence[Source] = (),
    weights: Weights = unsupervised,
) -> Concepts:
    """The concepts of a topic, weighed by the settings; ``query``: words that the summary should be about."""
    lowered = _lowered(sources)
    stops = stop_words(lowered, config.stop_words)
    counts = _counted(lowered, sources, stops)
    old = {key for source in earlier for s in source.sentences for key, *_ in mentioned([t.lower() for t in s.tokens])}
    worth = weights(counts, config)
    asked = _turn_to(_stems_of_query(query, stops), worth, counts, config)
    for key in worth:
        if key in old:
            worth[key] *= 1 - config.novelty
    best = sorted((key for key in worth if worth[key] > 0), key=lambda key: (-worth[key], key))[: config.concepts]
    number = {key: k for k, key in enumerate(best)}
    written: dict[Key, str] = {}
    for found, tokens in zip(counts.keys, lowered, strict=True):
        for key, *places in found:
            if key in number and key not in written:
                written[key] = " ".join(tokens[place] for place in places)
    return Concepts(
        tuple(Concept(written[key], worth[key]) for key in best),
        tuple(tuple((number[key], *places) for key, *places in found if key in number) for found in counts.keys),
        stops,
        counts,
        bool(query) and bool(counts.keys) and not asked,
    )


def _stems_of_query(query: Sequence[str], stops: frozenset[str]) -> frozenset[str]:
    """The stems of the words of a query that say what it is about.

    Stop words that were found by counting are among them: in a few texts about one thing, its name is one.
    """
    words = (word.lower() for word in query if any(map(str.isalnum, word)))
    return frozenset(_bare(word) for word in words if stops is not ENGLISH or word not in stops)


def _bare(word: str) -> str:
    """The stem of a lower-cased word without *'s*, which may be one token with it."""
    return stem(word.removesuffix("'s").removesuffix("\u2019s"))


def _bare_of_stem(found: str) -> str:
    """The same for a stem: that of *cat's* is *cat'*. No stem is stemmed again, as this would shorten it (*nois*)."""
    cut = found.rstrip("'\u2019")
    return found if cut in (found, "") else stem(cut)


def _turn_to(wanted: frozenset[str], worth: dict[Key, float], counts: Counts, config: SummarizerConfig) -> bool:
    """Raise the worth of the words of the query; the rarer a word, the more it says what the query is about.

    Gives whether the topic has one of them.
    """
    mean = sum(worth.values()) / max(len(worth), 1)
    found = [key for key in counts.sentences if len(key) == 1 and _bare_of_stem(key[0]) in wanted] if wanted else []
    for key in found:
        rareness = math.log(1 + len(counts.keys) / counts.sentences[key])
        worth[key] = worth.get(key, 0.0) + config.query_weight * mean * rareness
    return bool(found)


def count_concepts(sources: Sequence[Source], stops: frozenset[str]) -> Counts:
    """Where the concepts of a topic occur, and how often."""
    return _counted(_lowered(sources), sources, stops)


def _counted(lowered: Sequence[Sequence[str]], sources: Sequence[Source], stops: frozenset[str]) -> Counts:
    """The counts; equal concepts are one object, which keeps texts of many sentences small."""
    shared: dict[Key, Key] = {}
    keys = [
        tuple((shared.setdefault(mention[0], mention[0]), *mention[1:]) for mention in mentioned(tokens))
        for tokens in lowered
    ]
    return Counts.of(keys, [len(source.sentences) for source in sources], stops)


def _lowered(sources: Sequence[Source]) -> list[list[str]]:
    """The lower-cased tokens of all sentences; equal ones are one object."""
    lower: dict[str, str] = {}
    return [
        [lower.get(token) or lower.setdefault(token, token.lower()) for token in s.tokens]
        for source in sources
        for s in source.sentences
    ]


def mentioned(tokens: Sequence[str]) -> Iterator[Mentioned]:
    """The concepts of the lower-cased tokens of a sentence as stems, with their tokens."""
    before: str | None = None
    for place, token in enumerate(tokens):
        if not any(map(str.isalnum, token)):
            before = None
            continue
        name = stem(token)
        yield (name,), place
        if before is not None:
            yield (before, name), place - 1, place
        before = name
