# SPDX-License-Identifier: Apache-2.0
"""The network of a parser that predicts tags along with trees, as a tagger of its own.

Each word's tags are chosen on their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from accord.data import Document, Sentence
from accord.errors import ConfigError
from accord.inference.chains import Chain
from accord.ranked import Ranked
from accord.tasks.tagger.model import COLUMNS

if TYPE_CHECKING:
    from accord.tasks.parser.model import Parser


class NetworkTagger:
    """What :class:`~accord.tasks.tagger.Tagger` does, by the network of a parser."""

    def __init__(self, parser: Parser) -> None:
        if not parser.columns:
            raise ConfigError("this parser predicts no tags")
        self.parser = parser
        self.column = next((name for name in ("upos", "xpos") if name in parser.columns), parser.columns[0])

    @property
    def labels(self) -> tuple[str, ...]:
        """The parts of speech it knows."""
        assert self.parser.model.network is not None
        return self.parser.model.network.vocabulary.classes[self.column]

    def __call__(
        self,
        sentences: Document | Sentence,
        *,
        keep: frozenset[str] | set[str] = frozenset(),
        probabilities: bool = False,
        threads: int = 0,
    ) -> Document:
        """The document with its words tagged; see :class:`~accord.tasks.tagger.Tagger`."""
        document = sentences if isinstance(sentences, Document) else Document.from_sentences([sentences])
        unknown = set(keep) - set(COLUMNS)
        if unknown:
            raise ConfigError(f"keep: {', '.join(sorted(unknown))} is none of {', '.join(COLUMNS)}")
        tagged = self.parser.tag(document, keep=keep, threads=threads)
        if probabilities:
            values = self.probabilities(document, threads=threads).tolist()
            tagged = tagged.replace(misc=[{"TagConf": f"{value:.4f}"} for value in values])
        return tagged

    def probabilities(self, document: Document, *, threads: int = 0) -> NDArray[np.float64]:
        """Of each word's likeliest part of speech."""
        return self.parser.tag_probabilities(document, self.column, threads=threads)

    def kbest(self, sentence: Sentence, k: int, *, keep: bool = False) -> list[Ranked[tuple[str, ...]]]:
        """The k best sequences of parts of speech of a sentence; ``keep``: among those with the given ones."""
        if len(sentence) == 0:
            return []
        scores = self.parser.tag_logs(sentence, self.column).astype(np.float64)
        if keep:
            numbers = {name: number for number, name in enumerate(self.labels)}
            for row, word in zip(scores, sentence.words, strict=True):
                known = numbers.get(word.upos if self.column == "upos" else word.xpos)
                if known is not None:
                    kept = row[known]
                    row[:] = -np.inf
                    row[known] = kept
        labels = self.labels
        return [
            Ranked(tuple(labels[number] for number in one.labels.tolist()), one.score, one.score)
            for one in Chain(scores).kbest(k)
        ]
