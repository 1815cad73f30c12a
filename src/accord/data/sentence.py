# SPDX-License-Identifier: Apache-2.0
"""Sentence: columns of words, immutable, with everything else a CoNLL-U block can hold.

A missing value is "_" as in the file, except a missing head, which is None. Rows come in one order only: the range a-b
directly before word a, empty nodes i.1, i.2, ... after word i; so a sentence has exactly one CoNLL-U text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from accord.data.native import FormatProblem, NativeDocument, tree_problem
from accord.data.word import EmptyNode, Range, Row, Token, Word
from accord.errors import FormatError

if TYPE_CHECKING:
    from accord.data.constituents import Constituents

_STRUCTURAL = ("\n", "\r", "\0")


Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, repr=False)
class Sentence:
    """Words and what goes with them.

    >>> sentence = Sentence.from_words(["They", "sleep"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> sentence
    Sentence('They sleep', 2 words)
    >>> sentence.problem() is None
    True
    """

    words: tuple[Word, ...]
    comments: tuple[str, ...] = ()  # whole lines, '#' included
    ranges: tuple[Range, ...] = ()
    empty_nodes: tuple[EmptyNode, ...] = ()
    verbatim: str | None = None  # the lines of a sentence that could not be read; then it has no words
    line: int | None = field(default=None, compare=False)  # of its first line, where it was read from a file

    @classmethod
    def from_words(
        cls,
        forms: Sequence[str],
        *,
        lemmas: Sequence[str] | None = None,
        upos: Sequence[str] | None = None,
        xpos: Sequence[str] | None = None,
        feats: Sequence[str] | None = None,
        heads: Sequence[int | None] | None = None,
        deprels: Sequence[str] | None = None,
        misc: Sequence[str] | None = None,
        comments: Sequence[str] = (),
    ) -> Sentence:
        """A sentence from columns of equal length; a column left out is missing everywhere."""
        count = len(forms)
        columns = zip(
            *(forms, _column(lemmas, count, "lemmas"), _column(upos, count, "upos"), _column(xpos, count, "xpos")),
            *(_column(feats, count, "feats"), _column(deprels, count, "deprels"), _column(misc, count, "misc")),
            strict=True,
        )
        governors = [None] * count if heads is None else _of_length(heads, count, "heads")
        words = tuple(
            Word(i, form, lemma, upos_, xpos_, feats_, None if head is None else int(head), deprel, "_", misc_)
            for i, ((form, lemma, upos_, xpos_, feats_, deprel, misc_), head) in enumerate(
                zip(columns, governors, strict=True), start=1
            )
        )
        sentence = cls(words, tuple(comments))
        sentence.check()
        return sentence

    @property
    def forms(self) -> tuple[str, ...]:
        return tuple(word.form for word in self.words)

    @property
    def heads(self) -> tuple[int | None, ...]:
        return tuple(word.head for word in self.words)

    @property
    def deprels(self) -> tuple[str, ...]:
        return tuple(word.deprel for word in self.words)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """What stands on the surface, from left to right."""
        tokens: list[Token] = []
        covered = 0
        starts = {range_.first: range_ for range_ in self.ranges}
        for word in self.words:
            if range_ := starts.get(word.id):
                tokens.append(Token(range_.form, tuple(range(range_.first, range_.last + 1)), range_.misc))
                covered = range_.last
            elif word.id > covered:
                tokens.append(Token(word.form, (word.id,), word.misc))
        return tuple(tokens)

    @property
    def sent_id(self) -> str | None:
        return self.comment("sent_id")

    @property
    def text(self) -> str:
        """The comment `# text = ...`, or the tokens joined as SpaceAfter=No says."""
        given = self.comment("text")
        if given is not None:
            return given
        pieces = (piece for token in self.tokens for piece in (token.form, " " if token.space_after else ""))
        return "".join(pieces).rstrip(" ")

    def comment(self, key: str) -> str | None:
        """The value of the first comment `# key = value`."""
        for line in self.comments:
            name, equals, value = line[1:].partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return None

    @property
    def constituents(self) -> Constituents | None:
        """The tree of phrases that the sentence holds in a comment or in MISC, or None."""
        from accord.data.constituents.carriers import constituents_of  # few sentences have one

        return constituents_of(self)

    def check(self) -> None:
        """Raise FormatError unless a file could hold the sentence: its values, ids and heads."""
        try:
            NativeDocument.parse(encode_text(self.to_conllu()), "conllu")
        except FormatProblem as problem:
            line, reason = problem.args
            raise FormatError(f"row {line - len(self.comments)} of a sentence: {reason}") from None
        if not self.words:
            raise FormatError("a sentence needs a word")

    def problem(self, *, single_root: bool = True, complete: bool = True) -> str | None:
        """Why the heads are not a tree, or None: a cycle, several roots, a word whose head is unknown.

        `single_root=False` lets several words hang from the root; `complete=False` lets heads be unknown.
        """
        if self.verbatim is not None:
            return "the sentence could not be read"
        for word in self.words:
            if word.head is not None and not 0 <= word.head <= len(self.words):
                return f"word {word.id}: HEAD {word.head} is out of range 0..{len(self.words)}"
        heads = np.array([-1 if head is None else head for head in self.heads], dtype=np.int32)
        found: tuple[int, str] | None = tree_problem(heads, single_root, complete)
        return None if found is None else found[1]

    def rows(self) -> Iterator[Word | Range | EmptyNode]:
        """Words, ranges and empty nodes in the order of the file."""
        starts = {range_.first: range_ for range_ in self.ranges}
        nodes = defaultdict(list)
        for node in self.empty_nodes:
            nodes[node.word].append(node)
        yield from nodes[0]
        for word in self.words:
            if range_ := starts.get(word.id):
                yield range_
            yield word
            yield from nodes[word.id]

    def to_conllu(self) -> str:
        """The one CoNLL-U text of this sentence, with its blank line."""
        if self.verbatim is not None:
            return self.verbatim.rstrip("\r\n") + "\n\n"
        rows = [row.row() for row in self.rows()]
        if len(rows) != len(self.words) + len(self.ranges) + len(self.empty_nodes):
            raise FormatError("a range or an empty node belongs to no word of its sentence")
        lines = ["\t".join(row) for row in rows]
        for line in lines:
            if line.count("\t") != 9:
                raise FormatError(f"a value holds a tab: {line!r}")
        for comment in self.comments:
            if not comment.startswith("#"):
                raise FormatError(f"a comment begins with '#': {comment!r}")
        for line in (*self.comments, *lines):
            if any(mark in line for mark in _STRUCTURAL):
                raise FormatError(f"a value holds a line end or a NUL byte: {line!r}")
        return "\n".join((*self.comments, *lines, "", ""))

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    def __repr__(self) -> str:
        if self.verbatim is not None:
            return f"Sentence(could not be read, line {self.line})"
        text = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        name = "" if self.sent_id is None else f", sent_id={self.sent_id!r}"
        return f"Sentence({text!r}, {len(self.words)} words{name})"


def encode_text(text: str, errors: str = "surrogateescape") -> bytes:
    """UTF-8; by default with the bytes of a sentence that could not be read put back as they were."""
    try:
        return text.encode("utf-8", errors)
    except UnicodeEncodeError as error:
        raise FormatError(f"a value holds half a surrogate pair: {error.object[error.start]!r}") from None


def sentence_from_rows(rows: Sequence[Row], comments: Sequence[str], line: int | None) -> Sentence:
    """A sentence from rows whose form has been checked."""
    words: list[Word] = []
    ranges: list[Range] = []
    nodes: list[EmptyNode] = []
    for id_, form, lemma, upos, xpos, feats, head, deprel, deps, misc in rows:
        if "-" in id_:
            first, last = id_.split("-")
            ranges.append(Range(int(first), int(last), form, lemma, upos, xpos, feats, head, deprel, deps, misc))
        elif "." in id_:
            word, index = id_.split(".")
            nodes.append(EmptyNode(int(word), int(index), form, lemma, upos, xpos, feats, head, deprel, deps, misc))
        else:
            known = None if head == "_" else int(head)
            words.append(Word(int(id_), form, lemma, upos, xpos, feats, known, deprel, deps, misc))
    return Sentence(tuple(words), tuple(comments), tuple(ranges), tuple(nodes), None, line)


def _column(values: Sequence[str] | None, count: int, name: str) -> Sequence[str]:
    return ["_"] * count if values is None else _of_length(values, count, name)


def _of_length(values: Sequence[Value], count: int, name: str) -> Sequence[Value]:
    if len(values) != count:
        raise FormatError(f"{len(values)} {name} for {count} words")
    return values
