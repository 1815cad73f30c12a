# SPDX-License-Identifier: Apache-2.0
"""What a labeller is to learn, and what all ways to learn it have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError
from accord.models.stored import Weights
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.labeller.config import LabellerConfig
from accord.tasks.labeller.model_file import LabellerModel, Lexicon, Masks, SegmentType, native_settings
from accord.tasks.network.config import NeuralConfig
from accord.tasks.setting_files import read_setting_file, read_template_sets
from accord.tasks.sparsity.selection import Features

Made = TypeVar("Made")
PAD = 1  # least width of the rows of frozen tables


@dataclass(frozen=True)
class Problem:
    """What is to be learnt: sequences, their labels (one row a token, one column a layer), and the labels' names."""

    sequences: _text.Sequences
    numbers: NDArray[np.int32]
    labels: tuple[str, ...]
    tags: tuple[str, ...] = ()
    masks: Masks = field(default_factory=Masks)
    lexicon: Lexicon = field(default_factory=Lexicon)
    costs: tuple[NDArray[np.float64], ...] = ()  # by layer: [gold][label]
    segments: tuple[SegmentType, ...] = ()  # a semi-Markov chain; none: labels of tokens
    neural: NeuralConfig | None = None  # a network scores the labels of the words of ``document``
    document: Document | None = None
    templates: str = ""  # the text of the templates, where they do not come from the setting of that name
    features: tuple[Features, ...] = ()  # by block: the only features that are to learn; empty: all
    layers: tuple[tuple[str, ...], ...] = ()  # names of all layers of a chain of several; the first is ``labels``


def number_labels(names: Sequence[str], known: Sequence[str] = ()) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The distinct names, sorted behind the known ones, and each name's number."""
    alphabet = (*known, *sorted(set(names) - set(known)))
    index = {name: number for number, name in enumerate(alphabet)}
    return alphabet, np.array([index[name] for name in names], np.int32)


def read_templates(names: str) -> str:
    """Templates of a name inside the package or of a file; several are joined by '+'."""
    return read_template_sets("accord.tasks.labeller", names.split("+"))


def native(make: Callable[[], Made]) -> Made:
    """What a native constructor makes; what it refuses is a mistake in the settings."""
    try:
        return make()
    except ValueError as error:
        raise ConfigError(str(error)) from None


class PreparedProblem:
    """A problem with the texts and native settings that its learner and its model need."""

    def __init__(self, problem: Problem, config: LabellerConfig) -> None:
        self.problem = problem
        self.config = config
        self.templates = problem.templates or read_templates(config.templates)
        self.clusters = read_setting_file("clusters", config.clusters)
        self.cluster_lexicon = cluster_lexicon(self.clusters)
        self.numbers = np.ascontiguousarray(problem.numbers, np.int32).reshape(-1)
        sizes = len(problem.labels), len(problem.tags)
        self.settings = native(
            lambda: native_settings(
                config, *sizes, self.templates, problem.masks, segments=problem.segments, layers=problem.layers
            )
        )

    def model(self, tables: Sequence[Any]) -> LabellerModel:
        """The model of frozen tables."""
        problem, width = self.problem, self.config.bytes
        named = zip(self.settings.blocks, tables, strict=True)
        return LabellerModel(
            config=self.config,
            labels=problem.labels,
            tags=problem.tags,
            templates=self.templates,
            tables={name: Weights.from_native(table, width) for (name, _), table in named},
            masks=problem.masks,
            lexicon=problem.lexicon,
            clusters=self.clusters,
            segments=problem.segments,
            layers=problem.layers,
        )
