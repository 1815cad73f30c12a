"""Joint models as a user holds them: segments with types, for the words of documents or the characters of texts."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.data import Document
from accord.errors import ConfigError, ModelError
from accord.models.blocks import join_blocks, part_of_blocks
from accord.models.file import ModelFile, write_model
from accord.settings import make_settings
from accord.tasks.labeller import Labeller, LabellerModel
from accord.tasks.virtual.config import JointConfig
from accord.tasks.virtual.layers import Layers, Segment
from accord.tasks.weights import Arrays

KIND = "joint"


@dataclass(frozen=True)
class JointModel:
    """All that a trained joint model is. ``characters``: its elements are characters, else words."""

    config: JointConfig
    chain: LabellerModel
    outside: bool
    characters: bool
    card: dict[str, Any] = field(default_factory=dict)

    @property
    def layers(self) -> Layers:
        return Layers(self.config.scheme, self.chain.tags, outside=self.outside)

    def save(self, path: str | Path) -> None:
        write_model(path, *self.to_blocks())

    def to_blocks(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, of a model file or of a part of one."""
        header, arrays = join_blocks({"chain": self.chain.to_blocks()})
        own = {
            "kind": KIND,
            "config": dataclasses.asdict(self.config),
            "outside": self.outside,
            "characters": self.characters,
            "card": self.card,
        }
        return {**own, "parts": header}, arrays

    @staticmethod
    def load(path: str | Path) -> JointModel:
        file = ModelFile(path)
        return JointModel.from_blocks(file.header, file.arrays, file.path)

    @staticmethod
    def from_blocks(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> JointModel:
        if header.get("kind") != KIND:
            raise ModelError(f"{path}: a model of kind {header.get('kind')!r}, not a joint model")
        try:
            chain = LabellerModel.from_blocks(*part_of_blocks(header["parts"], arrays, "chain"), path)
            config = make_settings(JointConfig, header["config"])
            return JointModel(config, chain, bool(header["outside"]), bool(header["characters"]), dict(header["card"]))
        except (KeyError, TypeError, ValueError, ConfigError) as error:
            raise ModelError(f"{path}: not a joint model this version understands ({error})") from None


@dataclass(frozen=True)
class RankedSegments:
    """One of the k best covers of a sequence, its score and its probability."""

    segments: tuple[Segment, ...]
    score: float
    probability: float


class JointLabeller:
    """A joint model ready to work: immutable, shared by any number of threads."""

    def __init__(self, model: JointModel) -> None:
        self.model = model
        self.layers = model.layers
        self._chain = Labeller(model.chain)

    @staticmethod
    def load(path: str | Path) -> JointLabeller:
        return JointLabeller(JointModel.load(path))

    def sequences(self, elements: Document | Iterable[str]) -> _text.Sequences:
        """What the model labels: the words of a document, or the characters of texts."""
        if isinstance(elements, Document) == self.model.characters:
            raise ConfigError(f"this model labels {'characters of texts' if self.model.characters else 'words'}")
        return self._chain.words(elements) if isinstance(elements, Document) else self._chain.characters(elements)

    def __call__(self, elements: Document | Iterable[str], *, threads: int = 0) -> list[list[Segment]]:
        """The segments of each sentence or text."""
        return [self.layers.decode(part) for part in self.numbers(elements, threads=threads)]

    def numbers(self, elements: Document | Iterable[str], *, threads: int = 0) -> list[NDArray[np.int32]]:
        """The labels of both layers, one row an element, of each sentence or text."""
        sequences = self.sequences(elements)
        numbers = self._chain.label(sequences, threads=threads).numbers
        ends = np.cumsum(sequences.lengths())
        return list(np.split(numbers, ends[:-1])) if len(ends) else []

    def kbest(self, elements: Document | Iterable[str], sequence: int, k: int) -> list[RankedSegments]:
        """The k best covers of one sentence or text, best first."""
        ranked = self._chain.kbest(self.sequences(elements), sequence, k)
        return [
            RankedSegments(tuple(self.layers.decode(one.numbers)), one.score, float(np.exp(one.log_probability)))
            for one in ranked
        ]
