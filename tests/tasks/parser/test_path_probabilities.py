# SPDX-License-Identifier: Apache-2.0
"""Models whose parts depend on paths: probabilities as enumeration says, and training by sums and relaxed answers."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import Document, Parser
from accord.tasks.parser.temperature import fit_temperature
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores
from tests.conftest import toy_document
from tests.inference.enumerated_trees import Space, all_trees
from tests.tasks.parser.test_path_parts import FAMILIES, config, parser, torn_document, torn_model
from tests.tasks.parser.test_ruled_parser import scrambled
from tests.tasks.parser.test_ruled_probabilities import ON_ARCS, ON_TREES, Conditioned, compare, tempered


@settings(max_examples=20, deadline=None)
@given(
    parts=st.sampled_from(FAMILIES),
    seed=st.integers(0, 10_000),
    projective=st.booleans(),
    single_root=st.booleans(),
    temperatures=st.sampled_from([(1.0, 1.0), (0.1, 1.0), (2.0, 0.7)]),
)
def test_short_sentences_have_exact_probabilities(
    parts: str, seed: int, projective: bool, single_root: bool, temperatures: tuple[float, float]
) -> None:
    using = tempered(parser(parts, projective=projective, single_root=single_root), *temperatures)
    worst, kind = compare(using, scrambled(seed, 3), [])
    assert kind == "plain" and worst < 1e-4


@pytest.mark.parametrize("parts", FAMILIES)
def test_longer_ones_are_near(parts: str) -> None:
    """Over 4096 choices of heads trees are drawn."""
    words, differences = 6, []
    for seed in range(4):
        using, document = tempered(parser(parts), 0.2, 1.0), scrambled(50 + seed, words)
        case = Conditioned(using, document)
        arcs = np.logaddexp.reduce(case.scores, axis=2)
        trees = np.array(all_trees(words, Space(projective=False, single_root=True)), np.int32)
        larger = [case.parts.larger_score(heads) / case.temperature for heads in trees]
        values = arcs[trees[:, 1:], np.arange(1, words + 1)].sum(axis=1) + larger
        weights = np.exp(values - np.logaddexp.reduce(values))
        found = using.trees(document, probabilities=True)
        expected = weights @ (trees[:, 1:] == found.heads)
        differences.append(np.abs(found.arc_probability - expected))
    assert np.mean(differences) < 0.02 and np.max(differences) < 0.1


@pytest.mark.parametrize("parts", FAMILIES)
def test_rules_condition_them(parts: str) -> None:
    using = tempered(parser(parts), 0.5, 1.0)
    for seed, rules in enumerate(ON_ARCS):
        worst, kind = compare(using, scrambled(seed, 3), rules)
        assert kind == "estimate" or "no-crossing" in rules
        assert worst < 1e-3
    differences = [compare(using, scrambled(seed, 3), rules)[0] for seed, rules in enumerate(ON_TREES)]
    assert np.mean(differences) < 0.1


def test_projective_paths_under_rules_are_no_chart() -> None:
    document = toy_document(2, 9)
    found = parser("path", projective=True).trees(document, probabilities=True, constraints=["forbid 1 -> 2"])
    assert set(found.ruled_probabilities.values()) == {"estimate"}


@pytest.mark.parametrize("parts", FAMILIES)
@pytest.mark.parametrize(
    "values",
    [{"rule": "crf"}, {"rule": "softmax_margin"}, {"answers": "relaxed"}, {"rule": "svm", "answers": "relaxed"}],
    ids=lambda values: "-".join(values.values()),
)
def test_sums_and_relaxed_answers_train(parts: str, values: dict[str, Any]) -> None:
    train, dev = toy_document(80, 1), toy_document(20, 2)
    model = train_parser(train, dev, config(parts, rate=0.1, epochs=2, **values)).snapshot
    parsed = Parser(model).parse(dev, threads=1)
    assert attachment_scores(dev, parsed.heads, parsed.column("deprel")).las > 90


def test_log_likelihood_grows_on_trees_that_paths_tell_apart() -> None:
    document = torn_document()
    gains = []
    for epochs in (1, 4):
        chosen = config("path", rule="crf", rate=0.1, epochs=epochs, average=False)
        model = train_parser(document, None, chosen).snapshot
        gains.append(Parser(model).gold_log_likelihood(document))
    assert gains[0] < gains[1] < 0


@pytest.mark.parametrize("parts", FAMILIES)
def test_temperatures_are_fitted(parts: str) -> None:
    document = Document.from_sentences(torn_document().sentences[:20])
    fitted = fit_temperature(torn_model(parts), document, threads=1)
    best = Parser(fitted).gold_log_likelihood(document)
    for factor in (0.2, 5.0):
        tried = dataclasses.replace(fitted, temperature=fitted.temperature * factor)
        assert Parser(tried).gold_log_likelihood(document) < best


def test_given_heads_are_certain() -> None:
    document = Document.from_sentences(torn_document().sentences[:10])
    half = document.replace(heads=np.where(np.arange(document.heads.size) % 3 == 0, document.heads, -1))
    using = parser("path,nonprojective")
    found = using.trees(half, probabilities=True, keep="given")
    np.testing.assert_allclose(found.arc_probability[::3], 1, atol=1e-9)
    assert found.tree_log_probability.sum() > using.trees(half, probabilities=True).tree_log_probability.sum()


def test_threads_and_repetition_change_nothing() -> None:
    using, document = parser("path,nonprojective"), toy_document(12, 4)
    first = using.parse(document, probabilities=True, threads=1)
    assert using.parse(document, probabilities=True, threads=3).to_bytes() == first.to_bytes()


@pytest.mark.parametrize("words", [100, 300])
def test_long_sentences_have_probabilities(words: int) -> None:
    """Sentences of more than 250 words have no such parts."""
    using = Parser(torn_model("path,nonprojective"))
    found = using.trees(scrambled(1, words), probabilities=True, threads=1)
    assert ((found.arc_probability >= 0) & (found.arc_probability <= 1)).all()
    assert found.arc_probability.mean() > 0.05 and np.isfinite(found.tree_log_probability[0])
