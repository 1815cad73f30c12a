# SPDX-License-Identifier: Apache-2.0
"""A trained network as models hold it: its settings, what it knows of its treebank, and its weights.

Words, affixes and tags are known by the hash of their attribute, so a model holds numbers and no strings of its inputs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import neural as _neural
from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data import Document
from accord.errors import AccordError, ModelError
from accord.models import stored
from accord.models.file import join_blocks, part_of_blocks, text_block, text_of_block
from accord.models.stored import stored_settings
from accord.tasks.lemmatizer import lemma_rule
from accord.tasks.network.config import NeuralConfig
from accord.tasks.network.storage import SCALES, restore, store

Array = NDArray[Any]
TASKS = ("upos", "xpos", "feats", "lemma")
CHAIN = "label"  # the task of networks that score the labels of chains


@dataclass(frozen=True)
class Field:
    """One attribute of a word, and the values of it that have a row of their own, in the order of their hashes."""

    name: str
    keys: NDArray[np.uint64]


@dataclass(frozen=True)
class LemmaGuide:
    """Which lemma rules a word may follow; see ``core/neural/lemma_guide.hpp``.

    ``keys``: of forms with parts of speech, sorted. ``rules[starts[i]:starts[i + 1]]``: the rules of a key. ``often``:
    parts of speech x rules, whether forms that were not seen may follow a rule.
    """

    keys: NDArray[np.uint64]
    starts: NDArray[np.uint32]
    rules: NDArray[np.uint16]
    often: NDArray[np.uint8]

    def native(self) -> _neural.LemmaGuide:
        return _neural.LemmaGuide(self.keys, self.starts, self.rules, self.often)

    def arrays(self) -> dict[str, Array]:
        return {f"lemmas.{field.name}": getattr(self, field.name) for field in dataclasses.fields(self)}

    @staticmethod
    def from_arrays(arrays: Mapping[str, Array], size: Any) -> LemmaGuide:
        often = arrays["lemmas.often"]
        if len(arrays["lemmas.keys"]) != size:
            raise ValueError("array 'lemmas.keys' has another size")
        if often.dtype != np.uint8 or often.ndim != 2:
            raise ValueError("array 'lemmas.often' is no table of bytes")
        return LemmaGuide(
            _list(arrays, "lemmas.keys", np.uint64),
            _list(arrays, "lemmas.starts", np.uint32),
            _list(arrays, "lemmas.rules", np.uint16),
            often,
        )


@dataclass(frozen=True)
class Vocabulary:
    """Inputs, characters and classes. The first ``words`` fields are summed as the word, the others as its tags.

    ``readings``: the classes of the first tasks that were seen together, one row each; None where each task chooses for
    itself, as in files of older versions. ``guide``: which lemma rules a word may follow; None: all.
    """

    fields: tuple[Field, ...]
    words: int
    characters: NDArray[np.uint32]
    classes: Mapping[str, tuple[str, ...]]
    clusters: str = ""
    readings: NDArray[np.int32] | None = None
    guide: LemmaGuide | None = None

    @cached_property
    def reader(self) -> _neural.InputReader:
        fields = [(field.name, 1, field.keys) for field in self.fields]
        return _neural.InputReader(fields, self.characters, _text.ClusterLexicon.read(self.clusters.encode()))

    def with_vectors(self, attribute: str, keys: NDArray[np.uint64]) -> Vocabulary:
        """The same, and words with given vectors, which are the last ones of the words."""
        fields = (*self.fields[: self.words], Field(attribute, keys), *self.fields[self.words :])
        return dataclasses.replace(self, fields=fields, words=self.words + 1)

    def lemmas(self, document: Document, classes: NDArray[np.int32]) -> list[str]:
        """Lemmas by the numbers of rules; the form where a rule does not fit."""
        rules = self.classes["lemma"]
        return [
            _tasks.apply_lemma_rule(rules[number], form) or form
            for form, number in zip(document.column("form"), classes.tolist(), strict=True)
        ]

    def to_blocks(self) -> tuple[dict[str, Any], dict[str, Array]]:
        header = {
            "fields": [field.name for field in self.fields],
            "words": self.words,
            "classes": {task: list(names) for task, names in self.classes.items()},
        }
        arrays: dict[str, Array] = {f"keys.{index}": field.keys for index, field in enumerate(self.fields)}
        arrays["alphabet"] = self.characters
        arrays["clusters"] = text_block(self.clusters)
        if self.readings is not None:
            arrays["readings"] = self.readings
            header["readings"] = len(self.readings)
        if self.guide is not None:
            arrays |= self.guide.arrays()
            header["guide"] = len(self.guide.keys)
        return header, arrays

    @staticmethod
    def from_blocks(header: Mapping[str, Any], arrays: Mapping[str, Array]) -> Vocabulary:
        """Raises KeyError, TypeError, ValueError or AttributeError for blocks that are none."""
        attributes = stored.names(header["fields"], distinct=False)  # given vectors may stand beside learnt ones
        fields = tuple(Field(name, _list(arrays, f"keys.{i}", np.uint64)) for i, name in enumerate(attributes))
        named = dict(header["classes"])
        if foreign := sorted(set(named) - {*TASKS, CHAIN}):
            raise ValueError(f"there are no classes of {', '.join(foreign)}")
        kinds = {task: lemma_rule if task == "lemma" else stored.name for task in (*TASKS, CHAIN)}
        classes = {task: tuple(map(kind, named[task])) for task, kind in kinds.items() if task in named}
        clusters = text_of_block(arrays["clusters"])
        readings, guide = None, None
        if "readings" in header:
            readings = arrays["readings"]
            if readings.dtype != np.int32 or readings.ndim != 2 or len(readings) != header["readings"]:
                raise ValueError("array 'readings' is no table of int32, or has another size")
        if "guide" in header:
            guide = LemmaGuide.from_arrays(arrays, header["guide"])
        return Vocabulary(
            fields,
            stored.whole(0, len(fields))(header["words"]),
            _list(arrays, "alphabet", np.uint32),
            classes,
            clusters,
            readings,
            guide,
        )


@dataclass(frozen=True)
class NetworkModel:
    """Everything that ``core/neural`` needs. ``labels``: how many; ``parts``: the kinds of larger parts it scores."""

    config: NeuralConfig
    vocabulary: Vocabulary
    labels: int
    parts: tuple[str, ...]
    weights: Mapping[str, Array]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tags it predicts, in the order of its answers."""
        return tuple(self.vocabulary.classes)

    @property
    def size(self) -> int:
        """Number of its weights."""
        return sum(array.size for name, array in self.weights.items() if not name.endswith(SCALES))

    def stored(self, storage: str) -> NetworkModel:
        """The same network with its weights stored in another way; see :mod:`accord.tasks.network.storage`."""
        config = dataclasses.replace(self.config, storage=storage)
        return dataclasses.replace(self, config=config, weights=store(restore(self.weights), storage))

    def native(self, precision: str | None = None) -> _neural.Network:
        """The network at work, in ``precision`` "float32" or "int8"; None: as its settings say."""
        config, vocabulary = self.config, self.vocabulary
        predicts = bool(vocabulary.classes)
        layer = config.layers if config.tag_layer == 0 else min(config.tag_layer, config.layers)
        try:
            shape = _neural.NetworkShape(
                encoder=config.encoder,
                word_fields=vocabulary.words,
                word_size=config.word_size,
                tag_size=config.tag_size,
                character_size=config.character_size,
                filters=config.filters,
                layers=config.layers,
                units=config.units,
                reach=config.reach,
                arc_size=config.arc_size,
                label_size=config.label_size,
                labels=self.labels,
                tag_hidden=config.tag_hidden,
                tag_layer=layer if predicts else 0,
                tasks=[(task, len(names)) for task, names in vocabulary.classes.items()],
                parts=list(self.parts),
                rank=config.rank,
                readings=vocabulary.readings,
                lemmas=None if vocabulary.guide is None else vocabulary.guide.native(),
            )
            floats = [(n, a.reshape(-1)) for n, a in self.weights.items() if a.dtype == np.float32]
            halves = [(n, a.reshape(-1).view(np.uint16)) for n, a in self.weights.items() if a.dtype == np.float16]
            bytes_of = [
                (n, a.reshape(-1, a.shape[-1]), self.weights[n + SCALES])
                for n, a in self.weights.items()
                if a.dtype == np.int8
            ]
            return _neural.Network(
                shape, vocabulary.reader, floats, halves, bytes_of, _arithmetic(precision or config.precision)
            )
        except (KeyError, ValueError, AccordError) as error:
            raise ModelError(f"the network's parts do not fit together: {error}") from None
        except TypeError:  # whose message lists the signatures of native functions
            raise ModelError("the network's parts do not fit together: something is of another type") from None

    def to_blocks(self) -> tuple[dict[str, Any], dict[str, Array]]:
        header, arrays = join_blocks({"vocabulary": self.vocabulary.to_blocks(), "weights": ({}, dict(self.weights))})
        about = {
            "config": dataclasses.asdict(self.config),
            "labels": self.labels,
            "parts": list(self.parts),
            "vocabulary": header["vocabulary"],
        }
        return about, arrays

    @staticmethod
    def from_blocks(header: Mapping[str, Any], arrays: Mapping[str, Array]) -> NetworkModel:
        """Raises KeyError, TypeError, ValueError, AttributeError or ConfigError for blocks that are no network."""
        parts = {"vocabulary": header["vocabulary"], "weights": {}}
        _, weights = part_of_blocks(parts, arrays, "weights")
        return NetworkModel(
            config=stored_settings(NeuralConfig, header["config"]),
            vocabulary=Vocabulary.from_blocks(*part_of_blocks(parts, arrays, "vocabulary")),
            labels=stored.whole(0, 1 << 20)(header["labels"]),
            parts=stored.names(header["parts"]),
            weights=weights,
        )


def _arithmetic(precision: str) -> str:
    """What "auto" means here: products of bytes are slower than those of floats where there are no vectors of them."""
    if precision != "auto":
        return precision
    return "float32" if _neural.simd() == "portable" else "int8"


def _list(arrays: Mapping[str, Array], name: str, kind: type[Any]) -> Array:
    array = arrays[name]
    if array.dtype != kind or array.ndim != 1:  # native functions would convert, and lose digits
        raise ValueError(f"array {name!r} is no list of {kind.__name__}")
    return array
