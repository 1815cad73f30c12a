# SPDX-License-Identifier: Apache-2.0
"""Propositional formulas over the variables of a factor graph, simplified as they are built.

Set:        assignments of the atoms under which a formula is true.
Form:       atoms (possibly negated), conjunctions, disjunctions, counts ("between low and high of these are true") and
            equivalences. Negation is pushed to the atoms, nested conjunctions and disjunctions are flattened, constants
            and repetitions disappear: what :mod:`accord.inference.logic.encoding` receives has none of them.
Complexity: building is linear in the parts, except a count with repeated parts, which is split on each of them.

Formulas are what first-order rules become once their quantifiers run over finite domains; Martins, Smith, Aguiar &
Figueiredo (2011) write a whole parser in them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

Truth: TypeAlias = "NDArray[np.bool_]"
Operand: TypeAlias = Union["Formula", bool, "np.bool_"]


class Formula(ABC):
    """Something true or false of an assignment. ``&``, ``|``, ``~`` and ``>>`` (implies) build larger ones.

    Plain truth values may stand among the operands, so that conditions on known things vanish from the result:

    >>> atom = Atom(object(), 0, "rain")
    >>> atom & (2 > 1), atom | True
    (rain, true)
    """

    __slots__ = ()
    __array_ufunc__ = None  # numpy's booleans leave operators to this class

    @abstractmethod
    def __invert__(self) -> Formula: ...

    @abstractmethod
    def given(self, known: Callable[[Atom], bool | None]) -> Formula:
        """The formula once the atoms for which ``known`` has an answer are replaced by it."""

    @abstractmethod
    def evaluate(self, truth: Callable[[Atom], Truth]) -> Truth:
        """Where the formula holds, for arrays of truth values that broadcast."""

    @abstractmethod
    def atoms(self) -> Iterator[Atom]:
        """Every occurrence of an atom."""

    def __and__(self, other: Operand) -> Formula:
        return forall((self, other)) if _is_operand(other) else NotImplemented

    def __or__(self, other: Operand) -> Formula:
        return exists((self, other)) if _is_operand(other) else NotImplemented

    def __rshift__(self, other: Operand) -> Formula:
        return exists((~self, other)) if _is_operand(other) else NotImplemented

    def __rrshift__(self, other: Operand) -> Formula:
        return exists((~as_formula(other), self)) if _is_operand(other) else NotImplemented

    __rand__ = __and__
    __ror__ = __or__

    def __bool__(self) -> bool:
        raise TypeError("a formula has no truth value of its own; combine formulas with &, | and ~")


@dataclass(frozen=True, slots=True, repr=False)
class Constant(Formula):
    value: bool

    def __invert__(self) -> Formula:
        return FALSE if self.value else TRUE

    def given(self, known: Callable[[Atom], bool | None]) -> Formula:
        return self

    def evaluate(self, truth: Callable[[Atom], Truth]) -> Truth:
        return np.array(self.value)

    def atoms(self) -> Iterator[Atom]:
        return iter(())

    def __repr__(self) -> str:
        return "true" if self.value else "false"


TRUE = Constant(True)
FALSE = Constant(False)


@dataclass(frozen=True, slots=True, repr=False)
class Atom(Formula):
    """A variable of a graph, or its negation."""

    owner: object  # the program whose graph has the variable
    variable: int
    name: str = field(compare=False)
    negated: bool = False

    @property
    def literal(self) -> int:
        """The number by which factor graphs know it: ``~variable`` when negated."""
        return ~self.variable if self.negated else self.variable

    def __invert__(self) -> Atom:
        return Atom(self.owner, self.variable, self.name, not self.negated)

    def given(self, known: Callable[[Atom], bool | None]) -> Formula:
        value = known(self)
        return self if value is None else as_formula(value)

    def evaluate(self, truth: Callable[[Atom], Truth]) -> Truth:
        return truth(self)

    def atoms(self) -> Iterator[Atom]:
        yield self

    def __repr__(self) -> str:
        return f"~{self.name}" if self.negated else self.name


@dataclass(frozen=True, slots=True, repr=False)
class Compound(Formula):
    """A formula with parts; build it with the functions below, which simplify."""

    parts: tuple[Formula, ...]

    @abstractmethod
    def rebuilt(self, parts: Iterable[Formula]) -> Formula:
        """The same connective over other parts, simplified."""

    def given(self, known: Callable[[Atom], bool | None]) -> Formula:
        return self.rebuilt(part.given(known) for part in self.parts)

    def atoms(self) -> Iterator[Atom]:
        for part in self.parts:
            yield from part.atoms()

    def counted(self, truth: Callable[[Atom], Truth]) -> NDArray[np.int64]:
        """How many parts hold."""
        total: NDArray[np.int64] = np.zeros((), np.int64)
        for part in self.parts:
            total = total + part.evaluate(truth)
        return total


class And(Compound):
    __slots__ = ()

    def rebuilt(self, parts: Iterable[Formula]) -> Formula:
        return forall(parts)

    def evaluate(self, truth: Callable[[Atom], Truth]) -> Truth:
        every: Truth = self.counted(truth) == len(self.parts)
        return every

    def __invert__(self) -> Formula:
        return exists(~part for part in self.parts)

    def __repr__(self) -> str:
        return f"({' & '.join(map(repr, self.parts))})"


class Or(Compound):
    __slots__ = ()

    def rebuilt(self, parts: Iterable[Formula]) -> Formula:
        return exists(parts)

    def evaluate(self, truth: Callable[[Atom], Truth]) -> Truth:
        return self.counted(truth) > 0

    def __invert__(self) -> Formula:
        return forall(~part for part in self.parts)

    def __repr__(self) -> str:
        return f"({' | '.join(map(repr, self.parts))})"


@dataclass(frozen=True, slots=True, repr=False)
class Count(Compound):
    """Between ``low`` and ``high`` of the parts are true."""

    low: int
    high: int

    def rebuilt(self, parts: Iterable[Formula]) -> Formula:
        return between(self.low, self.high, parts)

    def evaluate(self, truth: Callable[[Atom], Truth]) -> Truth:
        total = self.counted(truth)
        return (total >= self.low) & (total <= self.high)

    def __invert__(self) -> Formula:
        fewer = between(0, self.low - 1, self.parts)
        return fewer | between(self.high + 1, len(self.parts), self.parts)

    def __repr__(self) -> str:
        listed = ", ".join(map(repr, self.parts))
        if (self.low, self.high) in ((1, 1), (0, 1)):
            return f"{'exactly' if self.low else 'at_most'}_one({listed})"
        return f"between({self.low}, {self.high}, {listed})"


class Equivalence(Compound):
    """Two parts that are both true or both false."""

    __slots__ = ()

    def rebuilt(self, parts: Iterable[Formula]) -> Formula:
        return equivalent(*parts)

    def evaluate(self, truth: Callable[[Atom], Truth]) -> Truth:
        same: Truth = self.parts[0].evaluate(truth) == self.parts[1].evaluate(truth)
        return same

    def __invert__(self) -> Formula:
        return equivalent(~self.parts[0], self.parts[1])

    def __repr__(self) -> str:
        return f"({self.parts[0]!r} <=> {self.parts[1]!r})"


def as_formula(operand: Operand) -> Formula:
    """Truth values are formulas, too."""
    if isinstance(operand, Formula):
        return operand
    if isinstance(operand, (bool, np.bool_)):
        return TRUE if operand else FALSE
    raise TypeError(f"expected a formula or a truth value, not {type(operand).__name__}")


def forall(formulas: Iterable[Operand]) -> Formula:
    """All of them are true (of none: true)."""
    return _joined(formulas, And, neutral=TRUE)


def exists(formulas: Iterable[Operand]) -> Formula:
    """One or more are true (of none: false)."""
    return _joined(formulas, Or, neutral=FALSE)


def between(low: int, high: int, formulas: Iterable[Operand]) -> Formula:
    """At least ``low`` and at most ``high`` of them are true, each counted as often as it is listed."""
    parts: list[Formula] = []
    for part in map(as_formula, formulas):
        if part == TRUE:
            low, high = low - 1, high - 1
        elif part != FALSE:
            parts.append(part)
    opposed = {part for part in parts if isinstance(part, Atom) and not part.negated and ~part in parts}
    for part in opposed:  # x and ~x: one of them counts, whichever
        parts.remove(part)
        parts.remove(~part)
        low, high = low - 1, high - 1
    repeated = next((part for part, times in Counter(parts).items() if times > 1), None)
    if repeated is not None:
        others = [part for part in parts if part != repeated]
        times = len(parts) - len(others)
        on, off = between(low - times, high - times, others), between(low, high, others)
        return (repeated & on) | (~repeated & off)
    return _counted(max(low, 0), min(high, len(parts)), parts)


def _counted(low: int, high: int, parts: list[Formula]) -> Formula:
    """A count over distinct parts, by its simplest name."""
    if low > high:
        return FALSE
    if low == 0 and high == len(parts):
        return TRUE
    if low == len(parts):
        return forall(parts)
    if high == 0:
        return forall(~part for part in parts)
    if high == len(parts) and low == 1:
        return exists(parts)
    if low == 0 and high == len(parts) - 1:
        return exists(~part for part in parts)
    return Count(tuple(parts), low, high)


def equivalent(first: Operand, second: Operand) -> Formula:
    """Both are true or both are false."""
    a, b = as_formula(first), as_formula(second)
    if isinstance(a, Constant):
        return b if a.value else ~b
    if isinstance(b, Constant):
        return a if b.value else ~a
    if a == b:
        return TRUE
    if isinstance(b, Atom) and not isinstance(a, Atom):
        a, b = b, a  # an atom goes first: it can be the output of a factor
    if isinstance(a, Atom) and a == ~b:
        return FALSE
    return Equivalence((a, b))


def _joined(formulas: Iterable[Operand], kind: type[Compound], neutral: Constant) -> Formula:
    parts: dict[Formula, None] = {}
    for formula in map(as_formula, formulas):
        if formula == ~neutral:
            return ~neutral
        if formula != neutral:
            parts.update(dict.fromkeys(formula.parts if isinstance(formula, kind) else (formula,)))
    if any(isinstance(part, Atom) and ~part in parts for part in parts):
        return ~neutral
    if not parts:
        return neutral
    return next(iter(parts)) if len(parts) == 1 else kind(tuple(parts))


def _is_operand(value: Any) -> bool:
    return isinstance(value, (Formula, bool, np.bool_))
