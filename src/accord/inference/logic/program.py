# SPDX-License-Identifier: Apache-2.0
"""Programs: predicates over finite domains, what must hold of them, what should, and the best assignment.

Score of an assignment: the scores of its true atoms plus the weights of the soft formulas that hold. The graph
underneath is open: tree factors, budgets and automata may be added over a predicate's variables.

>>> p = Program()
>>> arc = p.predicate("arc", range(3), range(3), scores=[[0, 1.0, 3.0], [0, 0, 2.0], [0, 4.0, 0]])
>>> p.graph.tree(arc.variables)
>>> p.require(arc[1, 2] | arc[0, 1], name="the first word leads")
>>> p.solve("branch_and_bound").true["arc"]
[(0, 1), (0, 2)]
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.inference.graph import FactorGraph, Solution
from accord.inference.logic.encoding import Encoder, assignment_lookup
from accord.inference.logic.formula import FALSE, Atom, Formula, Operand, as_formula

Arguments: TypeAlias = "tuple[Hashable, ...]"


class Predicate:
    """A relation: ``predicate[arguments]`` is an atom; arguments without one are false."""

    def __init__(self, name: str, domains: Iterable[Iterable[Hashable]], atoms: Mapping[Arguments, Atom]) -> None:
        self.name = name
        self.domains = tuple(tuple(domain) for domain in domains)
        self._atoms = dict(atoms)

    def __getitem__(self, arguments: Hashable) -> Formula:
        key = arguments if isinstance(arguments, tuple) else (arguments,)
        return self._atoms.get(key, FALSE)

    def __iter__(self) -> Iterator[Arguments]:
        """The arguments of its atoms, in the order of the domains."""
        return iter(self._atoms)

    def __len__(self) -> int:
        return len(self._atoms)

    @property
    def variables(self) -> NDArray[np.int64]:
        """The graph's variables, an axis for each domain; -1 where there is no atom."""
        keys = itertools.product(*self.domains)
        atoms = (self._atoms.get(key) for key in keys)
        flat = np.array([-1 if atom is None else atom.variable for atom in atoms], dtype=np.int64)
        return flat.reshape(tuple(len(domain) for domain in self.domains))

    def __repr__(self) -> str:
        return f"Predicate({self.name!r}, {len(self)} atoms)"


@dataclass(frozen=True)
class LogicSolution:
    """The best assignment found; ``status``, ``value`` and ``bound`` as in :class:`~accord.inference.graph.Solution`.

    ``true`` lists, for each predicate, the arguments of its true atoms. It is empty when the solver found no assignment
    (status ``budget`` or ``fractional``, value minus infinity).
    """

    status: str
    true: dict[str, list[Arguments]]
    value: float
    bound: float
    solution: Solution  # of the graph underneath: without the constant that simplification took out

    def holds(self, formula: Operand) -> bool:
        """Whether a formula is true in the assignment."""
        if self.solution.assignment is None:
            raise ValueError("the solver found no assignment")
        return bool(as_formula(formula).evaluate(assignment_lookup(self.solution.assignment)))


class Program:
    """A factor graph written in logic."""

    def __init__(self, graph: FactorGraph | None = None) -> None:
        self.graph = FactorGraph() if graph is None else graph
        self._owner = object()
        self._encoder = Encoder(self.graph, self._owner)
        self._predicates: dict[str, Predicate] = {}

    def predicate(
        self, name: str, *domains: Iterable[Hashable], scores: ArrayLike | Mapping[Any, float] | None = None
    ) -> Predicate:
        """A new predicate with an atom for each combination of the domains' elements.

        ``scores`` is an array with an axis for each domain (-inf: no such atom, it is false), or a mapping from
        arguments to scores, which has the atoms it names and no other.
        """
        if name in self._predicates:
            raise ValueError(f"there is a predicate {name!r} already")
        listed = [tuple(domain) for domain in domains]
        pairs = list(_scored(listed, scores))
        variables = self.graph.variables([score for _, score in pairs])
        atoms = {key: self.atom(_written(name, key), int(v)) for (key, _), v in zip(pairs, variables, strict=True)}
        self._predicates[name] = Predicate(name, listed, atoms)
        return self._predicates[name]

    def atom(self, name: str, variable: int) -> Atom:
        """An atom for a variable of the graph."""
        return Atom(self._owner, variable, name)

    def require(self, formula: Operand, name: str | None = None) -> None:
        """A hard constraint. One that cannot hold is a :class:`~accord.errors.ConstraintError` with its name."""
        self._encoder.require(as_formula(formula), name)

    def prefer(self, formula: Operand, weight: float, name: str | None = None) -> None:
        """A soft constraint: its weight, which may be negative, is added when it holds."""
        if not math.isfinite(weight):
            raise ValueError(f"the weight of a soft formula must be finite, not {weight}")
        self._encoder.prefer(as_formula(formula), float(weight), name)

    @property
    def constant(self) -> float:
        """What every assignment scores beside the graph's own value."""
        return self._encoder.constant

    def completed(self, assignment: ArrayLike) -> NDArray[np.bool_]:
        """The assignment with auxiliary variables set to what their definitions say."""
        return self._encoder.completed(np.asarray(assignment, np.bool_))

    def solve(self, solver: str = "ad3", **settings: Any) -> LogicSolution:
        """Solve the graph; see :meth:`FactorGraph.solve` for solvers, settings and errors."""
        if solver in ("ad3", "subgradient", "branch_and_bound"):
            settings.setdefault("round", self._rounded)
        solution = self.graph.solve(solver, **settings)
        true: dict[str, list[Arguments]] = {}
        if solution.assignment is not None:
            truth = assignment_lookup(solution.assignment)
            for name, predicate in self._predicates.items():
                true[name] = [key for key in predicate if bool(predicate[key].evaluate(truth))]
        return LogicSolution(
            solution.status, true, solution.value + self.constant, solution.bound + self.constant, solution
        )

    def _rounded(self, posteriors: NDArray[np.float64]) -> NDArray[np.int64]:
        return self.completed(posteriors > 0.5).astype(np.int64)


def _scored(
    domains: list[tuple[Hashable, ...]], scores: ArrayLike | Mapping[Any, float] | None
) -> Iterator[tuple[Arguments, float]]:
    """Arguments and score of every atom."""
    if isinstance(scores, Mapping):
        for key, score in scores.items():
            yield key if isinstance(key, tuple) else (key,), float(score)
        return
    shape = tuple(len(domain) for domain in domains)
    array = np.zeros(shape) if scores is None else np.asarray(scores, dtype=np.float64)
    if array.shape != shape:
        raise ValueError(f"scores must have shape {shape}, an axis for each domain, not {array.shape}")
    for key, score in zip(itertools.product(*domains), array.reshape(-1).tolist(), strict=True):
        if score != -math.inf:
            yield key, score


def _written(name: str, arguments: Arguments) -> str:
    return f"{name}({', '.join(map(str, arguments))})"
