# SPDX-License-Identifier: Apache-2.0
"""The row of spans in the registry."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.data import Document, Sentence
from accord.evaluation.spans import evaluate_spans, spans_of_labels
from accord.learning import SILENT, Reporter, TrainingResult
from accord.settings import make_settings
from accord.tasks.examples import tiny_entities, tiny_treebank
from accord.tasks.registry import Example, Task, row
from accord.tasks.requests import document_of
from accord.tasks.spans import LabelledFile, SpanLabeller, SpansConfig, SpansModel, read_labelled, tag_column
from accord.tasks.spans.labels import UNKNOWN
from accord.tasks.spans.training import train_spans


def settle(values: Mapping[str, Any], file: str | Path, format: str) -> SpansConfig:
    """The settings, with the column of tags that the file has."""
    settings = make_settings(SpansConfig, values)
    return dataclasses.replace(settings, tag=tag_column(file, settings, format))


def read(
    files: Sequence[str | Path],
    settings: SpansConfig,
    *,
    format: str = "auto",
    keep_going: bool = False,
    reporter: Reporter = SILENT,
) -> LabelledFile:
    parts = [read_labelled(file, settings, format=format) for file in files]
    if len(parts) == 1:
        return parts[0]
    document = Document.from_sentences((s for p in parts for s in p.document.sentences), name=parts[0].document.name)
    return LabelledFile(document, [label for part in parts for label in part.labels])


def train(
    training: LabelledFile, dev: LabelledFile | None, settings: SpansConfig, *, card: Any = None, **how: Any
) -> TrainingResult[SpansModel]:
    return train_spans(training, dev, settings, **how)


def scores(labeller: SpanLabeller, gold: LabelledFile) -> dict[str, float]:
    found = labeller.label(gold.document, threads=labeller.model.config.threads).labels
    spans = evaluate_spans(gold.labels, found, gold.lengths).spans
    return {"F1": spans.f1, "precision": spans.precision, "recall": spans.recall}


def apply(labeller: SpanLabeller, data: bytes, options: Mapping[str, Any]) -> bytes:
    return labeller(Document.from_conllu(data), threads=options.get("threads", 0)).to_bytes()


def answer(labeller: SpanLabeller, request: Mapping[str, Any]) -> dict[str, Any]:
    """Spans of each sentence: words counted from 0, the end not included."""
    found = []
    for sentence in document_of(request).sentences:
        spans = labeller.label(Document.from_sentences([sentence])).spans
        found.append([{"start": span.start, "end": span.end, "type": span.type} for span in spans])
    return {"spans": found}


def _predict(labeller: SpanLabeller, sentences: Sequence[Sentence], threads: int) -> list[tuple[str, ...]]:
    labels = labeller.label(Document.from_sentences(sentences), threads=threads).labels
    found, start = [], 0
    for sentence in sentences:
        found.append(tuple(labels[start : start + len(sentence)]))
        start += len(sentence)
    return found


def _kbest(labeller: SpanLabeller, sentence: Sentence, k: int) -> list[tuple[str, ...]]:
    return [one.value.labels for one in labeller.kbest(sentence, k)]


def _kept(labeller: SpanLabeller) -> bool:
    document = tiny_treebank(1)
    given = [UNKNOWN] * int(document.heads.size)
    given[2] = "B-LOC"
    found = labeller.label(document, given=given).labels
    return found[2] == "B-LOC" and bool(spans_of_labels(found))


def example() -> Example:
    return Example.over_sentences(
        tiny_treebank,
        training=LabelledFile(tiny_treebank(30), tiny_entities(30)),
        dev=LabelledFile(tiny_treebank(8, 30), tiny_entities(8, 30)),
        settings=SpansConfig(epochs=2, threads=1),
        predict=_predict,
        kbest=_kbest,
        kept=_kept,
    )


TASK = Task(
    row("spans"),
    settings=SpansConfig,
    model=SpansModel,
    worker=SpanLabeller,
    read=read,
    train=train,
    evaluate=scores,
    apply=apply,
    answer=answer,
    example=example,
    settle=settle,
    sizes=lambda training: {"tokens": len(training.labels)},
    free=("epochs", "patience", "threads", "iterations"),
)
