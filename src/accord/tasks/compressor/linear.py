# SPDX-License-Identifier: Apache-2.0
"""The trained weights of a linear compressor: whole numbers of two bytes times a scale."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.parts import SECTIONS, PartFeatures, Scores
from accord.tasks.compressor.templates import Templates, compile_templates

_LARGEST = 32767


def sections_of(method: str) -> tuple[str, ...]:
    """The kinds of parts whose features a method needs."""
    return {
        "tree": ("word", "tree"),
        "bigram": ("word", "bigram"),
        "status": ("word", "status"),
        "status_bigram": ("word", "bigram", "status"),
    }.get(method, ("word", "bigram", "arc"))


def tables_of(method: str) -> int:
    """How many weight tables a model of a method has; only statuses need the fourth."""
    return len(SECTIONS) if "status" in sections_of(method) else len(SECTIONS) - 1


@dataclass(frozen=True)
class LinearCompressor:
    """Templates and weights, which give the parts of a sentence their scores."""

    templates: str
    bits: int
    scale: float
    values: NDArray[np.int16]

    @staticmethod
    def freeze(weights: NDArray[np.float64], bits: int, templates: str) -> LinearCompressor:
        """Weights rounded to whole multiples of a scale; sums of them are exact."""
        scale = float(np.abs(weights).max()) / _LARGEST or 1.0
        return LinearCompressor(templates, bits, scale, np.rint(weights / scale).astype(np.int16))

    @cached_property
    def _compiled(self) -> Templates:
        return compile_templates(self.templates)

    @cached_property
    def _wide(self) -> NDArray[np.int64]:
        return self.values.astype(np.int64)

    def scores(self, analysis: Analysis, method: str, of_words: float = 0.0) -> Scores:
        """The scores of all parts of a sentence; ``of_words`` is added to those of words."""
        features = PartFeatures(analysis, self._compiled, self.bits, sections_of(method))
        found = features.scores(self._wide).times(self.scale)
        return dataclasses.replace(found, words=found.words + of_words) if of_words else found
