# SPDX-License-Identifier: Apache-2.0
"""The network of a parser that predicts tags along with trees, as a tagger of its own.

A word's part of speech, XPOS and FEATS are one of the readings that were seen in training. Where a part of speech is
kept, or ranked lower, XPOS and FEATS are the likeliest that go with it. Networks of older files choose each column on
its own; for those see :mod:`accord.tasks.tagger.readings`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from accord.data import Document, Sentence
from accord.data.features import feats_of
from accord.errors import ConfigError
from accord.ranked import Ranked
from accord.tasks.tagger.model import COLUMNS
from accord.tasks.tagger.readings import Readings, readings_of

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
        return self.classes(self.column)

    def classes(self, column: str) -> tuple[str, ...]:
        """The tags of a column that it knows."""
        assert self.parser.model.network is not None
        return self.parser.model.network.vocabulary.classes[column]

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
        if "upos" in keep and self.column == "upos":
            tagged = self._one_reading(document, tagged, keep, threads)
        if probabilities:
            values = self.probabilities(document, threads=threads).tolist()
            if self.column in keep:  # what is given is sure
                given = document.column(self.column)
                values = [1.0 if tag != "_" else value for tag, value in zip(given, values, strict=True)]
            tagged = tagged.replace(misc=[{"TagConf": f"{value:.4f}"} for value in values])
        return tagged

    def probabilities(self, document: Document, *, threads: int = 0) -> NDArray[np.float64]:
        """Of each word's likeliest part of speech."""
        return self.parser.tag_probabilities(document, self.column, threads=threads)

    def kbest(self, sentence: Sentence, k: int, *, keep: bool = False) -> list[Ranked[tuple[str, ...]]]:
        """The k best sequences of parts of speech of a sentence; ``keep``: among those with the given ones."""
        if len(sentence) == 0:
            return []
        from accord.inference.chains import Chain

        scores = self.parser.tag_logs(sentence, self.column).astype(np.float64)
        if keep:
            numbers = {name: number for number, name in enumerate(self.labels)}
            for row, word in zip(scores, sentence.words, strict=True):
                known = numbers.get(word.upos if self.column == "upos" else word.xpos)
                if known is not None:
                    row[np.arange(len(row)) != known] = -np.inf
                    row[known] = 0.0  # what is given is sure
        labels = self.labels
        return [
            Ranked(tuple(labels[number] for number in one.labels.tolist()), one.score, one.score)
            for one in Chain(scores).kbest(k)
        ]

    def _one_reading(
        self, given: Document, tagged: Document, keep: frozenset[str] | set[str], threads: int
    ) -> Document:
        """The tagged document with XPOS and FEATS that go with its parts of speech; kept values stay."""
        free = self.parser.tag(given, threads=threads).column("upos")
        changed = np.array([new != own for new, own in zip(tagged.column("upos"), free, strict=True)])
        if not changed.any() or not {"xpos", "feats"} & set(self.parser.columns):
            return tagged
        starts = np.concatenate([[0], np.cumsum(tagged.lengths)])
        repaired = list(tagged.sentences)
        for index in np.unique(np.searchsorted(starts, np.flatnonzero(changed), side="right") - 1).tolist():
            sentence, old = repaired[index], given.sentences[index]
            chosen = changed[starts[index] : starts[index + 1]].tolist()
            repaired[index] = self._repaired(sentence, old, chosen, keep)
        xpos = [word.xpos for sentence in repaired for word in sentence.words]
        feats = [str(word.feats) for sentence in repaired for word in sentence.words]
        return tagged.replace(xpos=xpos, feats=feats)

    def _repaired(
        self, sentence: Sentence, given: Sentence, changed: Sequence[bool], keep: frozenset[str] | set[str]
    ) -> Sentence:
        found = self._readings()
        names = [name for name in ("xpos", "feats") if name in self.parser.columns]
        logs = {name: self.parser.tag_logs(given, name, alone=True) for name in names}
        words = list(sentence.words)
        for i, (word, old) in enumerate(zip(sentence.words, given.words, strict=True)):
            if not changed[i]:
                continue
            rows: dict[str, NDArray[np.float32]] = {name: table[i] for name, table in logs.items()}
            xpos, feats = self._best(word.upos, rows, found)
            if "xpos" in keep and old.xpos != "_":
                xpos = old.xpos
            if "feats" in keep and str(old.feats) != "_":
                feats = str(old.feats)
            words[i] = dataclasses.replace(word, xpos=xpos, feats=feats_of(feats))
        return dataclasses.replace(sentence, words=tuple(words))

    def _readings(self) -> Readings | None:
        """The readings of the network, or of a packaged treebank with its tags."""
        if "xpos" not in self.parser.columns:
            return None
        assert self.parser.model.network is not None
        table = self.parser.model.network.vocabulary.readings
        if table is None or table.shape[1] < 3:
            return readings_of(frozenset(self.classes("xpos")))
        names = [self.classes(column) for column in ("upos", "xpos", "feats")]
        rows = (tuple(names[place][number] for place, number in enumerate(row)) for row in table.tolist())
        return Readings((upos, xpos, feats) for upos, xpos, feats in rows)

    def _best(self, upos: str, logs: Mapping[str, NDArray[np.float32]], found: Readings | None) -> tuple[str, str]:
        """The likeliest XPOS and FEATS that occur with a part of speech; ``_`` where no reading is known."""
        if found is None or "xpos" not in logs:
            return "_", "_"
        if "feats" not in logs:
            return self._likeliest("xpos", logs["xpos"], found.xpos(upos)), "_"
        places = {column: {name: place for place, name in enumerate(self.classes(column))} for column in logs}
        best, reading = -np.inf, ("_", "_")
        for xpos in sorted(found.xpos(upos)):
            for feats in sorted(found.feats(upos, xpos)):
                if xpos in places["xpos"] and feats in places["feats"]:
                    score = logs["xpos"][places["xpos"][xpos]] + logs["feats"][places["feats"][feats]]
                    if score > best:
                        best, reading = score, (xpos, feats)
        return reading

    def _likeliest(self, column: str, logs: NDArray[np.float32], allowed: set[str]) -> str:
        names = self.classes(column)
        ranked = np.argsort(-logs, kind="stable").tolist()
        return next((names[number] for number in ranked if names[number] in allowed), "_")
