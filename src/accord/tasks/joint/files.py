# SPDX-License-Identifier: Apache-2.0
"""Files of joint models: words in columns with labelled spans, or tagged words in CoNLL-U seen as characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from accord import data
from accord.data import Document
from accord.data.columns import Sequences, read_columns
from accord.data.files import Source, open_input
from accord.errors import ConfigError
from accord.tasks.joint.layers import OUTSIDE, Segment
from accord.tasks.joint.model import JointLabeller
from accord.tasks.joint.segments import segments_of_labels, segments_of_words


@dataclass(frozen=True)
class Corpus:
    """Sequences and their segments: ``elements`` is a document of words, or texts of characters."""

    elements: Document | list[str]
    segments: list[list[Segment]]
    name: str = "<corpus>"  # for messages
    columns: list[list[str]] = field(default_factory=list)  # labels of models of columns, of all words

    @property
    def lengths(self) -> list[int]:
        """Elements of each sequence."""
        if isinstance(self.elements, Document):
            return [int(length) for length in self.elements.lengths]
        return [len(text) for text in self.elements]


def read_corpus(path: str | Path) -> Corpus:
    """Segments to learn from: of words where the file has columns, of characters where it is CoNLL-U.

    Column files: the word first, its part of speech second where there are three columns or more, its label last.
    CoNLL-U: the characters of each sentence, without blanks; its words are the segments, their UPOS the types.
    """
    if is_conllu(path):
        return _read_words(data.read(path))
    read = read_columns(str(path), tag=1 if columns_of(path) > 2 else None)
    segments = segments_of_labels(read.labels, read.document.lengths.tolist())
    return Corpus(read.document, segments, name=str(path))


def read_label_columns(path: str | Path, count: int) -> Corpus:
    """Words and their last ``count`` columns of labels; a second column before those is their part of speech."""
    if str(path) == "-":
        raise ConfigError("columns of labels are read from a file, not from standard input")
    if is_conllu(path):
        raise ConfigError(f"{path}: columns of labels are read from files with one word in each line, not from CoNLL-U")
    tag = 1 if columns_of(path) > count + 1 else None
    parts = [read_columns(str(path), tag=tag, label=number - count) for number in range(count)]
    return Corpus(parts[0].document, [], name=str(path), columns=[part.labels for part in parts])


def columns_of(path: str | Path) -> int:
    """How many columns the first row of a file has."""
    with open_input(str(path)) as file:
        for line in file:
            if line.strip():
                return len(line.split(b"\t") if b"\t" in line else line.split())
    return 0


def conllu_of_segments(
    text: str, segments: Sequence[Segment], comments: Sequence[str] = (), misc: Sequence[str] | None = None
) -> str:
    """A text as a sentence of CoNLL-U: its segments are words, their types UPOS. ``misc``: more entries of each."""
    more = [""] * len(segments) if misc is None else [f"|{entry}" for entry in misc]
    rows = [
        f"{n}\t{text[s.start : s.end]}\t_\t{s.type}\t_\t_\t_\t_\t_\tSpaceAfter=No{entry}"
        for n, (s, entry) in enumerate(zip(segments, more, strict=True), 1)
    ]
    return "\n".join([*comments, f"# text = {text}", *rows, "", ""])


def with_columns(read: Sequences, added: Sequence[Sequence[str]]) -> bytes:
    """The lines of a file with new columns, one row a word."""
    width = len(added[0]) if added else 1
    lines = [
        line if not line.strip(" \t") or line[0] == "#" else read.separator.join([line, "O", *["_"] * (width - 1)])
        for line in read.lines
    ]
    for index, values in zip(read.word_lines, added, strict=True):
        lines[index] = read.separator.join([read.lines[index], *values])
    return "".join(line + "\n" for line in lines).encode()


def label_file(
    labeller: JointLabeller,
    source: Source,
    *,
    keep: bool = False,
    probabilities: bool = False,
    nbest: int = 1,
    threads: int = 0,
) -> bytes:
    """The lines of a file of words with the columns of a model that labels several; ``keep``: the last are given.

    ``probabilities`` adds how sure each label is: a column for tags, two (place and type) for spans. ``nbest``: each
    sentence so many times, best answer first, with its rank and probability above it.
    """
    kinds = labeller.model.columns.kinds if labeller.model.columns is not None else ()
    given = None
    if keep:
        corpus = read_label_columns(str(source), len(kinds))
        given = corpus.columns
    read = read_columns(source, label=None)
    document = read.document
    if keep and isinstance(corpus.elements, Document):
        document = corpus.elements
    elif isinstance(source, str) and source != "-" and columns_of(source) > 1:
        document = read_columns(source, tag=1, label=None).document
    if nbest > 1:
        return _ranked_columns(labeller, read, document, nbest)
    if not probabilities:
        found = labeller.columns(document, given=given, threads=threads)
        return with_columns(read, list(zip(*found, strict=True)))
    added: list[list[str]] = [[] for _ in read.word_lines]
    for column in labeller.sure_columns(document, given=given, threads=threads):
        for row, label, figures in zip(added, column.labels, column.figures.tolist(), strict=True):
            row += [label, *("_" if label == OUTSIDE and len(figures) == 2 else f"{one:.4f}" for one in figures)]
    return with_columns(read, added)


def _ranked_columns(labeller: JointLabeller, read: Sequences, document: Document, nbest: int) -> bytes:
    """Each sentence once for each of its best answers; other lines of the file are left out."""
    blocks: list[str] = []
    start = 0
    for sentence, length in enumerate(document.lengths.tolist()):
        words = [read.lines[index] for index in read.word_lines[start : start + length]]
        start += length
        for rank, one in enumerate(labeller.columns_kbest(document, sentence, nbest), 1):
            rows = zip(words, *one.value, strict=True)
            lines = [read.separator.join(row) for row in rows]
            blocks.append("\n".join([f"# nbest = {rank}", f"# probability = {one.probability:.6f}", *lines, "", ""]))
    return "".join(blocks).encode()


def given_labels(treebank: Document) -> tuple[list[str], list[str]]:
    """The texts of a treebank, and labels of IOB2 of their characters; the type is ``_`` where there is no UPOS."""
    texts, labels = [], []
    for sentence in treebank.sentences:
        words = [(word.form.replace(" ", ""), word.upos) for word in sentence.words]
        texts.append("".join(form for form, _ in words))
        for form, tag in words:
            labels += [f"{'B' if i == 0 else 'I'}-{tag}" for i in range(len(form))]
    return texts, labels


def _read_words(treebank: Document) -> Corpus:
    texts: list[str] = []
    segments: list[list[Segment]] = []
    for sentence in treebank.sentences:
        words = [(word.form.replace(" ", ""), word.upos) for word in sentence.words]
        if any(tag == "_" for _, tag in words):
            raise ConfigError(f"{treebank.name}: a word has no UPOS")
        texts.append("".join(form for form, _ in words))
        segments.append(segments_of_words(words))
    return Corpus(texts, segments, name=treebank.name)


def is_conllu(path: str | Path) -> bool:
    """Whether a file, by its name, is CoNLL-U."""
    return str(path).removesuffix(".xz").removesuffix(".gz").endswith(".conllu")
