# SPDX-License-Identifier: Apache-2.0
"""The choice that makes a summary, and how much of a shortened sentence must stay.

A sentence of which too little is left becomes one that cannot be cut, and the choice is made again, until every
sentence keeps its share (Martins & Smith 2009 ask for four fifths). The bound of the first choice, which was free to
cut more, holds for all later ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.inference import Solution
from accord.inference.coverage import solve
from accord.tasks.summarizer.concepts import Concepts
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.problems import LearnedScores, SummaryProblem, summary_problem, words_of
from accord.tasks.summarizer.relevance import relevance_problem
from accord.tasks.summarizer.sources import Source


@dataclass(frozen=True)
class Choice:
    """What a summary keeps, and how good that is known to be.

    ``sources`` have what may be cut of them in the end; ``kept`` has the tokens that are kept of each sentence, or None
    where the sentence is not used.
    """

    sources: Sequence[Source]
    kept: Sequence[tuple[int, ...] | None]
    value: float
    bound: float
    status: str
    seconds: float


def choice_of(sources: Sequence[Source], problem: SummaryProblem, found: Solution) -> Choice:
    """The choice that an answer to a problem means."""
    chosen = found.assignment if found.assignment is not None else np.zeros(problem.problem.units, np.bool_)
    sentences = (sentence for source in sources for sentence in source.sentences)
    kept = [problem.kept(sentence, number, chosen) for number, sentence in enumerate(sentences)]
    return Choice(sources, kept, found.value, found.bound, found.status, found.seconds)


def chosen_by_coverage(
    sources: Sequence[Source], concepts: Concepts, config: SummarizerConfig, learned: LearnedScores
) -> Choice:
    """The choice that covers most."""
    problem, found = _choice(sources, concepts, config, learned)
    bound = found.bound
    while short := _too_short(sources, problem, found, config.least_share):
        sources = _with_whole(sources, short)
        problem, found = _choice(sources, concepts, config, learned)
        proved = bound - found.value <= 1e-9 * abs(bound)
        found = dataclasses.replace(found, bound=bound, status="optimal" if proved else "budget")
    return choice_of(sources, problem, found)


def chosen_by_relevance(
    sources: Sequence[Source], config: SummarizerConfig, weights: Sequence[float], query: Sequence[str]
) -> Choice:
    """The choice of whole sentences that are worth most."""
    problem = relevance_problem(sources, config, weights, query)
    return choice_of(sources, problem, solve(problem.problem, config.method))


def _choice(
    sources: Sequence[Source], concepts: Concepts, config: SummarizerConfig, learned: LearnedScores
) -> tuple[SummaryProblem, Solution]:
    """One choice; without scores of style where by these nothing is worth saying."""
    problem = summary_problem(sources, concepts, config, learned=learned)
    found = solve(problem.problem, config.method)
    if found.assignment is None or not found.assignment.any():
        problem = summary_problem(sources, concepts, config, style=False, learned=learned)
        found = solve(problem.problem, config.method)
    return problem, found


def _too_short(sources: Sequence[Source], problem: SummaryProblem, found: Solution, share: float) -> set[int]:
    """The sentences that an answer cuts to less than a share of their words, by their numbers."""
    if not share or found.assignment is None:
        return set()
    sentences = [sentence for source in sources for sentence in source.sentences]
    short = set()
    for number, sentence in enumerate(sentences):
        first = int(problem.first_units[number])
        if sentence.pieces is None or not found.assignment[first]:
            continue
        costs = words_of(sentence)
        kept = sum(cost for k, cost in enumerate(costs) if found.assignment[first + k])
        if kept < share * sum(costs):
            short.add(number)
    return short


def _with_whole(sources: Sequence[Source], numbers: set[int]) -> list[Source]:
    """The sources, with some sentences that can no longer be cut."""
    out, at = [], 0
    for source in sources:
        mine = source.sentences
        out.append(
            Source(
                source.name,
                tuple(
                    dataclasses.replace(one, pieces=None) if at + k in numbers else one for k, one in enumerate(mine)
                ),
            )
        )
        at += len(mine)
    return out
