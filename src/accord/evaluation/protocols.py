# SPDX-License-Identifier: Apache-2.0
"""What evaluation asks of its input, and nothing more.

Any document whose sentences have words and surface tokens can be scored: the classes of ``accord.data``, or small
dataclasses of your own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeAlias


class WordLike(Protocol):
    """A syntactic word: one line of CoNLL-U with an integer id. Columns without a value hold ``_``."""

    @property
    def form(self) -> str: ...
    @property
    def lemma(self) -> str: ...
    @property
    def upos(self) -> str: ...
    @property
    def xpos(self) -> str: ...
    @property
    def feats(self) -> str: ...
    @property
    def head(self) -> int | None: ...
    @property
    def deprel(self) -> str: ...


class TokenLike(Protocol):
    """A surface token: the words ``first`` to ``last``, counted from 1, both included; equal for a plain word."""

    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...
    @property
    def form(self) -> str: ...


class SentenceLike(Protocol):
    """Words with a tree over them, and the surface tokens that cover the words from left to right."""

    @property
    def words(self) -> Sequence[WordLike]: ...
    @property
    def tokens(self) -> Sequence[TokenLike]: ...


DocumentLike: TypeAlias = Iterable[SentenceLike]
