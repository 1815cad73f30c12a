# SPDX-License-Identifier: Apache-2.0
"""Training of labellers of spans: entities, chunks."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError
from accord.evaluation.spans import evaluate_spans, spans_of_labels
from accord.learning import SILENT, Checkpoint, Reporter, TrainingResult
from accord.tasks.labeller import LabellerModel, Problem, fit_temperature, train_chain
from accord.tasks.labeller.config import longest_segment
from accord.tasks.labeller.folds import annotate_by_folds
from accord.tasks.spans.config import SpansConfig
from accord.tasks.spans.files import LabelledFile
from accord.tasks.spans.labels import UNKNOWN, LabelTable, detect_scheme, label_spans
from accord.tasks.spans.lists import Sentence, character_lists, folds_of, word_lists
from accord.tasks.spans.model import SpanLabeller, SpansModel, character_texts

TEMPERATURE_TOKENS = 15000  # at most about so many dev tokens fit the temperature of the probabilities


def train_spans(
    training: LabelledFile,
    dev: LabelledFile | None = None,
    config: SpansConfig | None = None,
    *,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[SpansModel]:
    """Train; dev data decide which pass is best and fit the probabilities."""
    config = config or SpansConfig()
    for part in (training, dev):
        if part is not None and UNKNOWN in part.labels:
            raise ConfigError(f"{part.document.name}: some tokens have no label")
    spans = spans_of_labels(training.labels, training.lengths)
    if not spans:
        raise ConfigError(f"{training.document.name}: no token is in a span")
    forms = training.document.column("form")
    characters = config.unit == "characters" or (config.unit == "auto" and all(len(form) == 1 for form in forms))
    if not config.templates:
        config = dataclasses.replace(config, templates=_templates(characters, config.model))
    table = LabelTable.of_types(config.scheme, sorted({span.type for span in spans}))
    numbers = table.numbers(label_spans(spans, len(forms), config.scheme))
    sequences: _text.Sequences
    if characters:
        texts = character_texts(training.document, config.width)
        sequences = _text.CharacterSequences([text.encode() for text in texts])
    else:
        texts = []
        sequences = _text.DocumentSequences(training.document.native)
    problem = Problem(sequences, numbers, table.labels, masks=table.masks)
    if config.scorer == "neural":
        if characters or config.model == "semi":
            raise ConfigError("scorer = 'neural': labels words, by a chain")
        problem = dataclasses.replace(problem, neural=config.neural, document=training.document)
    if config.model == "semi":
        longest = {
            type_: longest_segment((span.end - span.start for span in spans if span.type == type_), config.longest)
            for type_ in sorted({span.type for span in spans})
        }
        problem = dataclasses.replace(problem, segments=table.segments(longest))
    if config.lists and config.scorer == "linear":
        sentences = _sentences(forms if not characters else "".join(texts), training)
        folds = folds_of(len(sentences), config.jackknife)
        make = (lambda some: character_lists(some, config.least_before)) if characters else word_lists
        problem = dataclasses.replace(problem, lexicon=annotate_by_folds(sequences, sentences, make, folds))
    scheme = detect_scheme(training.labels, training.lengths)

    def scores(model: SpansModel, dev: LabelledFile) -> dict[str, float]:
        found = SpanLabeller(model).label(dev.document, threads=config.threads).labels
        return {"F1": evaluate_spans(dev.labels, found, dev.lengths).spans.f1}

    result = train_chain(
        problem,
        lambda chain: SpansModel(config, chain, scheme, characters),
        config,
        scores,
        dev,
        reporter=reporter,
        checkpoint=checkpoint,
    )
    if dev is None or config.method == "lbfgs":
        return result
    model = dataclasses.replace(result.model, chain=_with_temperature(result.model, dev, table))
    return dataclasses.replace(result, model=model)


def _templates(characters: bool, model: str) -> str:
    labels = "ner_characters" if characters else "ner"
    return labels if model == "chain" else f"{labels}+{'segments_characters' if characters else 'segments'}"


def _sentences(forms: Sequence[str], training: LabelledFile) -> list[Sentence]:
    sentences: list[Sentence] = []
    start = 0
    for length in training.lengths:
        sentences.append((forms[start : start + length], training.labels[start : start + length]))
        start += length
    return sentences


def _with_temperature(model: SpansModel, dev: LabelledFile, table: LabelTable) -> LabellerModel:
    """Probabilities of online learners are too sharp or too flat; dev data say by how much."""
    whole = _beginning(dev, TEMPERATURE_TOKENS)
    known = set(table.types)
    spans = [span for span in spans_of_labels(whole.labels, whole.lengths) if span.type in known]
    gold = table.numbers(label_spans(spans, len(whole.labels), table.scheme))
    if model.characters:
        texts = character_texts(whole.document, model.config.width)
        return fit_temperature(model.chain, lambda labeller: labeller.characters(texts), gold)
    return fit_temperature(model.chain, lambda labeller: labeller.words(whole.document), gold)


def _beginning(file: LabelledFile, tokens: int) -> LabelledFile:
    count = total = 0
    while count < len(file.lengths) and total < tokens:
        total += file.lengths[count]
        count += 1
    return LabelledFile(Document.from_sentences(file.document.sentences[:count]), file.labels[:total])
