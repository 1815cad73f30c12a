# SPDX-License-Identifier: Apache-2.0
"""First-order rules over finite domains, compiled to factors.

A :class:`Program` declares predicates, states what must hold and what should, and finds the best assignment. The
variables of first-order logic are Python's own: quantifiers are functions over generators.

>>> from accord.inference.logic import Program, exactly_one
>>> p = Program()
>>> people, chairs = ["Ada", "Bob"], [1, 2]
>>> sits = p.predicate("sits", people, chairs, scores=[[2.0, 1.0], [3.0, 0.0]])
>>> for person in people:
...     p.require(exactly_one(sits[person, chair] for chair in chairs))
>>> p.require(~(sits["Ada", 1] & sits["Bob", 1]), name="one a chair")
>>> p.prefer(sits["Ada", 1] >> sits["Bob", 2], weight=0.5)
>>> solution = p.solve()
>>> solution.true["sits"], solution.value, solution.status
([('Ada', 2), ('Bob', 1)], 4.5, 'optimal')
"""

from accord.inference.logic.formula import FALSE, TRUE, Atom, Formula, equivalent
from accord.inference.logic.program import LogicSolution, Predicate, Program
from accord.inference.logic.quantifiers import (
    at_least,
    at_least_one,
    at_most,
    at_most_one,
    choice,
    define,
    exactly,
    exactly_one,
    exists,
    forall,
)

__all__ = [
    "FALSE",
    "TRUE",
    "Atom",
    "Formula",
    "LogicSolution",
    "Predicate",
    "Program",
    "at_least",
    "at_least_one",
    "at_most",
    "at_most_one",
    "choice",
    "define",
    "equivalent",
    "exactly",
    "exactly_one",
    "exists",
    "forall",
]
