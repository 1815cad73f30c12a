# SPDX-License-Identifier: Apache-2.0
"""The rows of a sentence: words, multiword ranges and empty nodes, and the surface tokens they make. All immutable.

A missing value is "_" as in the file, except a missing head of a word, which is None.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

Row: TypeAlias = Sequence[str]
"""The ten columns of a line, as text."""


def misc_value(misc: str, key: str) -> str | None:
    """The value of ``key`` among the entries of a MISC column; the last one where there are several.

    >>> misc_value("SpaceAfter=No|ArcConf=0.9871", "ArcConf")
    '0.9871'
    """
    return dict(entry.partition("=")[::2] for entry in misc.split("|")).get(key)


@dataclass(frozen=True, slots=True)
class Word:
    """A syntactic word: what trees are made of.

    >>> Word(1, "saw", lemma="see", head=0).lemma
    'see'
    """

    id: int  # 1..n
    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    head: int | None = None  # 0 is the root; None is unknown
    deprel: str = "_"
    deps: str = "_"
    misc: str = "_"

    @property
    def space_after(self) -> bool:
        return _space_after(self.misc)

    def row(self) -> Row:
        head = "_" if self.head is None else str(self.head)
        return (
            *(str(self.id), self.form, self.lemma, self.upos, self.xpos),
            *(self.feats, head, self.deprel, self.deps, self.misc),
        )


@dataclass(frozen=True)
class _Stretch:
    """The numbers of a range. They stand in a base of their own, so that they come before the columns."""

    __slots__ = ()
    first: int
    last: int


@dataclass(frozen=True)
class _Place:
    """The numbers of an empty node."""

    __slots__ = ()
    word: int
    index: int


@dataclass(frozen=True)
class _Columns:
    """The columns of a row that is no word: text, kept as it is."""

    __slots__ = ()
    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    head: str = "_"
    deprel: str = "_"
    deps: str = "_"
    misc: str = "_"

    @property
    def id(self) -> str:
        raise NotImplementedError

    def row(self) -> Row:
        return (
            *(self.id, self.form, self.lemma, self.upos, self.xpos),
            *(self.feats, self.head, self.deprel, self.deps, self.misc),
        )


@dataclass(frozen=True, slots=True)
class Range(_Columns, _Stretch):
    """A multiword token: one form on the surface, words first..last beneath. Its other columns are kept as they are."""

    @property
    def id(self) -> str:
        return f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class EmptyNode(_Columns, _Place):
    """A node of the enhanced graph without a surface: number `index` of those after word `word`."""

    @property
    def id(self) -> str:
        return f"{self.word}.{self.index}"


@dataclass(frozen=True, slots=True)
class Token:
    """A surface token: a word that stands for itself, or a range of words written as one."""

    form: str
    words: tuple[int, ...]  # ids
    misc: str

    @property
    def first(self) -> int:
        return self.words[0]

    @property
    def last(self) -> int:
        return self.words[-1]

    @property
    def space_after(self) -> bool:
        return _space_after(self.misc)


def _space_after(misc: str) -> bool:
    return "SpaceAfter=No" not in misc.split("|")
