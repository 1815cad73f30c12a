# SPDX-License-Identifier: Apache-2.0
"""XPOS and FEATS of words whose parts of speech are known, always a combination that the treebank has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError
from accord.models import stored
from accord.models.stored import Arrays, Weights, tables_from_blocks, tables_to_blocks, understood
from accord.tasks.tagger.config import TaggerConfig


class Analyses:
    """A trained choice of analyses."""

    def __init__(self, lexicon: _tasks.AnalyserLexicon, templates: str, weights: Weights) -> None:
        self._lexicon = lexicon
        self._templates = templates
        self._weights = weights
        self._native = _tasks.Analyser(lexicon, templates)
        self._columns = [tuple(analysis.split("\t")[1:]) for analysis in lexicon.analyses]

    @staticmethod
    def train(document: Document, config: TaggerConfig) -> Analyses:
        from accord.learning import epoch_order  # only here: those who tag do not train
        from accord.tasks.labeller.problem import read_templates

        sequences = _text.DocumentSequences(document.native)
        templates = read_templates(config.analysis_templates)
        lexicon = _tasks.AnalyserLexicon.build(sequences, config.frequent, config.most)
        try:
            trainer = _tasks.AnalyserTrainer(sequences, lexicon, templates, config.analysis_bits, config.analysis_rate)
        except ValueError as error:
            raise ConfigError(str(error)) from None
        for epoch in range(config.analysis_epochs):
            trainer.update(epoch_order(len(sequences), config.seed, epoch))
        return Analyses(lexicon, templates, Weights.from_native(trainer.freeze(), 2))

    def __call__(self, document: Document, threads: int = 0) -> tuple[list[str], list[str]]:
        """XPOS and FEATS of all words; ``_`` where the part of speech is unknown to the model."""
        sequences = _text.DocumentSequences(document.native)
        table = self._weights
        numbers = self._native.analyse(sequences, table.bits, table.scale, table.values, threads).tolist()
        columns = [*self._columns, ("_", "_")]
        return [columns[number][0] for number in numbers], [columns[number][1] for number in numbers]

    def to_blocks(self) -> tuple[dict[str, Any], Arrays]:
        keys, starts, candidates = self._lexicon.arrays()
        about, arrays = tables_to_blocks({"weights": self._weights})
        header = {"analyses": list(self._lexicon.analyses), "templates": self._templates, "tables": about}
        return header, {**arrays, "keys": keys, "starts": starts, "candidates": candidates}

    @staticmethod
    def from_blocks(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> Analyses:
        with understood(path, "tagger"):
            columns = [stored.text(analysis) for analysis in header["analyses"]]
            for column in columns:
                stored.names(column.split("\t"), distinct=False)
            lexicon = _tasks.AnalyserLexicon(columns, arrays["keys"], arrays["starts"], arrays["candidates"])
            weights = tables_from_blocks(header["tables"], arrays)["weights"]
            if weights.width != 1 or weights.values.dtype != np.int16:
                raise ValueError("weights of analyses are single numbers of two bytes")
            return Analyses(lexicon, stored.text(header["templates"]), weights)
