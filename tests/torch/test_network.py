# SPDX-License-Identifier: Apache-2.0
"""The forward pass of the core against the same network in PyTorch."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from accord.data import Document, Sentence  # noqa: E402
from accord.tasks.network.config import NeuralConfig  # noqa: E402
from accord.tasks.network.model import NetworkModel  # noqa: E402
from accord.tasks.parser import Parser, ParserModel  # noqa: E402
from accord.tasks.parser.config import ParserConfig  # noqa: E402
from accord.torch.export import from_arrays, network_of, to_arrays  # noqa: E402
from accord.torch.network import Network  # noqa: E402
from accord.torch.training import NetworkTrainer  # noqa: E402

LABELS = ("det", "nsubj", "obj", "root")
WORDS = ("the", "cat", "saw", "A", "dog", "Zürich", "unbelievably", "12:30", "猫", "-")


def treebank(seed: int, lengths: tuple[int, ...]) -> Document:
    random = np.random.default_rng(seed)
    sentences = []
    for length in lengths:
        forms = [str(random.choice(WORDS)) for _ in range(length)]
        heads = [0, *(int(random.integers(1, word)) for word in range(2, length + 1))]
        sentences.append(
            Sentence.from_words(
                forms,
                heads=heads,
                deprels=["root", *(str(random.choice(LABELS[:3])) for _ in range(length - 1))],
                upos=[str(random.choice(["NOUN", "VERB"])) for _ in forms],
                lemmas=[form.lower() for form in forms],
            )
        )
    return Document.from_sentences(sentences)


def trained(config: NeuralConfig, parts: tuple[str, ...] = ()) -> tuple[NetworkTrainer, Document]:
    document = treebank(1, (3, 7, 1, 12, 5, 5))
    trainer = NetworkTrainer(document, config, LABELS, parts=parts, clusters="0101\tcat\n0110\tdog\n")
    with torch.no_grad():  # forms start at zero
        for parameter in trainer.parameters:
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return trainer, document


def model_of(trainer: NetworkTrainer, parts: tuple[str, ...] = ()) -> ParserModel:
    weights = to_arrays(trainer.network, "float32")
    network = NetworkModel(trainer.config, trainer.vocabulary, len(LABELS), parts, weights)
    config = ParserConfig(scorer="neural", neural=trainer.config, order=2 if parts else 1)
    return ParserModel(config, True, LABELS, "", {}, network=network)


CONFIGS = {
    "lstm": NeuralConfig(units=10, word_size=9, filters=7, character_size=5, arc_size=11, label_size=6, tag_hidden=8),
    "tags from the top": NeuralConfig(units=8, layers=3, tag_layer=0, word_size=16, filters=16, arc_size=16),
    "given tags": NeuralConfig(units=8, tags="given", tag_size=5, word_size=8, filters=8, arc_size=8, label_size=8),
    "no characters": NeuralConfig(units=8, tags="none", character_size=0, word_size=8, arc_size=8, label_size=8),
    "convolution": NeuralConfig(encoder="convolution", layers=4, units=8, word_size=8, filters=8, arc_size=8),
    "wide convolution": NeuralConfig(
        encoder="convolution", layers=2, reach=2, tags="none", units=8, word_size=8, filters=8, arc_size=8
    ),
}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS.keys())
def test_same_numbers_as_pytorch(config: NeuralConfig) -> None:
    trainer, document = trained(config)
    trainer.network.eval()
    sentences = trainer.read(document)
    parser = Parser(model_of(trainer))
    network = parser.model.network
    assert network is not None
    order = np.arange(len(document))
    batch = sentences.batch(order)
    with torch.no_grad():
        top, tags, _ = trainer.network.encode(batch)
        scores = trainer.network(batch)
    native = network.native()
    np.testing.assert_allclose(native.encode(document.native, order.tolist()), top[batch.mask].numpy(), atol=1e-5)
    for index, sentence in enumerate(document.sentences):
        size = len(sentence) + 1
        found = parser.arc_scores(sentence)
        expected = scores.arcs[index, :size, :size].numpy()
        off_diagonal = ~np.eye(size, dtype=bool)
        off_diagonal[:, 0] = False
        np.testing.assert_allclose(found[off_diagonal], expected[off_diagonal], atol=1e-4)
    predicted, trees = trainer.predict(sentences, document), parser.trees(document, tags=bool(tags))
    np.testing.assert_array_equal(predicted.heads, trees.heads)
    np.testing.assert_array_equal(predicted.labels, trees.labels)
    for task, classes in predicted.tags.items():
        np.testing.assert_array_equal(classes, trees.tags[task])


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_output_does_not_depend_on_the_batch(precision: str) -> None:
    trainer, _ = trained(CONFIGS["lstm"])
    native = dataclasses.replace(model_of(trainer)).network.native(precision)  # type: ignore[union-attr]
    document = treebank(2, (4, 9, 1, 30, 2, 2, 17))
    together = native.encode(document.native, list(range(7)))
    apart = [native.encode(document.native, [sentence]) for sentence in range(7)]
    assert np.array_equal(together, np.concatenate(apart))
    backwards = [native.encode(document.native, [sentence]) for sentence in reversed(range(7))]
    assert np.array_equal(np.concatenate(backwards), native.encode(document.native, list(reversed(range(7)))))


def test_bytes_come_near_floats() -> None:
    trainer, document = trained(CONFIGS["lstm"])
    network = model_of(trainer).network
    assert network is not None
    everything = list(range(len(document)))
    exact = network.native("float32").encode(document.native, everything)
    rough = network.native("int8").encode(document.native, everything)
    assert 0 < np.abs(exact - rough).max() < 0.05


def test_arrays_go_back_into_a_network() -> None:
    trainer, document = trained(CONFIGS["lstm"])
    other = Network(trainer.config, trainer.network.sizes)
    from_arrays(other, to_arrays(trainer.network, "float32"))
    batch = trainer.read(document).batch(np.arange(len(document)))
    other.eval()
    trainer.network.eval()
    with torch.no_grad():
        torch.testing.assert_close(other(batch).arcs, trainer.network(batch).arcs)


def test_a_stored_network_comes_back_into_pytorch() -> None:
    trainer, document = trained(CONFIGS["lstm"])
    stored = model_of(trainer).network
    assert stored is not None
    other = network_of(stored)
    assert other.sizes == trainer.network.sizes and not other.training
    batch = trainer.read(document).batch(np.arange(len(document)))
    with torch.no_grad():
        torch.testing.assert_close(other(batch).arcs, trainer.network.eval()(batch).arcs, rtol=1e-2, atol=1e-2)
