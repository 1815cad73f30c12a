# SPDX-License-Identifier: Apache-2.0
"""Sentence: columns of words, immutable, with everything else a CoNLL-U block can hold.

A missing value is "_" as in the file, except a missing head, which is None. Rows come in one order only: the range a-b
directly before word a, empty nodes i.1, i.2, ... after word i; so a sentence has exactly one CoNLL-U text.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

from accord.data.elsewhere import SENTENCE, Elsewhere
from accord.data.features import feats_of
from accord.data.native import FormatProblem, NativeDocument, tree_problem
from accord.data.spacing import Spacing, token_places, word_places
from accord.data.word import EmptyNode, Range, Row, Token, Word, edited_word
from accord.errors import FormatError

if TYPE_CHECKING:
    from accord.data.constituents import Constituents

_STRUCTURAL = ("\n", "\r", "\0")


Value = TypeVar("Value")


class _Derived(Elsewhere):
    """What is made from a sentence when it is asked for, and where its document puts it."""

    _elsewhere = SENTENCE
    __slots__ = ("_begin", "_children", "_places")
    _begin: Callable[[], int]
    _children: list[list[Word]]
    _places: tuple[dict[int, tuple[int, int]], dict[int, tuple[int, int]]]


@dataclass(frozen=True, slots=True, repr=False)
class Sentence(_Derived):
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

    def __post_init__(self) -> None:
        """Words know their sentence. A word that is part of another one stays there, and this one gets its copy."""
        if any(hasattr(word, "_sentence") for word in self.words):
            object.__setattr__(self, "words", tuple(dataclasses.replace(word) for word in self.words))
        for word in self.words:
            object.__setattr__(word, "_sentence", self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _whole, (
            *(self.words, self.comments, self.ranges, self.empty_nodes, self.verbatim, self.line),
            self.start if self.words else 0,
        )

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
            Word(
                i, form, lemma, upos_, xpos_, feats_of(feats_), None if head is None else int(head), deprel, "_", misc_
            )
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
        for token in tokens:
            object.__setattr__(token, "_sentence", self)
        return tuple(tokens)

    @property
    def root(self) -> Word | None:
        """The first word whose head is the root."""
        return next((word for word in self.words if word.head == 0), None)

    def children(self, id: int) -> tuple[Word, ...]:
        """The words whose head is the word of this number (0: the root), from left to right."""
        if not hasattr(self, "_children"):
            lists: list[list[Word]] = [[] for _ in range(len(self.words) + 1)]
            for word in self.words:
                if word.head is not None and 0 <= word.head <= len(self.words):
                    lists[word.head].append(word)
            object.__setattr__(self, "_children", lists)
        return tuple(self._children[id])

    @property
    def start(self) -> int:
        """Where its first token begins in the text of its document; 0 for a sentence that was made alone."""
        return self.token_place(1)[0]

    @property
    def end(self) -> int:
        """Where its last token ends."""
        return self.token_place(self.tokens[-1].first)[1]

    def place(self, id: int) -> tuple[int, int]:
        """Begin and end of a word in the text of its document, in characters."""
        return self._moved(self._found_places()[0][id])

    def token_place(self, first: int) -> tuple[int, int]:
        """Begin and end of the token whose first word has this number."""
        return self._moved(self._found_places()[1][first])

    def _moved(self, place: tuple[int, int]) -> tuple[int, int]:
        begin = self._begin() if hasattr(self, "_begin") else 0
        return place[0] + begin, place[1] + begin

    def _found_places(self) -> tuple[dict[int, tuple[int, int]], dict[int, tuple[int, int]]]:
        if not hasattr(self, "_places"):
            tokens = self.tokens
            spacings = [Spacing.of(token.form, token.misc) for token in tokens]
            words: dict[int, tuple[int, int]] = {}
            firsts: dict[int, tuple[int, int]] = {}
            for token, spacing, found in zip(tokens, spacings, token_places(spacings)[0], strict=True):
                forms = [self.words[id - 1].form for id in token.words]
                words |= zip(token.words, word_places(spacing.surface, forms, found[0]), strict=True)
                firsts[token.first] = found
            object.__setattr__(self, "_places", (words, firsts))
        return self._places

    def edited(self, id: int, **columns: Any) -> Sentence:
        """The sentence with other values for one word: ``sentence.edited(3, head=2, deprel="obj")``.

        Features and MISC may be mappings.

        >>> sentence = Sentence.from_words(["They", "sleep"], heads=[2, 0], deprels=["nsubj", "root"])
        >>> sentence.edited(1, deprel="expl").deprels, sentence.deprels
        (('expl', 'root'), ('nsubj', 'root'))
        """
        if not 1 <= id <= len(self.words):
            raise FormatError(f"there is no word {id}: the sentence has {len(self.words)}")
        new = edited_word(self.words[id - 1], len(self.words), columns)
        return dataclasses.replace(self, words=(*self.words[: id - 1], new, *self.words[id:]))

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it: see docs/formats.md."""
        from accord.data.jsonlines import sentence_to_dict

        return sentence_to_dict(self)

    @staticmethod
    def from_dict(members: Mapping[str, Any]) -> Sentence:
        """The sentence of `to_dict`."""
        from accord.data.jsonlines import sentence_from_dict

        return sentence_from_dict(members)

    def to_networkx(self) -> Any:
        """The tree as a directed graph of networkx: words by number with their columns, edges from heads."""
        from accord.data.exchange import sentence_to_networkx

        return sentence_to_networkx(self)

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

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Word, ...]: ...
    def __getitem__(self, index: int | slice) -> Word | tuple[Word, ...]:
        """Words from 0, as in a list; numbers of words (ids) count from 1."""
        return self.words[index]

    def _repr_html_(self) -> str:
        """What a notebook shows of a sentence: its tree."""
        from accord.drawing.sentences import draw_document  # drawings know sentences, and only notebooks ask here

        return draw_document([self], self.sent_id or "sentence")

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
            words.append(Word(int(id_), form, lemma, upos, xpos, feats_of(feats), known, deprel, deps, misc))
    return _of_new_words((tuple(words), tuple(comments), tuple(ranges), tuple(nodes), None, line))


def _of_new_words(values: tuple[Any, ...]) -> Sentence:
    """The sentence of these fields, whose words are part of no other: nobody needs to look."""
    sentence = object.__new__(Sentence)
    for name, value in zip(_FIELDS, values, strict=True):
        object.__setattr__(sentence, name, value)
    for word in sentence.words:
        object.__setattr__(word, "_sentence", sentence)
    return sentence


_FIELDS = tuple(one.name for one in dataclasses.fields(Sentence))


def _whole(
    words: tuple[Word, ...],
    comments: tuple[str, ...],
    ranges: tuple[Range, ...],
    empty_nodes: tuple[EmptyNode, ...],
    verbatim: str | None,
    line: int | None,
    start: int,
) -> Sentence:
    """A sentence that was pickled, at its place."""
    sentence = Sentence(words, comments, ranges, empty_nodes, verbatim, line)
    if start:
        begin = start - sentence.start
        object.__setattr__(sentence, "_begin", lambda: begin)
    return sentence


def _column(values: Sequence[str] | None, count: int, name: str) -> Sequence[str]:
    return ["_"] * count if values is None else _of_length(values, count, name)


def _of_length(values: Sequence[Value], count: int, name: str) -> Sequence[Value]:
    if len(values) != count:
        raise FormatError(f"{len(values)} {name} for {count} words")
    return values
