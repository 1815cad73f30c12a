# SPDX-License-Identifier: Apache-2.0
"""Parsers with small random networks, made without PyTorch, and sentences for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord import Document, Parser, Sentence
from accord._core import tasks as _tasks
from accord.settings import make_settings
from accord.tasks.network.config import NeuralConfig
from accord.tasks.network.model import NetworkModel, Vocabulary
from accord.tasks.network.vocabulary import collect_vocabulary
from accord.tasks.parser import ParserConfig, ParserModel
from tests.conftest import toy_document
from tests.inference.enumerated_trees import Space
from tests.inference.rules.obeyed_rules import LABELS

Array = NDArray[Any]
SMALL = {
    "word_size": 12,
    "character_size": 5,
    "filters": 7,
    "tag_size": 6,
    "units": 8,
    "arc_size": 9,
    "label_size": 7,
    "tag_hidden": 6,
    "rank": 5,
}
CLUSTERS = "0101\tcat\n0110\tdog\n1\tsaw\n"
EVERY_ARC = {"pruner_heads": 20, "pruner_threshold": 0.0}  # of short sentences
SINGLE = Space(projective=False, single_root=True)


def shapes(
    config: NeuralConfig, vocabulary: Vocabulary, labels: int, parts: tuple[str, ...]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The arrays of a network, by what docs and ``core/neural/network.hpp`` say of it."""
    tagged, top = len(vocabulary.fields) > vocabulary.words, 2 * config.units
    width = config.word_size + (config.filters if config.character_size else 0) + (config.tag_size if tagged else 0)
    layer = min(config.tag_layer or config.layers, config.layers) if vocabulary.classes else config.layers

    def linear(name: str, outputs: int, inputs: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        yield name, (outputs, inputs)
        yield f"{name}_bias", (outputs,)

    for index, field in enumerate(vocabulary.fields):
        size = config.word_size if index < vocabulary.words else config.tag_size
        yield f"input.{index}", (len(field.keys) + 1, size)
    if config.character_size:
        yield "characters", (len(vocabulary.characters) + 3, config.character_size)
        yield from linear("filters", config.filters, 3 * config.character_size)
    yield "root", (width,)
    if config.encoder == "convolution":
        yield from linear("projection", top, width)
        if layer < config.layers:
            yield from linear("tag_projection", top, config.tag_hidden)
    for number in range(config.layers):
        name = f"encoder.{number}"
        if config.encoder == "convolution":
            yield from linear(name, 2 * top, (2 * config.reach + 1) * top)
            continue
        inputs = (top if number else width) + (config.tag_hidden if number == layer else 0)
        for side in ("forward", "backward"):
            yield f"{name}.{side}.input", (4 * config.units, inputs)
            yield f"{name}.{side}.recurrent", (4 * config.units, config.units)
            yield f"{name}.{side}.bias", (4 * config.units,)
    yield from linear("arc_head", config.arc_size, top)
    yield from linear("arc_dependent", config.arc_size, top)
    yield from linear("arc_form", config.arc_size, config.arc_size)
    if labels:
        yield from linear("label_head", config.label_size, top)
        yield from linear("label_dependent", config.label_size, top)
        yield "label_form", (labels, config.label_size + 1, config.label_size + 1)
    if vocabulary.classes:
        yield from linear("tag_hidden", config.tag_hidden, top)
        for task, names in vocabulary.classes.items():
            yield from linear(f"class.{task}", len(names), config.tag_hidden)
    for part in parts:
        yield from linear(f"part.{part}", 3 * config.rank, top)
        yield f"nowhere.{part}", (3 * config.rank,)


def random_network(
    config: NeuralConfig,
    known: Document,
    *,
    labels: int,
    parts: tuple[str, ...] = (),
    seed: int = 1,
    clusters: str = "",
) -> NetworkModel:
    """A network that knows the words of a document and nothing of language."""
    random = np.random.default_rng(seed)
    vocabulary = collect_vocabulary(known, config, clusters)
    weights: dict[str, Array] = {}
    for name, shape in shapes(config, vocabulary, labels, parts):
        deviation = 0.7 if name.startswith(("input", "root", "label_form", "nowhere")) else 1.2 / np.sqrt(shape[-1])
        deviation *= 2.0 if name.startswith("arc") else 1.0
        weights[name] = (random.standard_normal(shape) * deviation).astype(config.storage)
    return NetworkModel(config, vocabulary, labels, parts, weights)


def treebank() -> Document:
    """What the networks know: the toy language, with something in every column."""
    document = toy_document(30, 1)
    return document.replace(
        lemmas=[form.removesuffix("ed").lower() for form in document.column("form")],
        feats=["Number=Sing|Case=Nom" if tag == "NOUN" else "_" for tag in document.column("upos")],
    )


@cache
def _model(neural: tuple[tuple[str, Any], ...], parser: tuple[tuple[str, Any], ...], seed: int) -> ParserModel:
    own: Mapping[str, Any] = {**SMALL, **dict(neural)}
    config = make_settings(ParserConfig, {"scorer": "neural", "neural": own, **EVERY_ARC, **dict(parser)})
    labels = () if config.label_mode() == "none" else LABELS
    network = random_network(
        config.neural, treebank(), labels=len(labels), parts=config.part_names(), seed=seed, clusters=CLUSTERS
    )
    single_root = config.single_root != "false"
    return ParserModel(config, single_root, labels, "", {}, network=network, card={"data": "none"})


def random_model(seed: int = 1, neural: Mapping[str, Any] | None = None, **parser: Any) -> ParserModel:
    """A parser of these settings; the settings of its network stand in ``neural``."""
    return _model(tuple((neural or {}).items()), tuple(parser.items()), seed)


def random_parser(seed: int = 1, neural: Mapping[str, Any] | None = None, **parser: Any) -> Parser:
    return Parser(random_model(seed, neural, **parser))


def in_space(space: Space) -> dict[str, Any]:
    return {"projective": space.projective, "single_root": "true" if space.single_root else "false"}


def some_words(seed: int, words: int) -> Sentence:
    """Words of the toy language and others in no order, without tags or trees."""
    random = np.random.default_rng(seed)
    pool = ["the", "cat", "dog", "saw", "yesterday", ".", "old", "Zürich", "猫", "unheard-of", "12:30"]
    forms = [str(random.choice(pool)) for _ in range(words)]
    return Sentence.from_words(forms, upos=[str(random.choice(["NOUN", "VERB", "PUNCT"])) for _ in forms])


def label_scores(parser: Parser, sentence: Sentence) -> NDArray[np.float64]:
    """Logarithms of the probabilities of labels by [head, dependent, label]; 0 where there is no arc."""
    size = len(sentence) + 1
    everything = np.ones(size * size, np.uint8)
    document = Document.from_sentences([sentence])
    parts = _tasks.sentence_parts(
        parser._native, document.native, 0, everything, everything, prune=False, projective=False
    )
    assert parts is not None
    scores = np.zeros((size, size, len(parser.labels)))
    scores[parts.heads, parts.dependents] = parts.label_scores
    return scores
