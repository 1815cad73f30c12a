# SPDX-License-Identifier: Apache-2.0
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
from accord.tasks.parser.options import STATUSES
from accord.tasks.parser.ruled import RuledParser, Unkept, kept_rules
from accord.tasks.parser.ruled_probabilities import Temperatures, ruled_probabilities

CHANGED = (
    *("heads", "labels", "scores", "bounds", "statuses"),
    *("arc_probability", "label_probability", "tree_log_probability"),
)


def ruled_trees(
    ruled: RuledParser,
    document: Document,
    trees: Trees,
    rules: tuple[Rule, ...],
    given: _tasks.Given | None,
    temperatures: Temperatures | None = None,
) -> Trees:
    """Trees of the core, replaced where they break a rule, or all where the solver is a linear program.

    With ``temperatures``, those of the model, probabilities are conditioned on the rules that speak of a sentence.
    """
    changed = dataclasses.replace(trees, **{name: getattr(trees, name).copy() for name in CHANGED})
    broken: dict[int, Mapping[Rule, int]] = {}
    unkept: dict[int, tuple[Unkept, ...]] = {}
    kinds: dict[int, str] = {}
    for index, words in enumerate(document.lengths.tolist()):
        if words == 0:
            continue
        first = document.native.first_word(index)
        here = slice(first, first + words)
        tree = LabelledTree(_rooted(trees.heads[here]), _rooted(trees.labels[here]))
        kept = () if given is None else kept_rules(*given.sentence(index), ruled.labels)
        if ruled.search.linear or ruled.broken(document, index, rules, tree):
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
        left_out = {rule for group in unkept.get(index, ()) for rule in group.rules}
        speaking = tuple(rule for rule in rules if rule.last_word <= words and rule not in left_out)
        if temperatures is None or not speaking:
            continue
        tree = LabelledTree(_rooted(changed.heads[here]), _rooted(changed.labels[here]))
        found = ruled_probabilities(ruled, temperatures, document, index, (*kept, *speaking), tree)
        changed.arc_probability[here], changed.label_probability[here] = found.arcs, found.labels
        changed.tree_log_probability[index] = found.tree_log_probability
        kinds[index] = "exact" if found.exact else "estimate"
    return dataclasses.replace(changed, broken=broken, unkept=unkept, ruled_probabilities=kinds)


def _rooted(values: NDArray[np.int32]) -> NDArray[np.int32]:
    """Values of words 1..n with the root's, -1, before them."""
    return np.concatenate([np.array([-1], np.int32), values])
