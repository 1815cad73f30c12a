# SPDX-License-Identifier: Apache-2.0
"""The words of the logic: quantifiers and definitions over formulas, listed one by one or by a generator.

>>> from accord.inference.logic import Program
>>> p = Program()
>>> arc = p.predicate("arc", range(3), range(1, 3))
>>> exactly_one(arc[head, 2] for head in (0, 1))
exactly_one(arc(0, 2), arc(1, 2))
>>> exists(arc[1, 2], arc[7, 2])  # an atom outside the predicate's domain is false
arc(1, 2)
>>> define(arc[0, 1], arc[0, 2] & ~arc[1, 2])
(arc(0, 1) <=> (arc(0, 2) & ~arc(1, 2)))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from accord.inference.logic import formula as simplified
from accord.inference.logic.formula import Atom, Constant, Formula, Operand, as_formula, between, equivalent

Operands: TypeAlias = "Operand | Iterable[Operand]"


def forall(*formulas: Operands) -> Formula:
    """All are true."""
    return simplified.forall(_listed(formulas))


def exists(*formulas: Operands) -> Formula:
    """One or more are true."""
    return simplified.exists(_listed(formulas))


at_least_one = exists


def exactly_one(*formulas: Operands) -> Formula:
    return between(1, 1, _listed(formulas))


def at_most_one(*formulas: Operands) -> Formula:
    return between(0, 1, _listed(formulas))


def exactly(count: int, *formulas: Operands) -> Formula:
    return between(count, count, _listed(formulas))


def at_most(count: int, *formulas: Operands) -> Formula:
    return between(0, count, _listed(formulas))


def at_least(count: int, *formulas: Operands) -> Formula:
    listed = _listed(formulas)
    return between(count, len(listed), listed)


def define(output: Formula, formula: Operand) -> Formula:
    """The output, an atom, is true exactly when the formula is."""
    if not isinstance(output, (Atom, Constant)):
        raise TypeError(f"only an atom can be defined, not {output!r}")
    return equivalent(output, formula)


def choice(output: Formula, *formulas: Operands) -> Formula:
    """The output says whether one of the formulas is true, and two never are.

    This is ``:= exists exactly one`` of Martins et al. (2011): ``output == sum of the formulas``. A definition by
    :func:`exactly_one` is weaker, for it allows several true formulas, with a false output.
    """
    return exactly_one(~output, *formulas)


def _listed(formulas: Iterable[Operands]) -> list[Formula]:
    listed: list[Formula] = []
    for item in formulas:
        if isinstance(item, (Formula, bool, np.bool_)):
            listed.append(as_formula(item))
        else:
            listed.extend(map(as_formula, item))
    return listed
