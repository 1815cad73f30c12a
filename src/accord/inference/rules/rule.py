# SPDX-License-Identifier: Apache-2.0
"""What all rules have in common.

A rule is a plain value: comparable, hashable, printable, with one text form. It holds of a tree or is broken a number
of times. Without a weight it is hard: no tree may break it. With one it is soft: each time it is broken costs the
weight. Two families differ in what it takes to see a break:

* :class:`ArcRule`: a single labelled arc. Costs add up over arcs, so decoding stays exact and as fast as without rules.
* :class:`TreeRule`: several arcs together. Its instances are formulas over arcs, which become factors beside the tree.
"""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.inference.logic import Formula
from accord.inference.rules.atoms import TreeAtoms
from accord.inference.rules.domain import Domain
from accord.inference.rules.syntax import Syntax

RESERVED = ("of", "in", "head-is", "head-not", "dependent-is", "dependent-not")
DEFAULT_COLUMN = "upos"

Instance: TypeAlias = tuple[int, ...]  # positions
Exclusion: TypeAlias = tuple[Any, Any, Any]  # heads, dependents and labels: an index into an array of labelled arcs


@dataclasses.dataclass(frozen=True, eq=False)
class CountLimit:
    """A head has at most so many dependents with these labels."""

    head: int
    labels: NDArray[np.intp]
    most: int


@dataclasses.dataclass(frozen=True, repr=False)
class Rule(ABC):
    """A rule on dependency trees; ``str(rule)`` is its text form, which :func:`parse_rule` reads."""

    weight: float | None = dataclasses.field(default=None, kw_only=True)  # cost of each break; None: hard

    syntax: ClassVar[Syntax]

    def __post_init__(self) -> None:
        if self.weight is None:
            return
        if isinstance(self.weight, bool) or not isinstance(self.weight, (int, float)):
            raise ConfigError(f"a weight is a number, not {self.weight!r}")
        if not (math.isfinite(self.weight) and self.weight > 0):
            raise ConfigError(f"a weight is the cost of breaking a rule: finite and positive, not {self.weight}")

    @property
    def hard(self) -> bool:
        return self.weight is None

    @property
    def last_word(self) -> int:
        """The last position that it names; a shorter sentence is none that it speaks of."""
        return 0

    def __repr__(self) -> str:
        fields = sorted(dataclasses.fields(self), key=lambda field: field.name == "weight")
        shown = [
            (field.name, getattr(self, field.name)) for field in fields if getattr(self, field.name) != field.default
        ]
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in shown)})"

    def __str__(self) -> str:
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        if fields.get("column") == DEFAULT_COLUMN:
            fields["column"] = None
        body = self.syntax.write(fields)
        return body if self.weight is None else f"{body} @ {_number(self.weight)}"


class ArcRule(Rule):
    """A rule that single labelled arcs break."""

    @abstractmethod
    def broken_arcs(self, domain: Domain) -> NDArray[np.bool_]:
        """Which labelled arcs break it: (n+1, n+1, labels)."""


class TreeRule(Rule):
    """A rule that arcs keep or break together."""

    @property
    def label_pattern(self) -> str | None:
        """The only labels of which it speaks; none where all labels are alike to it."""
        return None

    @abstractmethod
    def instances(self, domain: Domain) -> Iterator[Instance]:
        """What it speaks of in a sentence, one by one: heads, a span, pairs of positions."""

    @abstractmethod
    def formulas(self, domain: Domain, atoms: TreeAtoms, instance: Instance) -> Iterator[Formula]:
        """What it says of an instance: the rule is broken once for each formula that is false."""

    def suspects(self, domain: Domain, heads: NDArray[np.int32], labels: NDArray[np.int32]) -> Iterator[Instance]:
        """Instances among which are all that a given tree breaks; the fewer the better."""
        return self.instances(domain)

    def impossible_arcs(self, domain: Domain) -> NDArray[np.bool_] | None:
        """Arcs, (n+1, n+1), that no tree keeping the rule has. Formulas say so, too; this says it sooner."""
        return None

    def ways_out(
        self, domain: Domain, heads: NDArray[np.int32], labels: NDArray[np.int32], instance: Instance
    ) -> list[Exclusion] | None:
        """Sets of labelled arcs of which every tree that keeps an instance lacks at least one whole set.

        The given tree breaks the instance and has an arc of each set. None: the rule cannot say so.
        """
        return None


class CountRule(TreeRule):
    """A tree rule whose instances limit how many dependents a head has.

    Its suspects are the instances that a tree breaks, each once, and no others.
    """

    @abstractmethod
    def suspects(self, domain: Domain, heads: NDArray[np.int32], labels: NDArray[np.int32]) -> Iterator[Instance]:
        """The instances that a given tree breaks."""

    @abstractmethod
    def count_limit(self, domain: Domain, instance: Instance) -> CountLimit:
        """What an instance says."""


def check_pattern(value: object, field: str, *, optional: bool = False) -> None:
    """Patterns are names separated by commas, and words of the grammar are no names."""
    if value is None and optional:
        return
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{field} is a name, or names separated by commas, not {value!r}")
    for choice in value.split(","):
        if not choice or choice in RESERVED or choice.startswith("@") or "->" in choice or len(choice.split()) != 1:
            raise ConfigError(f"{field} = {value!r}: {choice!r} cannot be a name")
    if value.split() != [value]:
        raise ConfigError(f"{field} = {value!r}: names have no spaces")


def check_number(value: object, field: str, *, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ConfigError(f"{field} is a whole number, {least} or more, not {value!r}")


def check_column(value: object) -> None:
    if not isinstance(value, str) or not value.isidentifier():
        raise ConfigError(f"column is the name of a column of the words, not {value!r}")


def _number(value: float) -> str:
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))
