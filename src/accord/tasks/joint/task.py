# SPDX-License-Identifier: Apache-2.0
"""The row of joint models in the registry."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.data import Document
from accord.errors import ConfigError
from accord.learning import SILENT, Reporter, TrainingResult
from accord.settings import make_settings
from accord.tasks.examples import tiny_tagged_words
from accord.tasks.joint import JointConfig, JointLabeller, JointModel, Segment, score_segments, segments_of_words
from accord.tasks.joint.columns import column_kinds
from accord.tasks.joint.files import Corpus, conllu_of_segments, is_conllu, label_file, read_corpus, read_label_columns
from accord.tasks.joint.training import score_columns, train_columns, train_joint
from accord.tasks.registry import Example, Task, row
from accord.tasks.requests import document_of, texts_of

CHARACTERS = {"scheme": "BCDMES", "templates": "joint_words"}  # defaults for words made of characters
COLUMNS = {"templates": "joint_columns"}  # defaults for columns of labels


def settle(values: Mapping[str, Any], file: str | Path, format: str) -> JointConfig:
    """The settings; columns of labels, and CoNLL-U, which is seen as characters, have defaults of their own."""
    own = COLUMNS if values.get("columns") else CHARACTERS if is_conllu(file) else {}
    return make_settings(JointConfig, {**own, **values})


def read(
    files: Sequence[str | Path],
    settings: JointConfig,
    *,
    format: str = "auto",
    keep_going: bool = False,
    reporter: Reporter = SILENT,
) -> Corpus:
    kinds = column_kinds(settings.columns)
    parts = [read_label_columns(file, len(kinds)) if kinds else read_corpus(file) for file in files]
    if len(parts) == 1:
        return parts[0]
    segments = [one for part in parts for one in part.segments]
    documents = [part.elements for part in parts if isinstance(part.elements, Document)]
    if not documents:
        return Corpus([text for part in parts for text in part.elements if isinstance(text, str)], segments)
    if len(documents) < len(parts):
        raise ConfigError("some training files have words in columns, others are CoNLL-U")
    columns = [[label for part in parts for label in part.columns[number]] for number in range(len(kinds))]
    return Corpus(Document.from_sentences(s for d in documents for s in d.sentences), segments, columns=columns)


def train(
    training: Corpus, dev: Corpus | None, settings: JointConfig, *, card: Any = None, **how: Any
) -> TrainingResult[JointModel]:
    if dev is not None and isinstance(dev.elements, list) != isinstance(training.elements, list):
        raise ConfigError(f"{dev.name}: one of the two files has words in columns, the other is CoNLL-U")
    if settings.columns:
        assert isinstance(training.elements, Document) and (dev is None or isinstance(dev.elements, Document))
        scored = None if dev is None or not isinstance(dev.elements, Document) else (dev.elements, dev.columns)
        return train_columns(training.elements, training.columns, settings, dev=scored, **how)
    held_out = None if dev is None else (dev.elements, dev.segments)
    return train_joint(training.elements, training.segments, settings, dev=held_out, **how)


def scores(labeller: JointLabeller, gold: Corpus) -> dict[str, float]:
    if labeller.model.columns is not None:
        assert isinstance(gold.elements, Document)
        labels = labeller.columns(gold.elements, threads=labeller.model.config.threads)
        return score_columns(labeller.model.columns.kinds, gold.columns, labels, gold.lengths)
    found = labeller(gold.elements, threads=labeller.model.config.threads)
    return {
        "F1": score_segments(gold.segments, found).f1,
        "segments F1": score_segments(gold.segments, found, typed=False).f1,
    }


def apply(labeller: JointLabeller, data: bytes, options: Mapping[str, Any]) -> bytes:
    """Models of characters: texts, one a line, to CoNLL-U. Models of columns: words, one a line, with their labels."""
    if labeller.model.columns is not None:
        return label_file(labeller, io.BytesIO(data), threads=options.get("threads", 0))
    texts = [text for line in data.decode().split("\n") if (text := "".join(line.split()))]
    found = labeller(texts, threads=options.get("threads", 0))
    return "".join(conllu_of_segments(text, one) for text, one in zip(texts, found, strict=True)).encode()


def answer(labeller: JointLabeller, request: Mapping[str, Any]) -> dict[str, Any]:
    """Segments of each text, or of each sentence where the model labels words; or columns of labels of all words."""
    if labeller.model.columns is not None:
        return {"columns": labeller.columns(document_of(request))}
    elements = texts_of(request) if labeller.model.characters else document_of(request)
    return {
        "segments": [
            [{"start": one.start, "end": one.end, "type": one.type} for one in segments]
            for segments in labeller(elements)
        ]
    }


def _predict(labeller: JointLabeller, texts: Sequence[str], threads: int) -> list[list[Segment]]:
    return labeller(list(texts), threads=threads)


def _kbest(labeller: JointLabeller, text: str, k: int) -> list[list[Segment]]:
    return [list(one.value) for one in labeller.kbest([text], 0, k)]


def _corpus(count: int, first: int = 0) -> Corpus:
    sentences = tiny_tagged_words(count, first)
    return Corpus(["".join(form for form, _ in words) for words in sentences], [*map(segments_of_words, sentences)])


def example() -> Example:
    texts = _corpus(6, 38).elements
    assert isinstance(texts, list)
    return Example.over_lines(
        texts,
        training=_corpus(30),
        dev=_corpus(8, 30),
        settings=make_settings(JointConfig, {**CHARACTERS, "method": "mira", "epochs": 2, "bits": 8, "threads": 1}),
        predict=_predict,
        kbest=_kbest,
    )


TASK = Task(
    row("joint"),
    settings=JointConfig,
    model=JointModel,
    worker=JointLabeller,
    read=read,
    train=train,
    evaluate=scores,
    apply=apply,
    answer=answer,
    example=example,
    settle=settle,
    free=("epochs", "patience", "threads", "iterations"),
)
