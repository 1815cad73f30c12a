# SPDX-License-Identifier: Apache-2.0
"""Labels for the characters of long texts, in bounded memory.

A paragraph longer than a window is labelled window by window. Windows overlap: labels near a cut are taken from the
window that sees text on both sides of it, so that what a cut changes is what depends on text farther away than MARGIN
characters. Time is linear in the text; memory is that of one batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.tasks.labeller import Labeller
from accord.tasks.tokenizer.blanks import Squeezed
from accord.tasks.tokenizer.gold import LABELS, LAST, OUTSIDE

WINDOW = 6144
MARGIN = 256
BATCH = 1 << 16


@dataclass(frozen=True)
class Window:
    """Characters ``begin:end`` are looked at, ``first:stop`` of them labelled."""

    begin: int
    end: int
    first: int
    stop: int


def windows(start: int, stop: int) -> Iterator[Window]:
    """Windows over a paragraph."""
    if stop - start <= WINDOW:
        yield Window(start, stop, start, stop)
        return
    step = WINDOW - 2 * MARGIN
    for first in range(start, stop, step):
        last = min(first + step, stop)
        yield Window(max(start, first - MARGIN), min(stop, last + MARGIN), first, last)


def label_characters(
    labeller: Labeller, squeezed: Squeezed, *, blanks_inside: bool, lexical: bool, threads: int
) -> NDArray[np.int32]:
    """The best label of each character. ``lexical``: with what stands around them."""
    labels = np.empty(len(squeezed.text), np.int32)
    for batch in _batches(squeezed):
        answer, _ = _label(labeller, squeezed, batch, blanks_inside, lexical, threads, label_probabilities=False)
        _collect(batch, answer, labels)
    return labels


def last_probabilities(
    labeller: Labeller, squeezed: Squeezed, start: int, stop: int, *, blanks_inside: bool, lexical: bool, threads: int
) -> NDArray[np.float64]:
    """How probably each character of a stretch ends a sentence."""
    result = np.empty(stop - start)
    for window in windows(start, stop):
        _, table = _label(labeller, squeezed, [window], blanks_inside, lexical, threads, label_probabilities=True)
        shown = table.reshape(-1, len(LABELS))[window.first - window.begin : window.stop - window.begin, LAST]
        result[window.first - start : window.stop - start] = shown
    return result


def _batches(squeezed: Squeezed) -> Iterator[list[Window]]:
    batch: list[Window] = []
    size = 0
    for start, stop in zip(squeezed.starts[:-1].tolist(), squeezed.starts[1:].tolist(), strict=True):
        for window in windows(start, stop):
            batch.append(window)
            size += window.end - window.begin
            if size >= BATCH:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch


def _label(
    labeller: Labeller,
    squeezed: Squeezed,
    batch: list[Window],
    blanks_inside: bool,
    lexical: bool,
    threads: int,
    label_probabilities: bool,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    sequences = labeller.characters(squeezed.text[window.begin : window.end] for window in batch)
    if lexical:
        sequences.annotate_surroundings()
    known = None
    if not blanks_inside:
        pieces = [squeezed.blank[window.begin : window.end] for window in batch]
        known = np.where(np.concatenate(pieces), OUTSIDE, -1).astype(np.int32)
    answer = labeller.label(sequences, known=known, label_probabilities=label_probabilities, threads=threads)
    return answer.numbers[:, 0], answer.label_probabilities


def _collect(batch: list[Window], answer: NDArray[np.int32], labels: NDArray[np.int32]) -> None:
    at = 0
    for window in batch:
        offset = at - window.begin
        labels[window.first : window.stop] = answer[window.first + offset : window.stop + offset]
        at += window.end - window.begin
