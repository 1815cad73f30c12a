# SPDX-License-Identifier: Apache-2.0
"""Tree rules as factors: variables for arcs and for the labels that rules tell apart, a tree factor, formulas.

Variables:  one an arc. Where rules ask for labels of an arc, its labels fall into classes that no rule tells apart (one
            of them "all others"); each class has a variable with the score of its best label, and the arc is on exactly
            when one of its classes is. Soft bans on crossing add a variable for each pair of positions that arcs may
            link either way.
Factors:    the tree and the parts larger than arcs, the choice of a class for each such arc, and the rules' formulas
            (:mod:`accord.inference.logic`).
Size:       O(n^2) arcs and O(n) factors of size O(n) for each rule on heads; O(n^4) pairs for a soft ban on crossing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference.graph import SETTINGS
from accord.inference.logic import FALSE, Atom, Formula, Predicate, Program, choice
from accord.inference.rules.atoms import AskedLabels, TreeAtoms
from accord.inference.rules.problem import LabelledTree, TreeProblem, naming
from accord.inference.rules.rule import Instance, TreeRule
from accord.inference.rules.sums import log_sum

Arc: TypeAlias = tuple[int, int]
Class: TypeAlias = tuple[int, ...]  # labels, the best first


class TreeProgram:
    """A factor graph for a problem, and the atoms of its rules' formulas.

    ``asked``: the instances of tree rules that it has; the others are dropped, which gives an upper bound. None: all.
    ``sums``: the labels of a class count together, by the logarithm of their sum, instead of the best for all.
    """

    def __init__(
        self,
        problem: TreeProblem,
        asked: Mapping[TreeRule, Collection[Instance]] | None = None,
        *,
        sums: bool = False,
    ) -> None:
        self._problem = problem
        self._sums = sums
        self._asked = _everything(problem) if asked is None else asked
        self._program = Program()
        self._classes = _label_classes(problem, self._asked)
        self._links: dict[Arc, Atom] = {}
        self._arcs, self._labels = self._predicates()
        # The labelled arcs that a tree may have, each with the variable that turns it on.
        self._choices, self._variables = self._labelled_arcs()
        self._add_factors()

    # ---- building

    def _predicates(self) -> tuple[Predicate, Predicate]:
        scores = _arcs_only(self._together(self._problem.arc_scores, axis=2))
        labels: dict[tuple[int, int, Class], float] = {}
        for (head, dependent), classes in self._classes.items():
            scores[head, dependent] = 0.0
            for members in classes:
                chosen = self._problem.arc_scores[head, dependent, list(members)]
                labels[head, dependent, members] = float(self._together(chosen, axis=0))
        positions = range(len(scores))
        return (
            self._program.predicate("arc", positions, positions, scores=scores),
            self._program.predicate("label", scores=labels),
        )

    def _together(self, scores: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
        return log_sum(scores, axis) if self._sums else scores.max(axis=axis)

    def _labelled_arcs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        choices: list[tuple[int, int, int]] = []
        variables: list[int] = []
        arcs = self._arcs.variables
        for head, dependent in np.argwhere(arcs >= 0).tolist():
            if (head, dependent) in self._classes:
                for members in self._classes[head, dependent]:
                    choices.append((head, dependent, members[0]))
                    variables.append(_variable(self._labels[head, dependent, members]))
            else:
                choices.append((head, dependent, int(self._problem.arc_scores[head, dependent].argmax())))
                variables.append(int(arcs[head, dependent]))
        return np.array(choices, np.int64).reshape(-1, 3), np.array(variables, np.int64)

    def _add_factors(self) -> None:
        problem, program = self._problem, self._program
        shape = {"projective": not problem.crossing_allowed, "single_root": problem.single_root}
        self._indicators = np.zeros(0, np.int64)
        if problem.parts is None:
            program.graph.tree(self._arcs.variables, **shape, name="tree")
        else:
            self._indicators = problem.parts.add_factors(program.graph, self._arcs.variables, **shape)
        for (head, dependent), classes in self._classes.items():
            labels = (self._labels[head, dependent, members] for members in classes)
            program.require(choice(self.arc(head, dependent), labels))
        for rule, instances in self._asked.items():
            with naming(rule):
                for formula in _formulas(rule, instances, problem, self):
                    if rule.weight is None:
                        program.require(formula, name=f"rule '{rule}'")
                    else:
                        program.prefer(~formula, -rule.weight)

    # ---- atoms of formulas

    def arc(self, head: int, dependent: int) -> Formula:
        return self._arcs[head, dependent]

    def labelled(self, head: int, dependent: int, labels: frozenset[int]) -> Sequence[Formula]:
        classes = self._classes.get((head, dependent))
        if classes is not None:
            return [self._labels[head, dependent, members] for members in classes if members[0] in labels]
        # No rule tells its labels apart: all that it can have are asked for, or none.
        best = int(self._problem.arc_scores[head, dependent].argmax())
        return [self.arc(head, dependent)] if best in labels else []

    def linked(self, first: int, second: int) -> Formula:
        there, back = self.arc(first, second), self.arc(second, first)
        if there == FALSE or back == FALSE:
            return there | back
        if (first, second) not in self._links:
            link = self._program.atom(f"linked({first}, {second})", self._program.graph.variable())
            self._program.require(choice(link, there, back))  # no tree has both
            self._links[first, second] = link
        return self._links[first, second]

    # ---- solving

    def share(self, distance: float) -> float:
        """A distance of values as the ``gap`` of a solver."""
        spread = self._program.graph.spread
        return distance / spread if spread > 0 else 0.0

    def solve(self, solver: str, **settings: Any) -> tuple[LabelledTree | None, float, str]:
        """The best tree found (if any), a bound on all trees, and the solver's verdict."""
        if "round" in SETTINGS.get(solver, {}):
            settings.setdefault("round", self._hook)
        graph = self._program.graph
        solution = graph.solve(solver, **settings)
        assignment = solution.assignment
        if assignment is None or graph.value(assignment) == -np.inf:
            assignment = self._rounded(solution.posteriors)
        tree = None
        if assignment is not None and graph.value(assignment) > -np.inf:
            tree = self._tree(assignment)
        return tree, solution.bound + self._program.constant, solution.status

    def beliefs(self, **settings: Any) -> tuple[NDArray[np.float64], float]:
        """Of a program with sums, by belief propagation: probabilities of labelled arcs, and log Z."""
        solution = self._program.graph.solve("bp", **settings)
        scores = self._problem.arc_scores
        labelled = np.zeros_like(scores)
        for (head, dependent, label), belief in zip(
            self._choices.tolist(), solution.posteriors[self._variables].tolist(), strict=True
        ):
            classes = self._classes.get((head, dependent))
            members = range(scores.shape[2]) if classes is None else next(c for c in classes if c[0] == label)
            own = scores[head, dependent, list(members)]
            labelled[head, dependent, list(members)] = belief * np.exp(own - log_sum(own, axis=0))
        return labelled, solution.log_partition + self._program.constant

    def _tree(self, assignment: NDArray[np.bool_]) -> LabelledTree:
        heads = np.full(self._problem.domain.words + 1, -1, np.int32)
        labels = heads.copy()
        head, dependent, label = self._choices[assignment[self._variables]].T
        heads[dependent], labels[dependent] = head, label
        return LabelledTree(heads, labels)

    def _hook(self, posteriors: NDArray[np.float64]) -> list[int] | None:
        assignment = self._rounded(posteriors)
        return None if assignment is None else assignment.astype(int).tolist()

    def _rounded(self, posteriors: NDArray[np.float64]) -> NDArray[np.bool_] | None:
        """The tree nearest to relaxed values, and all that follows from it."""
        if posteriors.size == 0 or not np.isfinite(posteriors).all():  # nothing, or beliefs that diverged
            return None
        head, dependent, label = self._choices.T
        nearness = np.full(self._problem.scores.shape, -np.inf)
        nearness[head, dependent, label] = posteriors[self._variables]
        try:
            tree, _ = self._problem.best_tree(nearness)
        except ConstraintError:
            return None
        assignment = np.zeros(posteriors.size, np.bool_)
        on = (tree.heads[dependent] == head) & (tree.labels[dependent] == label)
        assignment[self._variables[on]] = True
        assignment[self._arcs.variables[head[on], dependent[on]]] = True
        if self._problem.parts is not None and self._indicators.size:
            crossing = self._problem.crossing_allowed
            assignment[self._indicators] = self._problem.parts.indicators(tree.heads, projective=not crossing)
        for (first, second), link in self._links.items():
            assignment[link.variable] = tree.heads[second] == first or tree.heads[first] == second
        return self._program.completed(assignment)


def _everything(problem: TreeProblem) -> dict[TreeRule, list[Instance]]:
    asked: dict[TreeRule, list[Instance]] = {}
    for rule in problem.tree_rules:
        with naming(rule):
            asked[rule] = list(rule.instances(problem.domain))
    return asked


def _formulas(
    rule: TreeRule, instances: Collection[Instance], problem: TreeProblem, atoms: TreeAtoms
) -> Iterator[Formula]:
    for instance in sorted(instances):
        yield from rule.formulas(problem.domain, atoms, instance)


def _label_classes(problem: TreeProblem, asked: Mapping[TreeRule, Collection[Instance]]) -> dict[Arc, list[Class]]:
    """The labels of each arc, grouped by what rules ask of them; arcs with one group are left out."""
    labels = AskedLabels()
    for rule, instances in asked.items():
        with naming(rule):
            for _ in _formulas(rule, instances, problem, labels):
                pass
    possible = problem.arc_scores.max(axis=2) > -np.inf
    classes: dict[Arc, list[Class]] = {}
    for arc, sets in labels.sets.items():
        if not possible[arc]:
            continue
        scores = problem.arc_scores[arc]
        ranked = [label for label in np.argsort(-scores, kind="stable").tolist() if scores[label] > -np.inf]
        groups: defaultdict[tuple[bool, ...], list[int]] = defaultdict(list)
        for label in ranked:
            groups[tuple(label in asked_set for asked_set in sets)].append(label)
        if len(groups) > 1:
            classes[arc] = [tuple(members) for members in groups.values()]
    return classes


def _arcs_only(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Column 0 and the diagonal are no arcs, whatever they hold."""
    scores[:, 0] = -np.inf
    np.fill_diagonal(scores, -np.inf)
    return scores


def _variable(formula: Formula) -> int:
    assert isinstance(formula, Atom)
    return formula.variable
