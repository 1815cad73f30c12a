# SPDX-License-Identifier: Apache-2.0
"""The labels of an arc that all tree rules treat alike, as one: of them only the best can be in the best tree.

A rule on subjects divides fifty labels in two classes. Searches that decode the same sentence many times read a
twenty-fifth of the scores then.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.inference.rules.domain import Domain
from accord.inference.rules.problem import LabelledTree, TreeProblem


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassedDomain(Domain):
    """A sentence whose labels are classes of the labels of another one."""

    whole: Domain
    class_of: NDArray[np.intp]  # label -> class

    def labelled(self, pattern: str | None) -> frozenset[int]:
        """The classes whose labels a pattern chooses; it chooses all of a class or none."""
        return frozenset(self.class_of[sorted(self.whole.labelled(pattern))].tolist())

    def has_label(self, pattern: str, labels: NDArray[np.int32]) -> NDArray[np.bool_]:
        return np.isin(labels, sorted(self.labelled(pattern)))


@dataclass(frozen=True, eq=False)
class ClassedProblem:
    """A problem over classes of labels, and the way there and back."""

    problem: TreeProblem
    class_of: NDArray[np.intp]
    best: NDArray[np.intp]  # (n+1, n+1, classes) -> label

    def to_classes(self, tree: LabelledTree) -> LabelledTree:
        return LabelledTree(tree.heads, _known(tree.labels, self.class_of[tree.labels]))

    def to_labels(self, tree: LabelledTree) -> LabelledTree:
        chosen = self.best[tree.heads, np.arange(len(tree.heads)), tree.labels]
        return LabelledTree(tree.heads, _known(tree.labels, chosen))


def classed(problem: TreeProblem) -> ClassedProblem:
    """The same problem over as few labels as its tree rules tell apart; what rules say of arcs is in its scores."""
    domain, scores = problem.domain, problem.arc_scores
    chosen = np.zeros((scores.shape[2], 1 + len(problem.tree_rules)), np.bool_)
    for column, rule in enumerate(problem.tree_rules):
        if rule.label_pattern is not None:
            chosen[sorted(domain.labelled(rule.label_pattern)), column] = True
    kinds, class_of = np.unique(chosen, axis=0, return_inverse=True)
    class_of = class_of.reshape(-1)
    members = [np.flatnonzero(class_of == kind) for kind in range(len(kinds))]
    best = np.stack([labels[scores[:, :, labels].argmax(axis=2)] for labels in members], axis=2)
    fewer = np.take_along_axis(scores, best, axis=2)
    small = dataclasses.replace(
        problem,
        scores=fewer,
        rules=tuple(problem.tree_rules),
        domain=ClassedDomain(
            domain.words,
            None if domain.labels is None else tuple(map(str, range(len(kinds)))),
            domain.tags,
            whole=domain,
            class_of=class_of,
        ),
        projective=not problem.crossing_allowed,
    )
    return ClassedProblem(small.with_arc_scores(fewer), class_of, best)


def _known(labels: NDArray[np.int32], mapped: NDArray[np.intp]) -> NDArray[np.int32]:
    """The mapped labels where there are labels; -1, no label, stays."""
    return np.where(labels < 0, -1, mapped).astype(np.int32)
