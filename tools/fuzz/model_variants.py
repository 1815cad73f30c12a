# SPDX-License-Identifier: Apache-2.0
"""Mutated files of models with other settings than the examples of the tasks, and of packaged models.

The examples are linear models of first order. Here are larger parts, pruners, networks of every storage and encoder,
sums of both scorers, what the package holds (pipelines, phrases and entities with networks), and the other tasks with
the settings of :mod:`tools.fuzz.task_variants`.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import accord
from accord.data import Document, Sentence
from accord.errors import AccordError, ModelError
from accord.models.file import model_path
from accord.models.stored import open_worker
from accord.settings import make_settings
from accord.tasks.parser.both import joined
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.model import Parser
from accord.tasks.parser.model_file import ParserModel
from accord.tasks.parser.training import train_parser
from tests.tasks.parser.neural_cases import EVERY_ARC, SMALL, random_model, random_network, some_words, treebank
from tools.fuzz import task_variants
from tools.fuzz.model_cases import packaged_once
from tools.fuzz.model_files import Parts, mutated

Load = Callable[[Path], Any]  # a worker of a file
Use = Callable[[Any], Any]
_BITS = {"arc_bits": 10, "label_bits": 8, "part_bits": 10, "tree_label_bits": 8, "pair_bits": 8, "pruner_bits": 9,
         "second_pruner_bits": 9}  # fmt: skip
_TINY = {**_BITS, "pruner_epochs": 1, "epochs": 1, "threads": 1}
_PATTERNS = "x: a -> b -> c; b.form = saw, c.upos = NOUN; a < b\n"


def _linear(folder: Path, **values: Any) -> ParserModel:
    if values.pop("patterns", False):
        values["patterns"] = str(folder / "patterns.txt")
        Path(values["patterns"]).write_text(_PATTERNS)
    return train_parser(treebank(), treebank(), make_settings(ParserConfig, {**_TINY, **values})).model


def _network(**neural: Any) -> ParserModel:
    storage = neural.get("storage", "float16")
    plain = random_model(1, {**neural, "storage": "float32"}, order=2)
    assert plain.network is not None
    return dataclasses.replace(plain, network=plain.network.stored(storage))


def _both(folder: Path) -> ParserModel:
    common: dict[str, Any] = {**_TINY, **EVERY_ARC}
    linear = train_parser(treebank(), None, make_settings(ParserConfig, {**common, "order": 2})).model
    config = make_settings(ParserConfig, {**common, "scorer": "neural", "neural": {**SMALL, "tags": "predict"}})
    network = random_network(config.neural, treebank(), labels=len(linear.labels))
    return joined(linear, ParserModel(config, linear.single_root, linear.labels, "", {}, network=network), 0.5)


PARSERS: dict[str, Callable[[Path], ParserModel]] = {
    "second": lambda folder: _linear(folder, order=2),
    "third": lambda folder: _linear(folder, order=3),
    "projective": lambda folder: _linear(folder, order=3, projective=True),
    "labels-of-trees": lambda folder: _linear(folder, order=2, labels="separate", patterns=True),
    "network": lambda folder: _network(),
    "network-of-bytes": lambda folder: _network(storage="int8", precision="int8"),
    "convolution": lambda folder: _network(encoder="convolution", storage="float32"),
    "given-tags": lambda folder: _network(tags="given"),
    "both": _both,
}
PACKAGED = {
    **dict.fromkeys(("sv", "en"), "They saw the girl. Ein Hund bellt nicht, 3.5 år!"),
    "zh": "我昨天去了北京大学。12%",
    **dict.fromkeys(("en-entities", "en-phrases"), "Anna Smith saw London yesterday ."),
}


def _use_parser(parser: Parser) -> None:
    document = Document.from_sentences([some_words(2, 7), some_words(3, 1)])
    parser.parse(document, probabilities=True, tags="auto")
    parser.parse(document, rules=["max-dependents 2 of VERB"])
    parser.kbest(document.sentences[0], 2)


def _of_text(text: str) -> Use:
    def use(worker: Any) -> None:
        if isinstance(worker, accord.Pipeline):
            worker(text, probabilities=True)
        else:
            worker(Document.from_sentences([Sentence.from_words(text.split(), upos=["NOUN"] * len(text.split()))]))

    return use


def _parser(path: Path) -> Parser:
    return open_worker(Parser, ParserModel, path)


def _subject(name: str, folder: Path) -> tuple[str, Load, Use, Parts]:
    if name in PACKAGED:
        return name, accord.load, _of_text(PACKAGED[name]), Parts.of(str(model_path(name)))
    path = folder / f"{name}.accord"
    if name in PARSERS:
        PARSERS[name](folder).save(path)
        return name, _parser, _use_parser, Parts.of(str(path))
    task, example = task_variants.trained_variant(name, path)

    def load(given: Path) -> Any:
        return open_worker(task.worker, task.model, given)

    return name, load, lambda worker: example.predict(worker, example.inputs[:1], 1), Parts.of(str(path))


class VariantCases:
    """Mutated files of all variants and packaged models, or of those that are named."""

    names = (*PARSERS, *PACKAGED, *task_variants.NAMES)

    def __init__(self, folder: Path, names: list[str]) -> None:
        self._folder = folder
        self._subjects = [_subject(name, folder) for name in names or self.names]
        self._once = packaged_once()
        self._once.__enter__()
        for _, load, use, parts in self._subjects:
            path = folder / "good.accord"
            path.write_bytes(parts.to_bytes())
            use(load(path))

    def look(self, case: int) -> str:
        name, load, use, parts = self._subjects[case % len(self._subjects)]
        path = self._folder / "case.accord"
        path.write_bytes(mutated(parts, random.Random(case)))
        try:
            worker = load(path)
        except ModelError as error:
            if "\n" in str(error):
                raise
            return f"{name}: refused"
        try:
            use(worker)
        except AccordError as error:
            if "\n" in str(error):
                raise
            return f"{name}: refused in use"
        return f"{name}: answered"
