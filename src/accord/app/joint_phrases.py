# SPDX-License-Identifier: Apache-2.0
"""``accord parse`` with a model that finds words, tags and phrases together: characters in, trees of phrases out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from accord.app.options import Reading
from accord.data import Document, Sentence
from accord.errors import ConfigError
from accord.tasks.joint_constituents import JointConstituencyParser, JointTree, Lattice

BLOCK = 256  # texts that are parsed together


class JointDocuments:
    """Documents with words, tags and trees of phrases, from texts (one in each line) or from treebanks.

    The words of a treebank stay, and so do tags in XPOS that the model knows. ``nbest``: each sentence once for each of
    its best answers, which only texts have.
    """

    def __init__(self, parser: JointConstituencyParser, *, nbest: int = 1, threads: int = 0) -> None:
        self.parser = parser
        self._nbest = nbest
        self._threads = threads
        self._made: Document | None = None  # the last one that came from text

    def of(self, reading: Reading, files: Sequence[str]) -> Iterator[Document]:
        for block in reading.documents(files, self):
            yield block if block is self._made else self._annotated(block)

    def stream(self, source: Iterable[str], **_how: Any) -> Iterator[Document]:
        """Texts as they come, one a line; what a reader of files asks of a tokeniser."""
        texts: list[str] = []
        rest = ""
        for piece in chain(source, ("\n", "")):
            *lines, rest = (rest + piece).split("\n")
            texts += (line for line in lines if line.strip())
            while len(texts) >= BLOCK or (texts and not piece):  # nothing came: the source waits, or has ended
                yield self._parsed(texts[:BLOCK])
                texts = texts[BLOCK:]

    def _parsed(self, texts: Sequence[str]) -> Document:
        if self._nbest == 1:
            sentences = [one.sentence() for one in self.parser.trees(texts, threads=self._threads)]
        else:
            sentences = [sentence for text in texts for sentence in self._ranked(text)]
        self._made = Document.from_sentences(sentences)
        return self._made

    def _ranked(self, text: str) -> Iterator[Sentence]:
        for rank, one in enumerate(self.parser.kbest(text, self._nbest), 1):
            made = one.value.sentence()
            comments = (*made.comments, f"# nbest = {rank}", f"# score = {one.score:.6f}")
            yield dataclasses.replace(made, comments=comments)

    def _annotated(self, document: Document) -> Document:
        if self._nbest > 1:
            raise ConfigError(f"{document.name}: --nbest is for texts, whose words are to be found")
        known = set(self.parser.tags)
        sentences = [sentence for sentence in document.sentences if len(sentence) > 0]
        lattices = [
            Lattice.of_words(sentence.forms, [word.xpos if word.xpos in known else None for word in sentence.words])
            for sentence in sentences
        ]
        found = iter(self.parser.parse(lattices, threads=self._threads))
        trees: list[JointTree | None] = [next(found) if words else None for words in document.lengths.tolist()]
        tags = [tag for one in trees if one is not None for tag in one.tags]
        return document.replace(xpos=tags).with_constituents([None if one is None else one.tree for one in trees])
