# SPDX-License-Identifier: Apache-2.0
"""A summary as a coverage problem: sentences, or pieces of sentences, are units.

A sentence without pieces is one unit. The pieces of a sentence are units that require one another as in its tree; a
cut has a price, learned or the same for all cuts. Units also have scores of their own
(:mod:`~accord.tasks.summarizer.style`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.inference.coverage import CoverageProblem
from accord.tasks.summarizer.concepts import Concepts, Mention
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.cut_features import features_of_cuts
from accord.tasks.summarizer.mending import ends_with_stop, has_blanks
from accord.tasks.summarizer.sentence_features import sentence_features
from accord.tasks.summarizer.sources import Source, SourceSentence
from accord.tasks.summarizer.style import token_scores
from accord.tasks.summarizer.weighing import FEW_DOCUMENTS

_LEAST, _LEAST_OF_FEW = 4, 6  # words of a sentence at least, for three documents or more and for fewer


@dataclass(frozen=True)
class LearnedScores:
    """Weights of features of cuts and of sentences, by structured learning; empty where there are none."""

    cuts: Sequence[float] = ()
    sentences: Sequence[float] = ()


UNLEARNED = LearnedScores()


@dataclass(frozen=True)
class SummaryProblem:
    """The problem of a topic, and the first unit of each sentence."""

    problem: CoverageProblem
    first_units: NDArray[np.int64]

    def kept(self, sentence: SourceSentence, number: int, chosen: NDArray[np.bool_]) -> tuple[int, ...] | None:
        """The tokens of a sentence that a choice keeps; nothing where the sentence is not part of the choice."""
        first = int(self.first_units[number])
        if not chosen[first]:
            return None
        if sentence.pieces is None:
            return tuple(range(len(sentence.tokens)))
        return tuple(token for token, piece in enumerate(sentence.pieces.piece_of) if chosen[first + piece])


def summary_problem(
    sources: Sequence[Source],
    concepts: Concepts,
    config: SummarizerConfig,
    *,
    style: bool = True,
    learned: LearnedScores = UNLEARNED,
) -> SummaryProblem:
    """The choice of sentences, or of their pieces, in the order of the sources.

    ``style``: whether units have scores beside the prices of cuts. All of them may be too low to choose anything.
    ``learned``: weights by which each cut and each sentence has its own score, in place of those of the settings.
    """
    sentences = [sentence for source in sources for sentence in source.sentences]
    sizes = [len(sentence.pieces.parents) if sentence.pieces else 1 for sentence in sentences]
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    mean = float(np.mean([one.weight for one in concepts.concepts] or [0.0]))
    prices = _prices(sentences, config.cut_cost * mean, learned.cuts)
    requires, scores = _requirements(sentences, first, prices)
    costs, limits = budgets_of(sentences, first, config)
    useful = useful_sentences(sentences, len(sources), config)
    rows = [
        row
        for begin, sentence, found, use in zip(first.tolist(), sentences, concepts.of_sentences, useful, strict=False)
        if use
        for row in unit_rows(begin, sentence, found)
    ]
    if style and learned.sentences and concepts.counts is not None:
        scores += sentence_features(sentences, concepts.counts) @ np.array(learned.sentences)
        scores[first[:-1][~np.array(useful, np.bool_)]] -= mean
    elif style:
        scores += mean * _style(sentences, first, useful, concepts, config)
        for concept, *units in dict.fromkeys(rows):
            scores[max(units)] += config.relevance * concepts.concepts[concept].weight
    problem = CoverageProblem(
        [concept.weight for concept in concepts.concepts],
        np.array(rows, np.int64).reshape(-1, 3),
        costs,
        limits,
        scores=scores,
        requires=np.array(requires, np.int64).reshape(-1, 2),
    )
    return SummaryProblem(problem, first[:-1])


def _prices(sentences: Sequence[SourceSentence], price: float, cuts: Sequence[float]) -> list[NDArray[np.float64]]:
    """What the cuts of each sentence cost: learned, or the same for all."""
    weights = np.array(cuts, np.float64)
    found = []
    for sentence in sentences:
        if sentence.pieces is None:
            found.append(np.zeros(0))
        elif len(weights) and sentence.parsed is not None:
            found.append(-weights[features_of_cuts(sentence.parsed, sentence.pieces)].sum(axis=1))
        else:
            found.append(np.full(len(sentence.pieces.parents) - 1, price))
    return found


def _requirements(
    sentences: Sequence[SourceSentence], first: NDArray[np.int64], prices: Sequence[NDArray[np.float64]]
) -> tuple[list[tuple[int, int]], NDArray[np.float64]]:
    """What requires what, and the scores of units by which each cut has its price."""
    requires, scores = [], np.zeros(int(first[-1]))
    for begin, sentence, costs in zip(first.tolist(), sentences, prices, strict=False):
        for piece, cut in enumerate(costs.tolist(), start=1):
            parent = sentence.pieces.parents[piece] if sentence.pieces else 0
            requires.append((begin + piece, begin + parent))
            scores[begin + parent] -= cut
            scores[begin + piece] += cut
    return requires, scores


def _style(
    sentences: Sequence[SourceSentence],
    first: NDArray[np.int64],
    useful: Sequence[bool],
    concepts: Concepts,
    config: SummarizerConfig,
) -> NDArray[np.float64]:
    """What units are worth by how their sentences speak, in mean weights of concepts; useless sentences are not."""
    of_tokens, of_sentences = token_scores(sentences, config, concepts.stops)
    scores = np.zeros(int(first[-1]))
    scores[first[:-1]] = np.where(useful, of_sentences, -1.0)
    for begin, sentence, use, values in zip(first.tolist(), sentences, useful, of_tokens, strict=False):
        if not use:
            continue
        if sentence.pieces is None:
            scores[begin] += values.sum()
        else:
            np.add.at(scores, begin + np.array(sentence.pieces.piece_of), values)
    return scores


def budgets_of(
    sentences: Sequence[SourceSentence], first: NDArray[np.int64], config: SummarizerConfig
) -> tuple[list[NDArray[np.float64]], list[float]]:
    """Costs of units and limits, one for each budget of the settings."""
    costs, limits = [], []
    if config.words:
        costs.append(np.array([cost for sentence in sentences for cost in words_of(sentence)], np.float64))
        limits.append(float(config.words))
    if config.characters:  # each sentence with the blank after it, but for the last
        costs.append(np.array([cost for sentence in sentences for cost in _characters_of(sentence)], np.float64))
        limits.append(config.characters + 1.0)
    if config.sentences:
        roots = np.zeros(int(first[-1]))
        roots[first[:-1]] = 1
        costs.append(roots)
        limits.append(float(config.sentences))
    return costs, limits


def useful_sentences(sentences: Sequence[SourceSentence], documents: int, config: SummarizerConfig) -> list[bool]:
    """Whether each sentence is new, no heading, and has enough words; all do where no other sentence fits."""
    least = config.least_words or (_LEAST_OF_FEW if documents < FEW_DOCUMENTS else _LEAST)
    most = config.words or float("inf")
    fresh = _first_of_their_words(sentences)
    taken = [new and one.words >= least and not one.heading for new, one in zip(fresh, sentences, strict=True)]
    if any(use and min(words_of(one)[0], one.words) <= most for use, one in zip(taken, sentences, strict=True)):
        return taken
    return fresh


def _first_of_their_words(sentences: Sequence[SourceSentence]) -> list[bool]:
    """Whether no earlier sentence has the same words."""
    seen: set[tuple[str, ...]] = set()
    fresh = []
    for sentence in sentences:
        words = tuple(token.lower() for token in sentence.tokens if any(map(str.isalnum, token)))
        fresh.append(words not in seen)
        seen.add(words)
    return fresh


def unit_rows(begin: int, sentence: SourceSentence, mentions: Sequence[Mention]) -> Iterator[tuple[int, int, int]]:
    """The mentions of a sentence as occurrences: concept, unit, and a second unit or -1."""
    if sentence.pieces is None:
        for concept in {mention[0] for mention in mentions}:
            yield concept, begin, -1
        return
    piece_of = sentence.pieces.piece_of
    for concept, *tokens in mentions:
        pieces = sorted({piece_of[token] for token in tokens})
        yield concept, begin + pieces[0], begin + pieces[1] if len(pieces) > 1 else -1


def words_of(sentence: SourceSentence) -> list[int]:
    """What the units of a sentence cost in words.

    Of a whole sentence, its words. Of pieces, their tokens with a letter or digit, and stretches between blanks that
    have none: whatever is left of the sentence has no more words by either count.
    """
    if sentence.pieces is None:
        return [sentence.words]
    costs = [0] * len(sentence.pieces.parents)
    text = sentence.text
    for (begin, end), piece in zip(sentence.pieces.stretches, sentence.pieces.piece_of, strict=True):
        alone = (begin == 0 or text[begin - 1] == " ") and not any(map(str.isalnum, text[begin:].split(" ", 1)[0]))
        costs[piece] += int(alone or any(map(str.isalnum, text[begin:end])))
    return costs


def _characters_of(sentence: SourceSentence) -> list[int]:
    """What the units of a sentence cost in characters, with the blank after the sentence.

    Of pieces, their tokens with the blank that may come before each. The first piece, which every choice has, pays for
    a stop at the end: it comes back where it was cut.
    """
    text = sentence.text
    if sentence.pieces is None:
        return [len(text) + 1]
    costs = [0] * len(sentence.pieces.parents)
    costs[0] = 1 + ends_with_stop(text)
    blanks = has_blanks(text)
    for (begin, end), piece in zip(sentence.pieces.stretches, sentence.pieces.piece_of, strict=True):
        if end == len(text) and end - begin == 1 and ends_with_stop(text):
            continue
        is_word = any(map(str.isalnum, text[begin:end]))
        costs[piece] += end - begin + int(begin > 0 and (text[begin - 1] == " " or (blanks and is_word)))
    return costs
