# SPDX-License-Identifier: Apache-2.0
"""Penn Treebank brackets: ``( (S (NP-SBJ (PRP They)) (VP (VBD left)) (. .)))``.

After an opening bracket stands a label, which may be missing (the outer bracket of the treebank), then the children. A
child is a constituent or, in a preterminal, one word. Round brackets in words are written ``-LRB-`` and ``-RRB-``; all
other words and all labels are kept as they stand. Words under ``-NONE-`` are empty elements. Reading and writing keep
everything but white space. Time is linear in the size of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from accord.data.constituents.labels import EMPTY_TAG
from accord.data.constituents.tree import Constituents, Leaf
from accord.errors import FormatError

_TOKEN = re.compile(r"[()]|[^\s()]+")


class BracketedSentence(NamedTuple):
    """A tree, the forms of its words, and the line where it begins."""

    tree: Constituents
    forms: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class MissingTree:
    """Brackets without a word: what parsers write where they found no tree."""

    line: int


def word_of_leaf(text: str) -> str:
    """The form of a word in brackets.

    >>> word_of_leaf("-LRB-"), word_of_leaf("Spouse-LRB-s-RRB-")
    ('(', 'Spouse(s)')
    """
    return text.replace("-LRB-", "(").replace("-RRB-", ")") if "RB-" in text else text


def leaf_of_word(form: str) -> str:
    """A form as brackets can hold it; white space inside, which they cannot hold, becomes ``_``.

    >>> leaf_of_word(":)"), leaf_of_word("10 000")
    (':-RRB-', '10_000')
    """
    return "_".join(form.replace("(", "-LRB-").replace(")", "-RRB-").split()) or "_"


def single_tree(text: str, *, file: str = "<brackets>") -> BracketedSentence:
    """The one tree of a text."""
    found = list(read_brackets(text, file=file))
    if len(found) != 1 or isinstance(found[0], MissingTree):
        raise FormatError(f"one tree is expected, not {len(found)}", file=file)
    return found[0]


def read_brackets(
    text: str, *, file: str = "<brackets>", first_line: int = 1, numbered: bool = False
) -> Iterator[BracketedSentence | MissingTree]:
    """The trees of a text, one after another; what is no tree raises FormatError with its line.

    ``numbered``: leaves are numbers of words, as in comments of CoNLL-U.
    """
    ends = [found.start() for found in re.finditer("\n", text)]
    reader = _Reader(numbered)
    for token in _TOKEN.finditer(text):
        try:
            closed = reader.take(token.group(), token.start())
        except _TokenError as defect:
            raise FormatError(str(defect), file=file, line=first_line + bisect_right(ends, token.start())) from None
        if closed:
            line = first_line + bisect_right(ends, reader.start)
            try:
                yield reader.finished(line)
            except FormatError as error:
                raise FormatError(error.reason, file=file, line=line) from None
    if reader.depth:
        line = first_line + bisect_right(ends, reader.start)
        count = "a bracket of this tree is" if reader.depth == 1 else f"{reader.depth} brackets of this tree are"
        raise FormatError(f"{count} not closed", file=file, line=line)


class _TokenError(Exception):
    """Why the next token cannot stand where it stands."""


class _Reader:
    """The tree that is being read."""

    def __init__(self, numbered: bool) -> None:
        self._numbered = numbered
        self._begin(0)

    def _begin(self, start: int) -> None:
        self.start = start
        self._labels: list[str] = []
        self._parents: list[int] = []
        self._leaves: list[Leaf] = []
        self._forms: list[str] = []
        self._open: list[int] = []
        self._label_may_follow = False

    @property
    def depth(self) -> int:
        return len(self._open)

    def take(self, token: str, place: int) -> bool:
        """Read one token; True where it ends a tree."""
        if token == "(":
            self._open_node(place)
        elif token == ")":
            if not self._open:
                raise _TokenError("a closing bracket without an opening one")
            self._open.pop()
            self._label_may_follow = False
            return not self._open
        elif not self._open:
            raise _TokenError(f"{token!r} stands outside of brackets")
        elif self._label_may_follow:
            self._labels[-1] = token
            self._label_may_follow = False
        else:
            self._add_leaf(token)
        return False

    def _open_node(self, place: int) -> None:
        if not self._open:
            self._begin(place)
        elif self._leaves[self._open[-1]] is not None:
            raise _TokenError(
                f"a constituent beside the word {self._text(self._open[-1])!r}: words have tags of their own"
            )
        self._labels.append("")
        self._parents.append(self._open[-1] if self._open else -1)
        self._leaves.append(None)
        self._open.append(len(self._labels) - 1)
        self._label_may_follow = True

    def _add_leaf(self, token: str) -> None:
        node = self._open[-1]
        if node != len(self._labels) - 1 or self._leaves[node] is not None:
            raise _TokenError(f"the word {token!r} has no tag of its own")
        if self._labels[node] == EMPTY_TAG:
            self._leaves[node] = token
        elif self._numbered:
            if not token.isdecimal() or len(token) > 18:
                raise _TokenError(f"{token!r} is not the number of a word")
            self._leaves[node] = int(token)
            self._forms.append("")
        else:
            self._forms.append(word_of_leaf(token))
            self._leaves[node] = len(self._forms)

    def _text(self, node: int) -> str:
        leaf = self._leaves[node]
        return self._forms[-1] if isinstance(leaf, int) else str(leaf)

    def finished(self, line: int) -> BracketedSentence | MissingTree:
        if not any(self._labels) and all(leaf is None for leaf in self._leaves):
            return MissingTree(line)
        tree = Constituents(tuple(self._labels), tuple(self._parents), tuple(self._leaves))
        return BracketedSentence(tree, tuple(self._forms), line)


def bracket_text(tree: Constituents, forms: Sequence[str] | None, *, indent: int | None = None) -> str:
    """A tree in brackets, in one line or, with ``indent``, a line for each phrase."""
    if forms is not None and len(forms) != tree.words:
        raise FormatError(f"{len(forms)} words for a tree over {tree.words}", file="<constituents>")
    pieces: list[str] = []
    depths: list[int] = []
    for node, (label, parent, leaf) in enumerate(zip(tree.labels, tree.parents, tree.leaves, strict=True)):
        depth = depths[parent] + 1 if parent >= 0 else 0
        if node:
            pieces.append(")" * (depths[node - 1] - depth + 1 if depths[node - 1] >= depth else 0))
            pieces.append(" " if indent is None or leaf is not None else "\n" + " " * (indent * depth))
        depths.append(depth)
        pieces.append(f"({label}")
        if isinstance(leaf, int):
            pieces.append(f" {leaf if forms is None else leaf_of_word(forms[leaf - 1])}")
        elif leaf is not None:
            pieces.append(f" {leaf}")
    return "".join(pieces) + ")" * (depths[-1] + 1)
