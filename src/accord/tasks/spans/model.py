# SPDX-License-Identifier: Apache-2.0
"""The labeller of spans as a user holds it: entities or chunks of documents, with exact probabilities.

Set:    all sequences of labels of the scheme, that is all sets of spans that do not overlap.
Score:  a linear chain over labels of tokens (Lafferty, McCallum & Pereira 2001); what the scheme forbids is masked out,
        in training and at work.
The probability of a span sums over all labellings that have it; see ``LabellerModel::run_log_probabilities``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.data import Document, Sentence
from accord.data.characters import half_width
from accord.errors import ConfigError, ConstraintError
from accord.evaluation.spans import LabelledSpan, spans_of_labels
from accord.models import stored
from accord.models.stored import HeaderFields, open_worker
from accord.ranked import Ranked
from accord.tasks.labeller import ChainModel, Labeller, LabelRun
from accord.tasks.spans.config import SpansConfig
from accord.tasks.spans.labels import FILE_SCHEMES, UNKNOWN, LabelTable, label_spans


@dataclass(frozen=True)
class SpansModel(ChainModel):
    """All that a trained labeller of spans is. ``scheme``: of the labels it gives, that of its training file."""

    kind = "spans"
    title = "labeller of spans"
    settings = SpansConfig
    in_header: ClassVar[HeaderFields] = {"scheme": stored.choice(*FILE_SCHEMES), "characters": stored.flag}

    config: SpansConfig
    scheme: str
    characters: bool = False


@dataclass(frozen=True)
class SpanAnswer:
    """Labels and spans of a document, sentences one after another; probabilities are empty unless asked for."""

    labels: list[str]
    spans: list[LabelledSpan]
    probability: NDArray[np.float64]  # of each token's label, as the model has it inside
    span_probability: NDArray[np.float64]  # of each span


@dataclass(frozen=True)
class SpanLabels:
    """The labels of the tokens of a sentence, and the spans that they stand for."""

    labels: tuple[str, ...]

    @property
    def spans(self) -> list[LabelledSpan]:
        return spans_of_labels(self.labels)


class SpanLabeller:
    """A labeller of spans ready to work: immutable, shared by any number of threads."""

    def __init__(self, model: SpansModel) -> None:
        self.model = model
        self.table = LabelTable.of_labels(model.config.scheme, model.chain.labels)
        self._labeller = Labeller(model.chain)

    @staticmethod
    def load(path: str | Path) -> SpanLabeller:
        return open_worker(SpanLabeller, SpansModel, path)

    def __reduce__(self) -> tuple[Any, ...]:
        return SpanLabeller, (self.model,)

    @property
    def types(self) -> list[str]:
        """The types of spans it knows."""
        return sorted(set(self.table.types) - {""})

    def __call__(self, sentences: Document | Sentence, *, probabilities: bool = False, threads: int = 0) -> Document:
        """The document with its labels in MISC, under the key of the model (``NER``).

        ``probabilities``: also that of the span, at each of its words, under the key with ``SpanConf`` behind it.
        """
        document = sentences if isinstance(sentences, Document) else Document.from_sentences([sentences])
        answer = self.label(document, probabilities=probabilities, threads=threads)
        key = self.model.config.key
        entries = [{key: label} for label in answer.labels]
        for span, sure in zip(answer.spans, answer.span_probability.tolist(), strict=False):
            for entry in entries[span.start : span.end]:
                entry[f"{key}SpanConf"] = f"{sure:.4f}"
        return document.replace(misc=entries)

    def label(
        self,
        document: Document,
        *,
        given: Sequence[str] | None = None,
        probabilities: bool = False,
        threads: int = 0,
    ) -> SpanAnswer:
        """The labels of the tokens of a document, in the scheme of the training file.

        ``given``: labels that are kept, in that scheme, ``_`` where there is none; the rest are the best that go with
        them. Labels that contradict each other raise ConstraintError. ``probabilities``: of tokens and of spans.
        """
        sequences = self._sequences(document)
        lengths = [int(length) for length in document.lengths]
        bonus = self._restricted(given, lengths) if given is not None else None
        answer = self._labeller.label(sequences, probabilities=probabilities, bonus=bonus, threads=threads)
        if answer.impossible.any():
            first = int(np.flatnonzero(answer.impossible)[0])
            raise ConstraintError(f"{document.name}: sentence {first + 1}: the given labels contradict each other")
        inside = self._labeller.names(answer.numbers)
        spans = spans_of_labels(inside, lengths)
        labels = self._outside(spans, lengths)
        if given is not None:
            labels = [label if old == UNKNOWN else old for old, label in zip(given, labels, strict=True)]
        runs = self._runs(answer.numbers[:, 0], spans, lengths) if probabilities else []
        sure = self._labeller.run_probabilities(sequences, runs, bonus=bonus) if runs else np.zeros(0)
        return SpanAnswer(labels, spans, answer.probability[:, 0], sure)

    def kbest(self, sentence: Sentence, k: int, *, given: Sequence[str] | None = None) -> list[Ranked[SpanLabels]]:
        """The k best labellings of a sentence, best first; fewer when there are no more."""
        document = Document.from_sentences([sentence])
        if len(sentence) == 0:
            return [Ranked(SpanLabels(()), 0.0, 0.0)]
        lengths = [len(sentence)]
        bonus = self._restricted(given, lengths) if given is not None else None
        ranked = self._labeller.kbest(self._sequences(document), 0, k, bonus=bonus)
        if not ranked:
            raise ConstraintError("the given labels contradict each other")
        return [
            Ranked(self._span_labels(self._labeller.names(one.value), lengths), one.score, one.log_probability)
            for one in ranked
        ]

    def _span_labels(self, inside: list[str], lengths: Sequence[int]) -> SpanLabels:
        return SpanLabels(tuple(self._outside(spans_of_labels(inside), lengths)))

    def _sequences(self, document: Document) -> _text.Sequences:
        if not self.model.characters:
            return self._labeller.words(document)
        return self._labeller.characters(character_texts(document, self.model.config.width))

    def _restricted(self, given: Sequence[str], lengths: Sequence[int]) -> NDArray[np.float64]:
        if len(given) != sum(lengths):
            raise ConfigError(f"{len(given)} given labels for {sum(lengths)} tokens")
        return np.where(self.table.allowed(given, lengths, self.model.scheme), 0.0, -np.inf)

    def _outside(self, spans: Sequence[LabelledSpan], lengths: Sequence[int]) -> list[str]:
        return label_spans(spans, sum(lengths), self.model.scheme, lengths)

    def _runs(
        self, numbers: NDArray[np.int32], spans: Sequence[LabelledSpan], lengths: Sequence[int]
    ) -> list[LabelRun]:
        starts = np.concatenate([[0], np.cumsum(lengths)])
        runs = []
        for span in spans:
            sequence = int(np.searchsorted(starts, span.start, side="right")) - 1
            labels = tuple(numbers[span.start : span.end].tolist())
            runs.append(
                LabelRun(sequence, span.start - int(starts[sequence]), labels, self.table.continuation(span.type))
            )
        return runs


def character_texts(document: Document, width: bool) -> list[str]:
    """The tokens of each sentence as one text, of each the first character."""
    forms = document.column("form")
    texts, start = [], 0
    for length in document.lengths.tolist():
        text = "".join(form[0] for form in forms[start : start + length])
        texts.append(half_width(text) if width else text)
        start += length
    return texts
