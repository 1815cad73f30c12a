# SPDX-License-Identifier: Apache-2.0
"""All that a trained compressor is, to and from a model file.

A linear model (``joint``, ``relaxed``, ``bigram``, ``tree``) has weights of word, bigram and arc features, and
(``status``, ``status_bigram``) of the statuses of a word and its head. A chain
(``crf``, ``rerank``) has a labeller, a language model and, to rerank, weights of whole compressions. The methods
``grammar`` and ``trimmer`` have settings alone. All that is trained has a bonus for kept words, which makes
compressions without a budget as long as those of people (:mod:`~accord.tasks.compressor.calibration`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.models import stored
from accord.models.file import Blocks, join_blocks, part_of_blocks, text_block, text_of_block
from accord.models.stored import StoredModel
from accord.tasks.compressor.choosing import ChoiceWeights
from accord.tasks.compressor.config import CompressorConfig
from accord.tasks.compressor.language_model import LanguageModel
from accord.tasks.compressor.linear import LinearCompressor
from accord.tasks.compressor.parts import SECTIONS
from accord.tasks.labeller import LabellerModel

_TABLES = 3  # of weights, unless a file says otherwise


@dataclass(frozen=True)
class CompressorModel(StoredModel):
    """A compressor: its settings and what was learnt."""

    kind = "compressor"
    title = "compressor"
    settings = CompressorConfig

    config: CompressorConfig = field(default_factory=CompressorConfig)
    linear: LinearCompressor | None = None
    chain: LabellerModel | None = None
    language_model: LanguageModel | None = None
    reranker: ChoiceWeights | None = None
    length_bonus: float = 0.0

    def own_blocks(self) -> Blocks:
        header: dict[str, Any] = {}
        arrays: dict[str, NDArray[Any]] = {}
        if self.linear is not None:
            header["linear"] = {"bits": self.linear.bits, "scale": self.linear.scale}
            if self.linear.values.size > _TABLES << self.linear.bits:
                header["linear"]["tables"] = self.linear.values.size >> self.linear.bits
            arrays = {"weights": self.linear.values, "templates": text_block(self.linear.templates)}
        if self.chain is not None:
            header["parts"], arrays = join_blocks({"chain": self.chain.to_blocks()})
        if self.language_model is not None:
            arrays["language_model"] = text_block(self.language_model.to_text())
        if self.reranker is not None:
            header["reranker"] = {"bits": self.reranker.bits}
            arrays["reranker"] = self.reranker.weights
        if self.length_bonus:
            header["length_bonus"] = self.length_bonus
        return header, arrays

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> dict[str, Any]:
        found: dict[str, Any] = {"length_bonus": stored.number()(header.get("length_bonus", 0.0))}
        if "linear" in header:
            about = header["linear"]
            bits, scale = stored.whole(4, 28)(about["bits"]), stored.number(0)(about["scale"])
            tables = stored.whole(_TABLES, len(SECTIONS))(about.get("tables", _TABLES))
            values = stored.row(arrays, "weights", np.int16, tables << bits)
            found["linear"] = LinearCompressor(text_of_block(arrays["templates"]), bits, scale, values)
        if "parts" in header:
            found["chain"] = LabellerModel.from_blocks(*part_of_blocks(header["parts"], arrays, "chain"), path)
        if "language_model" in arrays:
            found["language_model"] = LanguageModel.from_text(text_of_block(arrays["language_model"]))
        if "reranker" in header:
            bits = stored.whole(4, 28)(header["reranker"]["bits"])
            weights = stored.row(arrays, "reranker", np.float32, 1 << bits)
            found["reranker"] = ChoiceWeights(bits, weights)
        return found
