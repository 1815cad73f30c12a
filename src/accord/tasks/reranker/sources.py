# SPDX-License-Identifier: Apache-2.0
"""Lists from a base model: of data that it did not see, and of its own training data by jack-knifing.

A model is too good on what it was trained on, and so are its lists. So the training data are dealt into parts, and the
lists of each part come from a model with the base model's settings that is trained on the others.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from accord.data import Document, Sentence
from accord.errors import ConfigError
from accord.learning import SILENT, Reporter
from accord.models import model_path
from accord.models.file import read_header
from accord.ranked import Ranked
from accord.tasks import registry
from accord.tasks.registry import Task
from accord.tasks.reranker.kinds import Arcs
from accord.tasks.reranker.lists import CandidateList


@dataclass(frozen=True)
class Source:
    """How lists are made with the models of a task.

    ``cut``: the data as one piece for each list; ``join``: pieces as data to train on; ``make``: the list of a piece.
    """

    task: str
    kind: str
    cut: Callable[[Any], Sequence[Any]]
    join: Callable[[Sequence[Any]], Any]
    make: Callable[[Any, Any, int], CandidateList[Any]]


def _sentences(document: Document) -> list[Sentence]:
    return [sentence for sentence in document.sentences if len(sentence) > 0]


def sentence_tags(sentence: Sentence) -> tuple[str, ...]:
    return tuple(word.upos if word.upos != "_" else word.xpos for word in sentence.words)


def dependency_list(parser: Any, sentence: Sentence, k: int) -> CandidateList[Arcs]:
    """The k best dependency trees of a sentence."""
    ranked = [
        Ranked(Arcs(one.heads, one.deprels), one.score, one.log_probability, one.certified)
        for one in parser.kbest(sentence, k)
    ]
    heads = [head for head in sentence.heads if head is not None]
    gold = Arcs(tuple(heads), tuple(sentence.deprels)) if len(heads) == len(sentence) else None
    return CandidateList("dependencies", tuple(sentence.forms), sentence_tags(sentence), tuple(ranked), gold)


def phrase_list(parser: Any, sentence: Sentence, k: int) -> CandidateList[Any]:
    """The k best trees of phrases of a sentence."""
    ranked = tuple(parser.kbest(sentence, k))
    return CandidateList("phrases", tuple(sentence.forms), ranked[0].value.tags, ranked, sentence.constituents)


def _tag_list(tagger: Any, sentence: Sentence, k: int) -> CandidateList[Any]:
    gold = tuple(getattr(word, tagger.column) for word in sentence.words)
    words = tuple(sentence.forms)
    return CandidateList("labels", words, ("_",) * len(words), tuple(tagger.kbest(sentence, k)), gold)


def _segment_list(segmenter: Any, words: Sequence[str], k: int) -> CandidateList[Any]:
    text = "".join(words)
    return CandidateList("segments", (text,), ("_",), tuple(segmenter.kbest(text, k)), tuple(words))


def _labelled_pieces(data: Any) -> list[tuple[Sentence, tuple[str, ...]]]:
    found, start = [], 0
    for sentence in data.document.sentences:
        found.append((sentence, tuple(data.labels[start : start + len(sentence)])))
        start += len(sentence)
    return [piece for piece in found if piece[1]]


def _labelled_data(pieces: Sequence[tuple[Sentence, tuple[str, ...]]]) -> Any:
    from accord.tasks.spans import LabelledFile

    document = Document.from_sentences(sentence for sentence, _ in pieces)
    return LabelledFile(document, [label for _, labels in pieces for label in labels])


def _span_list(labeller: Any, piece: tuple[Sentence, tuple[str, ...]], k: int) -> CandidateList[Any]:
    sentence, labels = piece
    ranked = tuple(
        Ranked(tuple(one.value.labels), one.score, one.log_probability) for one in labeller.kbest(sentence, k)
    )
    return CandidateList("spans", tuple(sentence.forms), sentence_tags(sentence), ranked, labels)


SOURCES = {
    one.task: one
    for one in (
        Source("parser", "dependencies", _sentences, Document.from_sentences, dependency_list),
        Source("constituents", "phrases", _sentences, Document.from_sentences, phrase_list),
        Source("tagger", "labels", _sentences, Document.from_sentences, _tag_list),
        Source("segmenter", "segments", lambda data: [words for words in data if words], list, _segment_list),
        Source("spans", "spans", _labelled_pieces, _labelled_data, _span_list),
    )
}


@dataclass
class Base:
    """A base model with its task."""

    task: Task
    source: Source
    model: Any

    @staticmethod
    def load(path: str | Path) -> Base:
        """The base model of a file; one of a task that has no lists raises ConfigError."""
        found = registry.row_of_kind(read_header(model_path(path)).get("kind"), str(path))
        name = "parser" if found.name == "pipeline" else found.name
        if name not in SOURCES:
            raise ConfigError(f"base = {str(path)!r}: a {found.title} has no lists; {', '.join(SOURCES)} have")
        task = registry.task(name)
        return Base(task, SOURCES[name], task.model.load(path))

    @property
    def settings(self) -> Any:
        return self.model.config

    def lists(self, data: Any, k: int) -> list[CandidateList[Any]]:
        """The lists of data that the base model did not see."""
        worker = self.task.worker(self.model)
        return [self.source.make(worker, piece, k) for piece in self.source.cut(data)]

    def jackknifed(
        self, data: Any, k: int, folds: int, reporter: Reporter = SILENT, *, parts: int | None = None
    ) -> list[CandidateList[Any]]:
        """The lists of the base model's training data, in their order; ``parts``: those of so many parts alone."""
        pieces = list(self.source.cut(data))
        if len(pieces) < folds:
            raise ConfigError(f"folds = {folds}: there are {len(pieces)} sentences")
        found: dict[int, CandidateList[Any]] = {}
        for fold, model in enumerate(islice(self._fold_models(pieces, folds), parts)):
            worker = self.task.worker(model)
            places = range(fold, len(pieces), folds)
            found.update({place: self.source.make(worker, pieces[place], k) for place in places})
            reporter.note(f"lists of part {fold + 1} of {folds}: {len(places)}")
        return [found[place] for place in sorted(found)]

    def _fold_models(self, pieces: Sequence[Any], folds: int) -> Iterator[Any]:
        """Models of all parts but one, trained as long as the base model was."""
        settings = self.settings
        epochs = self.model.card.get("best_epoch")
        if isinstance(epochs, int) and epochs > 0 and hasattr(settings, "epochs"):
            settings = dataclasses.replace(settings, epochs=min(epochs, max(settings.epochs, 1)))
        assert self.task.train is not None
        for fold in range(folds):
            part = [piece for place, piece in enumerate(pieces) if place % folds != fold]
            yield self.task.train(
                self.source.join(part), None, settings, card={}, reporter=SILENT, checkpoint=None
            ).model
