# SPDX-License-Identifier: Apache-2.0
"""What a network knows of its treebank: rows of its embedding tables and classes of its predictions.

Words, affixes and tags are known by the hash of their attribute, so a model holds numbers and no strings of its inputs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import neural as _neural
from accord._core import tasks as _tasks
from accord.data import Document
from accord.errors import ConfigError
from accord.models.file import text_block, text_of_block
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.network.config import NeuralConfig
from accord.tasks.network.vectors import WordVectors

Array = NDArray[Any]
TAG_INPUTS = ("upos", "xpos", "feats")
TASKS = ("upos", "xpos", "feats", "lemma")
UNKNOWN = -100  # the class of a value that is not learnt


@dataclass(frozen=True)
class Field:
    """One attribute of a word, and the values of it that have a row of their own, in the order of their hashes."""

    name: str
    keys: NDArray[np.uint64]


@dataclass(frozen=True)
class Vocabulary:
    """Inputs, characters and classes. The first ``words`` fields are summed as the word, the others as its tags."""

    fields: tuple[Field, ...]
    words: int
    characters: NDArray[np.uint32]
    classes: Mapping[str, tuple[str, ...]]
    clusters: str = ""

    @staticmethod
    def collect(document: Document, config: NeuralConfig, clusters: str = "") -> Vocabulary:
        """From a training treebank."""
        return Vocabulary.collect_with_counts(document, config, clusters)[0]

    @staticmethod
    def collect_with_counts(
        document: Document, config: NeuralConfig, clusters: str = "", vectors: WordVectors | None = None
    ) -> tuple[Vocabulary, list[NDArray[np.int64]]]:
        """The same, and how often each row of each field was seen, the unknown one counting as never.

        Words with given vectors are the last of the word fields; they are not counted.
        """
        words = config.input_names(clusters=bool(clusters))
        names = [*words, *(TAG_INPUTS if config.tags == "given" else ())]
        try:
            found = _neural.count_values(document.native, names, cluster_lexicon(clusters))
        except ValueError as error:
            raise ConfigError(f"inputs = {config.inputs!r}: {error}") from None
        fields, counts = [], []
        for name, (values, seen) in zip(names, found, strict=True):
            kept = seen >= (1 if name in TAG_INPUTS else config.least_count)
            fields.append(Field(name, values[kept]))
            counts.append(np.concatenate([[0], seen[kept].astype(np.int64)]))
        if vectors is not None:
            fields.insert(len(words), Field(vectors.attribute, vectors.keys))
            counts.insert(len(words), np.zeros(0, np.int64))
        points, seen = _neural.count_characters(document.native)
        characters = points[seen >= config.least_count].astype(np.uint32)
        classes = _classes(document) if config.tags == "predict" else {}
        summed = len(words) + (vectors is not None)
        return Vocabulary(tuple(fields), summed, characters, classes, clusters), counts

    @cached_property
    def reader(self) -> _neural.InputReader:
        fields = [(field.name, 1, field.keys) for field in self.fields]
        return _neural.InputReader(fields, self.characters, cluster_lexicon(self.clusters))

    def gold(self, document: Document, task: str) -> NDArray[np.int64]:
        """The class of each word of a document in a task; UNKNOWN where it has none that is known."""
        numbers = {name: number for number, name in enumerate(self.classes[task])}
        return np.array([numbers.get(value, UNKNOWN) for value in _values(document, task)], np.int64)

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
        return header, arrays

    @staticmethod
    def from_blocks(header: Mapping[str, Any], arrays: Mapping[str, Array]) -> Vocabulary:
        """Raises KeyError, TypeError, ValueError or AttributeError for blocks that are none."""
        fields = tuple(Field(name, _list(arrays, f"keys.{i}", np.uint64)) for i, name in enumerate(header["fields"]))
        named = dict(header["classes"])
        if foreign := sorted(set(named) - set(TASKS)):
            raise ValueError(f"there are no classes of {', '.join(foreign)}")
        classes = {task: tuple(str(name) for name in named[task]) for task in TASKS if task in named}
        for rule in classes.get("lemma", ()):
            _tasks.apply_lemma_rule(rule, "word")  # ValueError where it is no rule
        clusters = text_of_block(arrays["clusters"])
        return Vocabulary(fields, int(header["words"]), _list(arrays, "alphabet", np.uint32), classes, clusters)


def _list(arrays: Mapping[str, Array], name: str, kind: type[Any]) -> Array:
    array = arrays[name]
    if array.dtype != kind or array.ndim != 1:  # native functions would convert, and lose digits
        raise ValueError(f"array {name!r} is no list of {kind.__name__}")
    return array


def _values(document: Document, task: str) -> list[str]:
    if task != "lemma":
        return list(document.column(task))
    pairs = zip(document.column("form"), document.column("lemma"), strict=True)
    known: dict[tuple[str, str], str] = {}
    values = []
    for form, lemma in pairs:
        if (form, lemma) not in known:
            known[form, lemma] = "_" if lemma == "_" else _tasks.derive_lemma_rule(form, lemma)
        values.append(known[form, lemma])
    return values


def _classes(document: Document) -> dict[str, tuple[str, ...]]:
    """The classes of each task that the treebank annotates; lemma rules seen once are not learnt."""
    found: dict[str, tuple[str, ...]] = {}
    for task in TASKS:
        counts = Counter(_values(document, task))
        if task == "lemma":
            counts = Counter({rule: count for rule, count in counts.items() if count > 1 and rule != "_"})
        if len(counts) > 1:
            found[task] = tuple(sorted(counts))
    return found
