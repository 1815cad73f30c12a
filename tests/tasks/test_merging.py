# SPDX-License-Identifier: Apache-2.0
"""Learnt rows and rows of given vectors of the same words become one table, and no score changes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from accord import Document, Parser
from accord.tasks.network.merging import with_merged_words
from accord.tasks.network.model import Field, NetworkModel
from accord.tasks.parser import ParserModel
from tests.tasks.parser.neural_cases import random_model, some_words


def with_vectors(model: ParserModel, keys: np.ndarray, seed: int) -> ParserModel:
    """The same parser with given vectors of words that have these keys."""
    network = model.network
    assert network is not None
    vocabulary, count = network.vocabulary, network.vocabulary.words
    name = vocabulary.fields[0].name
    fields = (*vocabulary.fields[:count], Field(name, keys), *vocabulary.fields[count:])
    table = np.random.default_rng(seed).standard_normal((len(keys) + 1, network.config.word_size)).astype(np.float32)
    table[0] = 0.0
    weights = {key: array for key, array in network.weights.items() if not key.startswith("input.")}
    for place in range(len(fields)):
        before = place - (place > count)
        weights[f"input.{place}"] = table if place == count else network.weights[f"input.{before}"]
    changed = dataclasses.replace(vocabulary, fields=fields, words=count + 1)
    return dataclasses.replace(model, network=dataclasses.replace(network, vocabulary=changed, weights=weights))


@pytest.mark.parametrize("tags", ["predict", "given"])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_merged_tables_give_the_same_scores(tags: str, share: float) -> None:
    model = random_model(3, {"storage": "float32", "tags": tags})
    assert model.network is not None and with_merged_words(model.network) is model.network
    own = model.network.vocabulary.fields[0].keys
    text = Document.from_sentences([some_words(seed, 7) for seed in range(6)])
    more = Parser(random_model(5, {"storage": "float32", "inputs": model.network.vocabulary.fields[0].name}))
    assert more.model.network is not None
    others = np.setdiff1d(more.model.network.vocabulary.fields[0].keys, own)
    random = np.random.default_rng(1)
    more_keys = np.concatenate([others, np.array([1, 2**63], np.uint64)])
    keys = np.union1d(own[random.random(len(own)) < share], more_keys)
    given = with_vectors(model, keys, 2)
    assert given.network is not None
    merged: NetworkModel = with_merged_words(given.network)
    assert merged.vocabulary.words == model.network.vocabulary.words
    np.testing.assert_array_equal(merged.vocabulary.fields[0].keys, np.union1d(own, keys))
    one, other = Parser(given), Parser(dataclasses.replace(given, network=merged))
    for sentence in text.sentences:
        np.testing.assert_allclose(one.arc_scores(sentence), other.arc_scores(sentence), rtol=1e-4, atol=1e-4)
    assert one(text).to_bytes() == other(text).to_bytes()
