# SPDX-License-Identifier: Apache-2.0
"""Rules that single arcs break: required and forbidden arcs and labels, and agreement between labels and tags.

Each is a set of labelled arcs. A hard one removes them, a soft one lowers their scores: O(n^2 L) and exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.inference.rules.domain import Domain
from accord.inference.rules.rule import DEFAULT_COLUMN, ArcRule, check_column, check_number, check_pattern
from accord.inference.rules.syntax import Syntax


@dataclass(frozen=True, repr=False)
class _OneArc(ArcRule):
    head: int  # 0 is the root
    dependent: int
    label: str | None = None  # any label

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.head, "head", least=0)
        check_number(self.dependent, "dependent", least=1)
        check_pattern(self.label, "label", optional=True)
        if self.head == self.dependent:
            raise ConfigError(f"word {self.head} cannot be its own head")

    @property
    def last_word(self) -> int:
        return max(self.head, self.dependent)


@dataclass(frozen=True, repr=False)
class Require(_OneArc):
    """The dependent hangs on the head (with one of the labels).

    >>> str(Require(head=2, dependent=5, label="nsubj", weight=1.5))
    'require 2 -> 5 nsubj @ 1.5'
    """

    syntax: ClassVar[Syntax] = Syntax("require {head:number} -> {dependent:number} [{label}]")

    def broken_arcs(self, domain: Domain) -> NDArray[np.bool_]:
        broken = np.zeros(domain.shape, np.bool_)
        broken[:, domain.position(self.dependent)] = True
        broken[domain.position(self.head), self.dependent, [*domain.labelled(self.label)]] = False
        return broken


@dataclass(frozen=True, repr=False)
class Forbid(_OneArc):
    """The dependent does not hang on the head (with one of the labels)."""

    syntax: ClassVar[Syntax] = Syntax("forbid {head:number} -> {dependent:number} [{label}]")

    def broken_arcs(self, domain: Domain) -> NDArray[np.bool_]:
        broken = np.zeros(domain.shape, np.bool_)
        broken[domain.position(self.head), domain.position(self.dependent), [*domain.labelled(self.label)]] = True
        return broken


@dataclass(frozen=True, repr=False)
class RequireLabel(ArcRule):
    """The dependent has one of the labels, whatever its head."""

    dependent: int
    label: str

    syntax: ClassVar[Syntax] = Syntax("require-label {dependent:number} {label}")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.dependent, "dependent", least=1)
        check_pattern(self.label, "label")

    @property
    def last_word(self) -> int:
        return self.dependent

    def broken_arcs(self, domain: Domain) -> NDArray[np.bool_]:
        broken = np.zeros(domain.shape, np.bool_)
        broken[:, domain.position(self.dependent)] = True
        broken[:, self.dependent, [*domain.labelled(self.label)]] = False
        return broken


@dataclass(frozen=True, repr=False)
class ForbidLabel(ArcRule):
    """The dependent (or, without one, every word) has none of the labels."""

    label: str
    dependent: int | None = None

    syntax: ClassVar[Syntax] = Syntax("forbid-label [{dependent:number}] {label}")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_pattern(self.label, "label")
        if self.dependent is not None:
            check_number(self.dependent, "dependent", least=1)

    @property
    def last_word(self) -> int:
        return self.dependent or 0

    def broken_arcs(self, domain: Domain) -> NDArray[np.bool_]:
        broken = np.zeros(domain.shape, np.bool_)
        dependents = (
            slice(None) if self.dependent is None else slice(domain.position(self.dependent), self.dependent + 1)
        )
        broken[:, dependents, [*domain.labelled(self.label)]] = True
        return broken


@dataclass(frozen=True, repr=False)
class Agreement(ArcRule):
    """Arcs with one of the labels (``*``: all arcs) join only words with fitting tags.

    >>> str(Agreement("nsubj*", head_not="PUNCT,ADP", dependent_is="NOUN,PROPN,PRON"))
    'nsubj* head-not PUNCT,ADP dependent-is NOUN,PROPN,PRON'
    """

    label: str
    head_is: str | None = None
    head_not: str | None = None
    dependent_is: str | None = None
    dependent_not: str | None = None
    column: str = DEFAULT_COLUMN  # where the tags stand

    syntax: ClassVar[Syntax] = Syntax(
        "{label} [head-is {head_is}] [head-not {head_not}] [dependent-is {dependent_is}]"
        " [dependent-not {dependent_not}] [in {column}]"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_pattern(self.label, "label")
        check_column(self.column)
        conditions = {name: getattr(self, name) for name in ("head_is", "head_not", "dependent_is", "dependent_not")}
        for name, pattern in conditions.items():
            check_pattern(pattern, name, optional=True)
        if all(pattern is None for pattern in conditions.values()):
            raise ConfigError(f"agreement of {self.label} needs a condition: {', '.join(conditions)}")

    def broken_arcs(self, domain: Domain) -> NDArray[np.bool_]:
        fits = np.outer(
            self._fitting(domain, self.head_is, self.head_not),
            self._fitting(domain, self.dependent_is, self.dependent_not),
        )
        broken = np.zeros(domain.shape, np.bool_)
        broken[:, :, [*domain.labelled(self.label)]] = ~fits[:, :, None]
        return broken

    def _fitting(self, domain: Domain, wanted: str | None, unwanted: str | None) -> NDArray[np.bool_]:
        fitting = domain.tagged(wanted, self.column)
        return fitting if unwanted is None else fitting & ~domain.tagged(unwanted, self.column)
