# SPDX-License-Identifier: Apache-2.0
"""Formulas as factors of a graph, with as few auxiliary variables as possible.

Hard formulas     an atom becomes evidence, a conjunction its parts, a disjunction OR with negations, a count XOR,
                  at-most-one or a cardinality. ``x | (a & b)`` is ``(x | a) & (x | b)``. Any other formula over at most
                  ``TABLE_VARIABLES`` variables is one table, whose hull no set of smaller factors can beat.
Soft formulas     a connective over atoms is one factor with the weight as its own score; so is what fits into a table.
Everything else   gets an auxiliary variable per nested part, equivalent to it: AND-OUT, OR-OUT, a table, or a
                  cardinality in which the output counts for more than all inputs together.

Auxiliary variables are functions of the atoms, so an assignment of the atoms completes to one of the graph, and
formulas that occur twice share theirs. Table 1 of Martins, Smith, Aguiar & Figueiredo (2011) lists the factors.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference.graph import FactorGraph
from accord.inference.logic.formula import FALSE, And, Atom, Compound, Constant, Count, Equivalence, Formula, Or, Truth

TABLE_VARIABLES = 6


class Encoder:
    """Adds formulas to a graph."""

    def __init__(self, graph: FactorGraph, owner: object) -> None:
        self.graph = graph
        self.constant = 0.0  # weight of soft formulas that no variable carries
        self._owner = owner
        self._outputs: dict[Formula, Atom] = {}
        self._definitions: list[tuple[int, Formula]] = []  # auxiliary variables, each after those it depends on
        self._fixed: dict[int, tuple[bool, str]] = {}  # variable: its value, and which constraint fixed it

    # ---- what may be asked

    def require(self, formula: Formula, name: str | None = None) -> None:
        """The formula holds in every assignment."""
        simplified = formula.given(self._known)
        match simplified:
            case Constant():
                if not simplified.value:
                    raise ConstraintError(self._contradiction(formula, name))
            case Atom():
                self._fixed[simplified.variable] = (not simplified.negated, name or _short(formula))
                self.graph.fix(simplified.literal)
            case And():
                for part in simplified.parts:
                    self.require(part, name)
            case Compound() if _over_atoms(simplified):
                self._require_connective(simplified, name)
            case Compound():
                self._require_nested(simplified, name)

    def prefer(self, formula: Formula, weight: float, name: str | None = None) -> None:
        """The weight is added when the formula holds."""
        simplified = formula.given(self._known)
        if isinstance(simplified, Constant):
            self.constant += weight * simplified.value
        elif isinstance(simplified, Atom):
            self.graph.cardinality([simplified.literal], [0.0, weight], name)
        elif isinstance(simplified, (And, Or, Count)) and _over_atoms(simplified):
            self._prefer_connective(simplified, weight, name)
        elif isinstance(simplified, Compound):
            variables = _variables(simplified)
            if len(variables) <= TABLE_VARIABLES:
                self.graph.table(variables, np.where(_truth_table(simplified, variables), weight, 0.0), name)
            else:
                self.prefer(simplified.rebuilt(map(self.output, simplified.parts)), weight, name)

    def completed(self, assignment: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The assignment with every auxiliary variable as its definition says."""
        complete = assignment.copy()
        for variable, formula in self._definitions:
            complete[variable] = formula.evaluate(assignment_lookup(complete))
        return complete

    def output(self, formula: Formula) -> Formula:
        """An atom (or constant) that is true exactly when the formula is."""
        if not isinstance(formula, Compound):
            return formula
        if formula not in self._outputs:
            opposite = ~formula
            if opposite in self._outputs:
                return ~self._outputs[opposite]
            flat = formula if self._is_small(formula) else formula.rebuilt(map(self.output, formula.parts))
            if not isinstance(flat, Compound):
                return flat
            atom = self._auxiliary(formula)
            self._outputs[formula] = atom
            self._equate(atom, flat, None)
        return self._outputs[formula]

    # ---- hard formulas

    def _require_connective(self, formula: Compound, name: str | None) -> None:
        literals = _literals(formula.parts)
        match formula:
            case Or():
                self.graph.at_least_one(literals, name)
            case Count(low=1, high=1):
                self.graph.exactly_one(literals, name)
            case Count(low=0, high=1):
                self.graph.at_most_one(literals, name)
            case Count():
                self.graph.cardinality(literals, _count_scores(formula, 0.0, -np.inf), name)
            case Equivalence():
                first, second = formula.parts
                self.require(~first | second, name)
                self.require(first | ~second, name)

    def _require_nested(self, formula: Compound, name: str | None) -> None:
        conjunctions = [part for part in formula.parts if isinstance(part, And)]
        if isinstance(formula, Or) and len(conjunctions) == 1 and _over_atoms(conjunctions[0]):
            others = [part for part in formula.parts if part is not conjunctions[0]]
            for part in conjunctions[0].parts:
                self.require(formula.rebuilt([*others, part]), name)
        elif isinstance(formula, Equivalence) and isinstance(formula.parts[0], Atom):
            self._equate(formula.parts[0], formula.parts[1], name)
        elif self._is_small(formula):
            self._require_table(formula, name)
        else:
            self.require(formula.rebuilt(map(self.output, formula.parts)), name)

    def _require_table(self, formula: Formula, name: str | None) -> None:
        variables = _variables(formula)
        self.graph.table(variables, np.where(_truth_table(formula, variables), 0.0, -np.inf), name)

    def _equate(self, output: Atom, formula: Formula, name: str | None) -> None:
        """output <=> formula."""
        apart = output.variable not in {atom.variable for atom in formula.atoms()}
        if isinstance(formula, (And, Or)) and _over_atoms(formula) and apart:
            add = self.graph.and_output if isinstance(formula, And) else self.graph.or_output
            add(_literals(formula.parts), output.literal, name)
        elif len(_variables(Equivalence((output, formula)))) <= TABLE_VARIABLES:
            self._require_table(Equivalence((output, formula)), name)
        elif isinstance(formula, Count) and _over_atoms(formula) and apart:
            self._equate_count(output, formula, name)
        elif isinstance(formula, Compound) and not _over_atoms(formula):
            self._equate(output, formula.rebuilt(map(self.output, formula.parts)), name)
        else:
            self.require(~output | formula, name)
            self.require(output | ~formula, name)

    def _equate_count(self, output: Atom, formula: Count, name: str | None) -> None:
        """A cardinality over the n inputs and n + 1 copies of the output: totals above n are for a true output."""
        inputs = _literals(formula.parts)
        copies = [self._auxiliary(output) for _ in inputs]
        for copy in copies:
            self._require_connective(Equivalence((output, copy)), name)
        outside, inside = _count_scores(formula, -np.inf, 0.0), _count_scores(formula, 0.0, -np.inf)
        self.graph.cardinality([*inputs, output.literal, *_literals(copies)], np.concatenate([outside, inside]), name)

    # ---- soft formulas

    def _prefer_connective(self, formula: And | Or | Count, weight: float, name: str | None) -> None:
        literals = _literals(formula.parts)
        if isinstance(formula, Or) and len(literals) == 2:  # all but the case that both are false
            self.constant += weight
            self.graph.pair(~literals[0], ~literals[1], -weight)
        elif isinstance(formula, And) and len(literals) == 2:
            self.graph.pair(literals[0], literals[1], weight)
        else:
            self.graph.cardinality(literals, _count_scores(formula, weight, 0.0), name)

    # ---- helpers

    def _known(self, atom: Atom) -> bool | None:
        if atom.owner is not self._owner:
            raise ValueError(f"{atom!r} belongs to another program")
        fixed = self._fixed.get(atom.variable)
        return None if fixed is None else fixed[0] != atom.negated

    def _auxiliary(self, definition: Formula) -> Atom:
        variable = self.graph.variable()
        self._definitions.append((variable, definition))
        return Atom(self._owner, variable, f"auxiliary {variable}")

    def _is_small(self, formula: Formula) -> bool:
        return len(_variables(formula)) < TABLE_VARIABLES  # leaves room for an output

    def _contradiction(self, formula: Formula, name: str | None) -> str:
        stated = name or _short(formula)
        causes = dict.fromkeys(
            self._fixed[atom.variable][1] for atom in formula.atoms() if atom.variable in self._fixed
        )
        if not causes or formula == FALSE:
            return f"{stated}: cannot hold"
        return f"{stated}: contradicts {', '.join(causes)}"


def assignment_lookup(assignment: NDArray[np.bool_]) -> Callable[[Atom], Truth]:
    """The truth of atoms under an assignment of all variables of the graph."""

    def truth(atom: Atom) -> Truth:
        value: Truth = assignment[atom.variable] != atom.negated
        return value

    return truth


def _truth_table(formula: Formula, variables: Sequence[int]) -> Truth:
    """The formula for every setting: an axis of length 2 for each variable."""
    axes = dict(zip(variables, np.indices((2,) * len(variables), dtype=np.int8, sparse=True), strict=True))
    table = formula.evaluate(lambda atom: axes[atom.variable] != atom.negated)
    return np.broadcast_to(table, (2,) * len(variables))


def _count_scores(formula: And | Or | Count, inside: float, outside: float) -> NDArray[np.float64]:
    """A score for each number of true parts: `inside` where the connective holds."""
    size = len(formula.parts)
    low, high = (size, size) if isinstance(formula, And) else (1, size)
    if isinstance(formula, Count):
        low, high = formula.low, formula.high
    counts = np.arange(size + 1)
    return np.where((counts >= low) & (counts <= high), inside, outside)


def _variables(formula: Formula) -> list[int]:
    return sorted({atom.variable for atom in formula.atoms()})


def _over_atoms(formula: Compound) -> bool:
    return all(isinstance(part, Atom) for part in formula.parts)


def _literals(parts: Iterable[Formula]) -> list[int]:
    return [part.literal for part in parts if isinstance(part, Atom)]


def _short(formula: Formula) -> str:
    return textwrap.shorten(repr(formula), 100, placeholder=" ...")
