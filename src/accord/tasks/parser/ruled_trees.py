"""The trees of a document under rules, or by a solver that the core does not have.

A sentence whose plain parse breaks no rule keeps it; the others are searched one at a time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.data import Document
from accord.inference.rules import Rule
from accord.inference.rules.problem import LabelledTree
from accord.tasks.parser.answers import Trees
from accord.tasks.parser.ruled import RuledParser, Unkept, kept_rules
from accord.tasks.parser.search import STATUSES

CHANGED = ("heads", "labels", "scores", "bounds", "statuses")


def ruled_trees(
    ruled: RuledParser, document: Document, trees: Trees, rules: tuple[Rule, ...], given: _tasks.Given | None
) -> Trees:
    """Trees of the core, replaced where they break a rule, or all where the solver is a linear program."""
    changed = dataclasses.replace(trees, **{name: getattr(trees, name).copy() for name in CHANGED})
    broken: dict[int, Mapping[Rule, int]] = {}
    unkept: dict[int, tuple[Unkept, ...]] = {}
    for index, words in enumerate(document.lengths.tolist()):
        if words == 0:
            continue
        first = document.native.first_word(index)
        here = slice(first, first + words)
        tree = LabelledTree(_rooted(trees.heads[here]), _rooted(trees.labels[here]))
        if not ruled.search.linear and not ruled.broken(document, index, rules, tree):
            continue
        kept = () if given is None else kept_rules(*given.sentence(index), ruled.labels)
        answer = ruled.parse(document, index, rules, kept)
        solution = answer.solution
        changed.heads[here] = solution.heads[1:]
        if solution.labels is not None:  # words without one keep what they have
            changed.labels[here] = np.where(trees.labels[here] < 0, -1, solution.labels[1:])
        changed.scores[index], changed.bounds[index] = solution.value, solution.bound
        changed.statuses[index] = STATUSES.index(solution.status)
        if solution.broken:
            broken[index] = solution.broken
        if answer.unkept:
            unkept[index] = answer.unkept
    return dataclasses.replace(changed, broken=broken, unkept=unkept)


def _rooted(values: NDArray[np.int32]) -> NDArray[np.int32]:
    """Values of words 1..n with the root's, -1, before them."""
    return np.concatenate([np.array([-1], np.int32), values])
