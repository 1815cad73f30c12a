# SPDX-License-Identifier: Apache-2.0
"""How sentences and documents hold constituents.

In CoNLL-U the tree is a comment with the numbers of words as leaves, ``# constituents = (S (NP (PRP 1)) ...)``, which
holds everything. Or each word has a piece of the tree in MISC, as in the CoNLL-2005 and 2012 files:
``Constituents=(S(NP*)``. There the tags are those of XPOS, and empty elements are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from accord.data.constituents.brackets import BracketedSentence, MissingTree, leaf_of_word, read_brackets
from accord.data.constituents.shapes import TreeBuilder, without_empties
from accord.data.constituents.tree import Constituents
from accord.data.word import misc_value
from accord.errors import ConfigError, FormatError

if TYPE_CHECKING:
    from accord.data.document import Document
    from accord.data.sentence import Sentence

COMMENT = "constituents"
MISC = "Constituents"
Carrier = Literal["comment", "misc"]

_PIECE = re.compile(r"\(([^()*]*)|\*|\)")


def constituents_of(sentence: Sentence) -> Constituents | None:
    """The tree that a sentence holds, or None; one that does not fit its words raises FormatError."""
    written = sentence.comment(COMMENT)
    if written is not None:
        found = list(read_brackets(written, file="constituents", numbered=True))
        if len(found) != 1 or isinstance(found[0], MissingTree):
            raise FormatError("the comment 'constituents' is not one tree", line=sentence.line)
        tree = found[0].tree
    else:
        pieces = [misc_value(word.misc, MISC) for word in sentence.words]
        known = [piece for piece in pieces if piece is not None]
        if not known:
            return None
        if len(known) != len(pieces):
            raise FormatError(f"some words have {MISC} in MISC and others have not", line=sentence.line)
        tree = _joined(known, [leaf_of_word(word.xpos) for word in sentence.words], sentence.line)
    if tree.words != len(sentence.words):
        raise FormatError(f"constituents over {tree.words} words, and {len(sentence.words)} words", line=sentence.line)
    return tree


def word_tags(sentence: Sentence) -> list[str]:
    """The tags that stand over the words of a tree: XPOS, else UPOS, else X; brackets as in the Penn Treebank."""
    return [leaf_of_word(next((tag for tag in (word.xpos, word.upos) if tag != "_"), "X")) for word in sentence.words]


def with_constituents(
    document: Document, trees: Sequence[Constituents | None], carrier: Carrier = "comment"
) -> Document:
    """The document with a tree for each sentence; None leaves a sentence as it is."""
    if carrier not in ("comment", "misc"):
        raise ConfigError(f"carrier = {carrier!r}: expected comment or misc")
    lengths = document.lengths
    if len(trees) != len(document):
        raise FormatError(f"{len(trees)} trees for {len(document)} sentences", file=document.name)
    for tree, length in zip(trees, lengths, strict=True):
        if tree is not None and tree.words != length:
            raise FormatError(f"constituents over {tree.words} words, and {length} words", file=document.name)
    if carrier == "comment":
        return document.with_comments(COMMENT, [None if tree is None else tree.brackets() for tree in trees])
    entries: list[dict[str, str]] = []
    for tree, length in zip(trees, lengths, strict=True):
        full = None if tree is None else without_empties(tree)
        entries += [{}] * int(length) if full is None else [{MISC: piece} for piece in _pieces(full)]
    return document.replace(misc=entries)


def document_from_trees(
    trees: Sequence[BracketedSentence], *, name: str = "<brackets>", problems: Sequence[FormatError] = ()
) -> Document:
    """The document of bracketed sentences: forms, XPOS by the tags, and the trees."""
    from accord.data.document import Document

    blocks = []
    for tree, forms, line in trees:
        if not forms:
            raise FormatError("the tree has no words", file=name, line=line)
        rows = (
            f"{number}\t{form}\t_\t_\t{tag}\t_\t_\t_\t_\t_\n"
            for number, (form, tag) in enumerate(zip(forms, tree.tags, strict=True), start=1)
        )
        blocks.append(f"# {COMMENT} = {tree.brackets()}\n{''.join(rows)}\n")
    return Document("".join(blocks).encode("utf-8"), name=name, left_out=problems)


def document_from_brackets(data: bytes, *, name: str, first_line: int = 1, keep_going: bool = False) -> Document:
    """The document of a file in brackets; ``keep_going`` leaves out what is no tree, as a problem of the document."""
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + data[: error.start].count(b"\n")
        raise FormatError(f"not UTF-8 ({error.reason})", file=name, line=line) from None
    try:
        return document_from_trees(_trees(text, name, first_line), name=name)
    except FormatError:
        if not keep_going:
            raise
    found: list[BracketedSentence] = []
    problems: list[FormatError] = []
    for piece in re.split(r"^(?=\()", text, flags=re.MULTILINE):  # trees begin a line in every treebank
        try:
            found += _trees(piece, name, first_line)
        except FormatError as error:
            problems.append(error)
        first_line += piece.count("\n")
    return document_from_trees(found, name=name, problems=problems)


def _trees(text: str, name: str, first_line: int) -> list[BracketedSentence]:
    found = []
    for one in read_brackets(text, file=name, first_line=first_line):
        if isinstance(one, MissingTree) or not one.forms:
            raise FormatError("the tree has no words", file=name, line=one.line)
        found.append(one)
    return found


def document_to_brackets(document: Document) -> bytes:
    """One tree a line; a sentence without constituents raises FormatError."""
    lines = []
    for sentence in document.sentences:
        if sentence.verbatim is not None:
            continue
        tree = constituents_of(sentence)
        if tree is None:
            raise FormatError("the sentence has no constituents", file=document.name, line=sentence.line)
        lines.append(tree.brackets(sentence.forms) + "\n")
    return "".join(lines).encode("utf-8", errors="surrogateescape")


def _pieces(tree: Constituents) -> list[str]:
    """What each word says of the tree: the phrases that begin before it, and those that end after it."""
    opened = [""] * tree.words
    closed = [0] * tree.words
    for phrase in tree.phrases:
        opened[phrase.begin] += "(" + phrase.label.replace("|", "\\p")
        closed[phrase.end - 1] += 1
    return [f"{before}*{')' * after}" for before, after in zip(opened, closed, strict=True)]


def _joined(pieces: Sequence[str], tags: Sequence[str], line: int | None) -> Constituents:
    built = TreeBuilder()
    open_nodes: list[int] = []
    ended = False
    for word, (piece, tag) in enumerate(zip(pieces, tags, strict=True), start=1):
        tokens = list(_PIECE.finditer(piece))
        stars = sum(token.group() == "*" for token in tokens)
        if "".join(token.group() for token in tokens) != piece or stars != 1:
            raise FormatError(f"word {word}: {MISC}={piece} is no piece of a tree", line=line)
        for token in tokens:
            if token.group() == ")":
                if not open_nodes:
                    raise FormatError(f"word {word}: a closing bracket without an opening one", line=line)
                open_nodes.pop()
                ended = not open_nodes
                continue
            if ended:
                raise FormatError(f"word {word}: the tree has ended before it", line=line)
            above = open_nodes[-1] if open_nodes else -1
            if token.group() == "*":
                built.add(tag, above, word)
                ended = not open_nodes
            else:
                open_nodes.append(built.add(token.group(1).replace("\\p", "|"), above))
    if open_nodes:
        raise FormatError(f"{len(open_nodes)} brackets of {MISC} are not closed", line=line)
    return built.tree()
