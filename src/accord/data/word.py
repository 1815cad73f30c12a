# SPDX-License-Identifier: Apache-2.0
"""The rows of a sentence: words, multiword ranges and empty nodes, and the surface tokens they make. All immutable.

A missing value is "_" as in the file, except a missing head of a word, which is None.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from accord.data.elsewhere import WORD, Elsewhere
from accord.data.features import NO_FEATS, Feats, feats_of
from accord.errors import AccordError, FormatError, described

if TYPE_CHECKING:
    from accord.data.sentence import Sentence

Row: TypeAlias = Sequence[str]
"""The ten columns of a line, as text."""


def misc_value(misc: str, key: str) -> str | None:
    """The value of ``key`` among the entries of a MISC column; the last one where there are several.

    >>> misc_value("SpaceAfter=No|ArcConf=0.9871", "ArcConf")
    '0.9871'
    """
    return dict(entry.partition("=")[::2] for entry in misc.split("|")).get(key)


class _Bound(Elsewhere):
    """What knows the sentence it is part of. The sentence is no part of its value."""

    __slots__ = ("_sentence",)
    _elsewhere = WORD
    _sentence: Sentence

    @property
    def sentence(self) -> Sentence:
        """The sentence of this word; one that was made alone has none and raises AccordError."""
        try:
            return self._sentence
        except AttributeError:
            raise AccordError(f"{self!r} is in no sentence") from None


def enhanced_arcs(deps: str) -> list[tuple[str, str]]:
    """Heads and labels of a DEPS column.

    >>> enhanced_arcs("2:nsubj|5.1:conj:and>nsubj")
    [('2', 'nsubj'), ('5.1', 'conj:and>nsubj')]
    """
    if deps == "_":
        return []
    return [(head, label) for head, _, label in (entry.partition(":") for entry in deps.split("|"))]


@dataclass(frozen=True, slots=True)
class Word(_Bound):
    """A syntactic word: what trees are made of.

    A word of a sentence knows its neighbours in the tree:

    >>> from accord.data.sentence import Sentence
    >>> they, saw, her = Sentence.from_words(["They", "saw", "her"], heads=[2, 0, 2]).words
    >>> they.head_word.form, [word.form for word in saw.children], saw.start, saw.end
    ('saw', ['They', 'her'], 5, 8)
    >>> [word.form for word in they.path(her)]
    ['They', 'saw', 'her']
    """

    id: int  # 1..n
    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: Feats = NO_FEATS  # any text will do
    head: int | None = None  # 0 is the root; None is unknown
    deprel: str = "_"
    deps: str = "_"
    misc: str = "_"

    def __post_init__(self) -> None:
        if type(self.feats) is not Feats:
            object.__setattr__(self, "feats", feats_of(self.feats))

    def __reduce__(self) -> tuple[Any, ...]:
        return Word, (
            *(self.id, self.form, self.lemma, self.upos, self.xpos),
            *(str(self.feats), self.head, self.deprel, self.deps, self.misc),
        )

    @property
    def space_after(self) -> bool:
        return _space_after(self.misc)

    @property
    def start(self) -> int:
        """Where it begins in the text of its document, in characters; in that of its sentence where it has none."""
        return self.sentence.place(self.id)[0]

    @property
    def end(self) -> int:
        """Where it ends: the character behind its last one."""
        return self.sentence.place(self.id)[1]

    @property
    def head_word(self) -> Word | None:
        """The word it depends on; None for the root, and where the head is unknown."""
        return self.sentence.words[self.head - 1] if self.head else None

    @property
    def children(self) -> tuple[Word, ...]:
        """The words that depend on it, from left to right."""
        return self.sentence.children(self.id)

    @property
    def subtree(self) -> tuple[Word, ...]:
        """It and all words below it, from left to right."""
        found, waiting = {self.id: self}, [self]
        while waiting:
            for child in waiting.pop().children:
                if child.id not in found:
                    found[child.id] = child
                    waiting.append(child)
        return tuple(found[id] for id in sorted(found))

    @property
    def ancestors(self) -> tuple[Word, ...]:
        """Its head, the head of its head, and so on to the root."""
        found: list[Word] = []
        word = self.head_word
        while word is not None and word not in found:  # heads may be a cycle
            found.append(word)
            word = word.head_word
        return tuple(found)

    def path(self, other: Word) -> tuple[Word, ...]:
        """The words from this one up to the first common ancestor and down to another; empty where there is none.

        A word of another sentence is refused.
        """
        if other.sentence is not self.sentence and other.sentence != self.sentence:
            raise AccordError(f"a path is within one sentence: {self.form!r} and {other.form!r} are in two")
        up, down = (self, *self.ancestors), (other, *other.ancestors)
        below = {word.id: place for place, word in enumerate(down)}
        for place, word in enumerate(up):
            if word.id in below:
                return (*up[: place + 1], *reversed(down[: below[word.id]]))
        return ()

    def row(self) -> Row:
        head = "_" if self.head is None else str(self.head)
        return (
            *(str(self.id), self.form, self.lemma, self.upos, self.xpos),
            *(self.feats, head, self.deprel, self.deps, self.misc),
        )


def edited_word(word: Word, words: int, columns: Mapping[str, Any]) -> Word:
    """The word with other values in some columns, in a sentence of so many words. FormatError: a value fits no column.

    >>> edited_word(Word(1, "cats"), 3, {"head": 2, "feats": {"Number": "Plur"}}).row()
    ('1', 'cats', '_', '_', '_', 'Number=Plur', '2', '_', '_', '_')
    """
    return dataclasses.replace(word, **{name: _value(name, value, words) for name, value in columns.items()})


def _value(name: str, value: Any, words: int) -> Any:
    if name == "head":
        return None if value is None else _head(value, words)
    if name not in _TEXTS:
        raise FormatError(f"a word has no column {name!r} to edit; there are: head, {', '.join(_TEXTS)}")
    if name in ("feats", "misc") and isinstance(value, Mapping):
        value = "|".join(f"{key}={entry}" for key, entry in value.items()) or "_"
    if not isinstance(value, str):
        raise FormatError(f"{name} is {described(value)}, not a text; a missing value is '_'")
    if not value or any(mark in value for mark in "\t\n\r\0"):
        raise FormatError(f"{name} = {value!r}: a value is not empty and holds no tab, line end or NUL byte")
    return value


_TEXTS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")


def _head(value: Any, words: int) -> int:
    try:
        if isinstance(value, bool):
            raise TypeError
        head = operator.index(value)
    except TypeError:
        raise FormatError(f"head is {described(value)}, not the number of a word, 0 or None") from None
    if not 0 <= head <= words:
        raise FormatError(f"head {head} is out of range 0..{words}")
    return head


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
class Token(_Bound):
    """A surface token: a word that stands for itself, or a range of words written as one."""

    form: str
    words: tuple[int, ...]  # ids
    misc: str

    def __reduce__(self) -> tuple[Any, ...]:
        return Token, (self.form, self.words, self.misc)

    @property
    def start(self) -> int:
        """Where it begins in the text of its document, in characters."""
        return self.sentence.token_place(self.first)[0]

    @property
    def end(self) -> int:
        """Where it ends: the character behind its last one."""
        return self.sentence.token_place(self.first)[1]

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
