# SPDX-License-Identifier: Apache-2.0
"""Networks that annotate together, against trees and tags that are chosen by hand from their scores."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from accord.data import Document  # noqa: E402
from accord.errors import ConfigError  # noqa: E402
from accord.tasks.parser import Parser, ParserModel  # noqa: E402
from accord.torch.batches import Sentences  # noqa: E402
from accord.torch.ensemble import Ensemble  # noqa: E402
from accord.torch.export import network_of  # noqa: E402
from tests.tasks.parser.neural_cases import random_model, some_words, treebank  # noqa: E402

CPU = torch.device("cpu")
TEXT = Document.from_sentences([some_words(seed, words) for seed, words in enumerate((1, 2, 3, 4, 4, 3))])


def trees(words: int, single: bool) -> list[tuple[int, ...]]:
    """All heads of so many words that make a tree, at most one of them under the root."""
    found = []
    for heads in itertools.product(range(words + 1), repeat=words):
        if any(head == word for word, head in enumerate(heads, 1)) or (single and heads.count(0) != 1):
            continue
        above = list(range(words + 1))
        for _ in range(words):
            above = [
                0 if word == 0 else heads[word - 1] if word == one else above[one] for word, one in enumerate(above)
            ]
        reach = []
        for word in range(1, words + 1):
            node = word
            for _ in range(words):
                node = heads[node - 1] if node else 0
            reach.append(node == 0)
        if all(reach):
            found.append(heads)
    return found


def log_probabilities(model: ParserModel, document: Document) -> tuple[list[np.ndarray], list[dict[str, np.ndarray]]]:
    """By sentence, of heads [head, word] and of tags [word, class]; one sentence at a time."""
    assert model.network is not None
    network, reader = network_of(model.network), model.network.vocabulary.reader
    arcs, tags = [], []
    for sentence in document.sentences:
        data = Sentences(Document.from_sentences([sentence]), reader, CPU)
        with torch.no_grad():
            scores = network(data.batch(np.array([0])))
        table = scores.arcs[0].double().numpy().copy()
        np.fill_diagonal(table, -np.inf)
        table = table[:, 1:]
        arcs.append(table - np.log(np.exp(table).sum(0)))
        tags.append({
            name: torch.log_softmax(values[1:].double(), 1).numpy() for name, values in scores.tags.items()
        })  # fmt: skip
    return arcs, tags


def test_one_network_alone_says_what_its_parser_says() -> None:
    model = random_model(3, {"storage": "float32"})
    found = Ensemble([model], CPU).annotate(TEXT)
    own = Parser(model).parse(TEXT, tags="predict") if model.network and model.network.tasks else None
    assert own is not None
    for name in ("deprel", "upos", "lemma"):
        assert found.column(name) == own.column(name)
    np.testing.assert_array_equal(found.heads, own.heads)


@pytest.mark.parametrize("seeds", [(1, 2), (4, 5, 6)])
def test_heads_and_tags_of_the_largest_sum_of_logarithms(seeds: tuple[int, ...]) -> None:
    models = [random_model(seed, {"storage": "float32"}) for seed in seeds]
    found = Ensemble(models, CPU).annotate(TEXT)
    every = [log_probabilities(model, TEXT) for model in models]
    first = 0
    for number, sentence in enumerate(TEXT.sentences):
        words = len(sentence)
        arcs = sum(one[0][number] for one in every)
        best = max(
            trees(words, models[0].single_root),
            key=lambda heads: sum(arcs[head, word] for word, head in enumerate(heads)),
        )
        heads = found.heads[first : first + words]
        np.testing.assert_array_equal(heads, best)
        tags = sum(one[1][number]["upos"] for one in every)
        assert models[0].network is not None
        readings, classes = models[0].network.vocabulary.readings, models[0].network.vocabulary.classes
        if readings is None:
            names = [classes["upos"][row] for row in tags.argmax(1)]
            assert found.column("upos")[first : first + words] == names
        first += words


def test_teachers_have_networks_and_the_same_labels() -> None:
    model = random_model(1)
    with pytest.raises(ConfigError, match="has none"):
        Ensemble([model, dataclasses.replace(model, network=None)], CPU)
    with pytest.raises(ConfigError, match="has none"):
        Ensemble([], CPU)
    with pytest.raises(ConfigError, match="different labels"):
        Ensemble([model, dataclasses.replace(model, labels=model.labels[::-1])], CPU)


def test_what_is_there_already_stays() -> None:
    known = treebank()
    found = Ensemble([random_model(2)], CPU).annotate(known)
    assert found.column("form") == known.column("form") and len(found) == len(known)
