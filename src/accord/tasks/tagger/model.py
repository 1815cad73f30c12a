# SPDX-License-Identifier: Apache-2.0
"""The tagger as a user holds it: UPOS, XPOS, FEATS and lemmas for the words of documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.data import Document, Sentence
from accord.errors import ConfigError
from accord.models import stored
from accord.models.file import Blocks, part_of_blocks
from accord.models.stored import HeaderFields, open_worker
from accord.ranked import Ranked
from accord.tasks.labeller import ChainModel, Labeller
from accord.tasks.lemmatizer import Lemmatizer
from accord.tasks.tagger.analyses import Analyses
from accord.tasks.tagger.config import TaggerConfig

COLUMNS = ("upos", "xpos", "feats", "lemma")


@dataclass(frozen=True)
class TaggerModel(ChainModel):
    """All that a trained tagger is. ``column``: what its chain labels, XPOS in treebanks without UPOS."""

    kind = "tagger"
    title = "tagger"
    settings = TaggerConfig
    in_header: ClassVar[HeaderFields] = {"column": stored.choice("upos", "xpos")}

    config: TaggerConfig
    column: str
    analyses: Analyses | None = None
    lemmas: Lemmatizer | None = None

    def more_parts(self) -> dict[str, Blocks]:
        parts = {"analyses": self.analyses, "lemmas": self.lemmas}
        return {name: part.to_blocks() for name, part in parts.items() if part is not None}

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> dict[str, Any]:
        fields, parts = super().own_fields(header, arrays, path), header["parts"]
        if "analyses" in parts:
            fields["analyses"] = Analyses.from_blocks(*part_of_blocks(parts, arrays, "analyses"), path)
        if "lemmas" in parts:
            fields["lemmas"] = Lemmatizer.from_blocks(*part_of_blocks(parts, arrays, "lemmas"))
        return fields


class Tagger:
    """A tagger ready to work: immutable, shared by any number of threads."""

    def __init__(self, model: TaggerModel) -> None:
        self.model = model
        self._chain = Labeller(model.chain)
        self._number = {name: number for number, name in enumerate(model.chain.labels)}

    @staticmethod
    def load(model: str | Path) -> Tagger:
        """The tagger of a packaged model or of a file."""
        return open_worker(Tagger, TaggerModel, model)

    def __reduce__(self) -> tuple[Any, ...]:
        return Tagger, (self.model,)

    @property
    def column(self) -> str:
        """What its chain labels: "upos", or "xpos" in treebanks without it."""
        return self.model.column

    @property
    def labels(self) -> tuple[str, ...]:
        """The parts of speech it knows."""
        return self.model.chain.labels

    def __call__(
        self,
        sentences: Document | Sentence,
        *,
        keep: frozenset[str] | set[str] = frozenset(),
        probabilities: bool = False,
        threads: int = 0,
    ) -> Document:
        """The document with its words tagged.

        ``keep``: columns ("upos", "xpos", "feats", "lemma") whose values are kept where there are any (not ``_``);
        given parts of speech also guide those around them. ``probabilities``: ``TagConf`` in MISC.
        """
        document = sentences if isinstance(sentences, Document) else Document.from_sentences([sentences])
        unknown = set(keep) - set(COLUMNS)
        if unknown:
            raise ConfigError(f"keep: {', '.join(sorted(unknown))} is none of {', '.join(COLUMNS)}")
        tagged, probability = self._parts_of_speech(document, keep, probabilities, threads)
        if self.model.analyses is not None:
            tagged = self._analysed(tagged, document, keep, threads)
        if self.model.lemmas is not None:
            lemmas = self.model.lemmas(tagged, threads=threads)
            tagged = tagged.replace(lemmas=_kept(document, "lemma", lemmas, keep))
        if probabilities:
            if self.model.column in keep:  # what is given is sure, also where the model does not know it
                given = np.array([tag != "_" for tag in document.column(self.model.column)])
                probability = np.where(given, 1.0, probability)
            tagged = tagged.replace(misc=[{"TagConf": f"{p:.4f}"} for p in probability.tolist()])
        return tagged

    @property
    def chain(self) -> Labeller:
        """The labeller of parts of speech."""
        return self._chain

    def known(self, document: Document) -> NDArray[np.int32]:
        """The numbers of the parts of speech that a document gives; -1 where it gives none that the tagger knows."""
        return np.array([self._number.get(tag, -1) for tag in document.column(self.model.column)], np.int32)

    def kbest(self, sentence: Sentence, k: int, *, keep: bool = False) -> list[Ranked[tuple[str, ...]]]:
        """The k best sequences of parts of speech of a sentence; ``keep``: among those with the given ones."""
        document = Document.from_sentences([sentence])
        known = self.known(document) if keep else None
        ranked = self._chain.kbest(self._chain.words(document), 0, k, known=known)
        return [Ranked(tuple(self._chain.names(one.value)), one.score, one.log_probability) for one in ranked]

    def _parts_of_speech(
        self, document: Document, keep: frozenset[str] | set[str], probabilities: bool, threads: int
    ) -> tuple[Document, NDArray[np.float64]]:
        column = self.model.column
        known = self.known(document) if column in keep else None
        answer = self._chain.label(
            self._chain.words(document), known=known, probabilities=probabilities, threads=threads
        )
        tags = _kept(document, column, self._chain.names(answer.numbers), keep)
        tagged = document.replace(upos=tags) if column == "upos" else document.replace(xpos=tags)
        return tagged, answer.probability[:, 0]

    def _analysed(self, tagged: Document, given: Document, keep: frozenset[str] | set[str], threads: int) -> Document:
        assert self.model.analyses is not None
        xpos, feats = self.model.analyses(tagged, threads)
        return tagged.replace(xpos=_kept(given, "xpos", xpos, keep), feats=_kept(given, "feats", feats, keep))


def _kept(document: Document, column: str, found: list[str], keep: frozenset[str] | set[str]) -> list[str]:
    if column not in keep:
        return found
    return [new if old == "_" else old for old, new in zip(document.column(column), found, strict=True)]
