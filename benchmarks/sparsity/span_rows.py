# SPDX-License-Identifier: Apache-2.0
"""One row of a table of span labellers that choose their features: train, count, time, and label the test data once."""

from __future__ import annotations

import dataclasses
import re
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from accord.evaluation.spans import evaluate_spans
from accord.learning import Reporter
from accord.models.stored import tables_to_blocks
from accord.tasks.spans import (
    LabelledFile,
    SpanLabeller,
    SpansConfig,
    SpansModel,
    read_labelled,
    tag_column,
    train_spans,
)
from accord.tasks.sparsity.config import SparsityConfig

HEADING = (
    "| features chosen by | templates | weights | share of all | most held | share of all | model | dev F1 | test F1 "
    "| tokens per CPU second | training CPU |\n|---|---|---|---|---|---|---|---|---|---|---|"
)


class Notes(Reporter):
    """Keeps what training says of its choice."""

    def __init__(self) -> None:
        self.held = 0
        self.templates = 0

    def note(self, message: str) -> None:
        if match := re.search(r"sparsity: (\d+) of \d+ templates stay; at most (\d+) features", message):
            self.templates, self.held = int(match[1]), int(match[2])


@dataclass(frozen=True)
class Data:
    """Files of one corpus, and the templates that are chosen from."""

    training: LabelledFile
    dev: LabelledFile | None
    test: LabelledFile
    config: SpansConfig
    templates: int


def read_data(folder: Path, files: tuple[str, str, str], templates: tuple[str, int], config: SpansConfig) -> Data:
    """Read the files; a corpus without dev data has an empty name there."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write(templates[0])
    config = dataclasses.replace(config, templates=file.name, tag=tag_column(folder / files[0], config))
    training, dev, test = (read_labelled(folder / name, config) if name else None for name in files)
    assert training is not None and test is not None
    return Data(training, dev, test, config, templates[1])


def weights_of(model: SpansModel) -> int:
    return sum(int(np.count_nonzero(table.values)) for table in model.chain.tables.values())


def f1(labeller: SpanLabeller, file: LabelledFile) -> float:
    found = labeller.label(file.document, threads=1).labels
    return evaluate_spans(file.labels, found, file.lengths).spans.f1


def speed(labeller: SpanLabeller, file: LabelledFile) -> float:
    """Tokens in a CPU second, of the best of three runs."""
    seconds = []
    for _ in range(3):
        started = time.process_time()
        labeller.label(file.document, threads=1)
        seconds.append(time.process_time() - started)
    return len(file.labels) / min(seconds)


def row(name: str, data: Data, sparsity: SparsityConfig, everything: int, **changes: object) -> str:
    """Train, and make a row of the table. ``everything``: weights of the model with all templates; 0: this one."""
    notes = Notes()
    config = dataclasses.replace(data.config, sparsity=sparsity, **changes)  # type: ignore[arg-type]
    started = time.process_time()
    model = train_spans(data.training, data.dev, config, reporter=notes).model
    seconds = time.process_time() - started
    weights = weights_of(model)
    held, all_weights = max(notes.held, weights), everything or weights
    labeller = SpanLabeller(model)
    size = sum(array.nbytes for array in tables_to_blocks(model.chain.tables)[1].values()) / 1e6
    dev = "" if data.dev is None else f"{f1(labeller, data.dev):.2f}"
    return (
        f"| {name} | {notes.templates or data.templates} | {weights:,} | {100 * weights / all_weights:.1f} % "
        f"| {held:,} | {100 * held / all_weights:.1f} % | {size:.1f} MB | {dev} | {f1(labeller, data.test):.2f} "
        f"| {speed(labeller, data.test):,.0f} | {seconds:.0f} s |"
    )
