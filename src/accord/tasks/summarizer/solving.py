# SPDX-License-Identifier: Apache-2.0
"""The choice that makes a summary, and how much of a shortened sentence must stay.

A sentence of which too little is left becomes one that cannot be cut, and the choice is made again, until every
sentence keeps its share (Martins & Smith 2009 ask for four fifths). The bound of the first choice, which was free to
cut more, holds for all later ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from accord.inference import Solution
from accord.inference.coverage import solve
from accord.tasks.summarizer.concepts import Concepts
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.problems import LearnedScores, SummaryProblem, summary_problem, words_of
from accord.tasks.summarizer.sources import Source


def chosen_summary(
    sources: Sequence[Source], concepts: Concepts, config: SummarizerConfig, learned: LearnedScores
) -> tuple[list[Source], SummaryProblem, Solution]:
    """The sources with what may be cut of them in the end, the problem and its answer."""
    problem, found = _choice(sources, concepts, config, learned)
    bound = found.bound
    while short := _too_short(sources, problem, found, config.least_share):
        sources = _with_whole(sources, short)
        problem, found = _choice(sources, concepts, config, learned)
        proved = bound - found.value <= 1e-9 * abs(bound)
        found = dataclasses.replace(found, bound=bound, status="optimal" if proved else "budget")
    return list(sources), problem, found


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
