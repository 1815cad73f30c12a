# SPDX-License-Identifier: Apache-2.0
"""Files of joint models: words in columns with labelled spans, or tagged words in CoNLL-U seen as characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from accord import data
from accord.data import Document
from accord.data.columns import read_columns
from accord.data.files import open_input
from accord.errors import ConfigError
from accord.tasks.joint.layers import Segment
from accord.tasks.joint.training import segments_of_labels, segments_of_words


@dataclass(frozen=True)
class Corpus:
    """Sequences and their segments: ``elements`` is a document of words, or texts of characters."""

    elements: Document | list[str]
    segments: list[list[Segment]]
    name: str = "<corpus>"  # for messages

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


def columns_of(path: str | Path) -> int:
    """How many columns the first row of a file has."""
    with open_input(str(path)) as file:
        for line in file:
            if line.strip():
                return len(line.split(b"\t") if b"\t" in line else line.split())
    return 0


def labels_of_segments(segments: Sequence[Segment], length: int) -> list[str]:
    """Segments as labels of IOB2.

    >>> labels_of_segments([Segment(0, 2, "NP")], 3)
    ['B-NP', 'I-NP', 'O']
    """
    labels = ["O"] * length
    for segment in segments:
        labels[segment.start : segment.end] = [f"I-{segment.type}"] * (segment.end - segment.start)
        labels[segment.start] = f"B-{segment.type}"
    return labels


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
