# SPDX-License-Identifier: Apache-2.0
"""Probabilities conditioned on rules: exact ones as enumeration says, estimates near it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import Document, Parser
from accord.inference.rules import Rule, parse_rule
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.training import train_parser
from tests.conftest import toy_document
from tests.inference.enumerated_trees import SPACES, Space
from tests.inference.rules.obeyed_rules import LABELS, Labelled
from tests.tasks.parser.test_ruled_parser import EVERY_ARC, SMALL, ParserCase, labelled, parser, scrambled

ON_ARCS = (
    ["forbid 0 -> 1"],
    ["require 2 -> 1 nsubj,obj"],
    ["forbid-label nsubj @ 0.7", "require 1 -> 3 @ 1.5"],
    ["require-label 2 nsubj*", "forbid 3 -> 2"],
    ["no-crossing"],
    ["no-crossing", "obj head-not NOUN @ 0.4"],
)
ON_TREES = (
    ["max-dependents 1"],
    ["at-most-one nsubj*"],
    ["at-most-one obj @ 0.5", "forbid-label 1 nsubj"],
    ["at-least-one nsubj of VERB @ 1"],
)


def tempered(using: Parser, trees: float, labels: float) -> Parser:
    return Parser(dataclasses.replace(using.model, temperature=trees, label_temperature=labels))


class Conditioned(ParserCase):
    """The model's distribution over labelled trees: trees by the first temperature, labels given them by the second."""

    def __init__(self, using: Parser, document: Document) -> None:
        super().__init__(using, document)
        model = using.model
        self.temperature, labels = model.temperature, model.temperatures.labels
        order = [using.labels.index(label) for label in LABELS]
        own = self.parts.label_scores.astype(float)[:, order] / labels
        total = np.log(np.exp(own).sum(axis=1))
        arcs = self.parts.arc_scores / self.temperature
        if using.config.label_mode() == "joint":
            arcs = arcs + total * labels / self.temperature
        self.scores = np.full_like(self.scores, -np.inf)
        self.scores[self.parts.heads, self.parts.dependents] = arcs[:, None] + own - total[:, None]

    def score(self, tree: Labelled) -> float:
        heads, labels = tree
        own = sum(self.scores[heads[m], m, labels[m]] for m in range(1, self.words + 1))
        return float(own) + self.parts.larger_score(np.array(heads, np.int32)) / self.temperature

    def probabilities(self, rules: Sequence[Rule]) -> dict[Labelled, float]:
        scaled = [
            rule if rule.weight is None else dataclasses.replace(rule, weight=rule.weight / self.temperature)
            for rule in rules
        ]
        weights = {tree: np.exp(self.value(tree, scaled)) for tree in self.labelled_trees()}
        total = sum(weights.values())
        return {tree: weight / total for tree, weight in weights.items()}


def compare(using: Parser, document: Document, texts: Sequence[str]) -> tuple[float, str]:
    """The largest difference of a probability from enumeration, and what the parser says of it."""
    rules = [parse_rule(text) for text in texts if parse_rule(text).last_word <= int(document.lengths[0])]
    found = using.trees(document, threads=1, probabilities=True, constraints=texts)
    assert not found.unkept
    tree = labelled(using, found.heads, found.labels)
    probabilities = Conditioned(using, document).probabilities(rules)
    worst = 0.0
    for m in range(1, len(tree[0])):
        arc = sum(p for (heads, _), p in probabilities.items() if heads[m] == tree[0][m])
        both = sum(p for (heads, own), p in probabilities.items() if heads[m] == tree[0][m] and own[m] == tree[1][m])
        worst = max(worst, abs(found.arc_probability[m - 1] - arc), abs(found.label_probability[m - 1] - both))
    log_probability = np.log(probabilities[tree])
    kind = found.ruled_probabilities.get(0, "plain")
    if kind == "exact":
        assert found.tree_log_probability[0] == pytest.approx(log_probability, abs=1e-3)
    return worst, kind


@settings(max_examples=25, deadline=None)
@given(
    order=st.sampled_from([1, 2]),
    seed=st.integers(0, 10_000),
    space=st.sampled_from(SPACES),
    labels=st.sampled_from(["joint", "separate"]),
    rules=st.sampled_from(ON_ARCS),
    temperatures=st.sampled_from([(1.0, 1.0), (0.5, 1.0), (2.0, 0.7)]),
)
def test_rules_on_arcs_are_exact(
    order: int, seed: int, space: Space, labels: str, rules: list[str], temperatures: tuple[float, float]
) -> None:
    using = tempered(parser(order, space=space, labels=labels, **EVERY_ARC), *temperatures)
    worst, kind = compare(using, scrambled(seed, 3), rules)
    charted = order == 1 or space.projective or "no-crossing" in rules
    assert kind == ("exact" if charted else "estimate")
    assert worst < (1e-4 if charted else 0.15)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("space", [Space(False, True), Space(True, True)], ids=str)
@pytest.mark.parametrize("rules", ON_TREES, ids=lambda rules: rules[0])
def test_tree_rules_are_near(order: int, space: Space, rules: list[str]) -> None:
    using = tempered(parser(order, space=space, **EVERY_ARC), 1.0, 1.0)
    differences = []
    for seed in range(6):
        worst, kind = compare(using, scrambled(seed, 3), rules)
        assert kind == "estimate"
        differences.append(worst)
    assert np.mean(differences) < 0.08 and max(differences) < 0.13


@pytest.mark.parametrize("order", [1, 2, 3])
def test_rules_that_say_nothing_leave_the_plain_probabilities(order: int) -> None:
    using, document = parser(order), toy_document(5, 9)
    plain = using.trees(document, probabilities=True)
    silent = using.trees(document, probabilities=True, constraints=["require 1 -> 50"])
    np.testing.assert_array_equal(plain.arc_probability, silent.arc_probability)
    weak = using.trees(document, probabilities=True, constraints=["forbid 1 -> 2 @ 0.000001"])
    np.testing.assert_allclose(plain.arc_probability, weak.arc_probability, atol=1e-3)
    np.testing.assert_allclose(plain.label_probability, weak.label_probability, atol=1e-3)
    np.testing.assert_allclose(plain.tree_log_probability, weak.tree_log_probability, atol=1e-2)


@pytest.mark.parametrize("order", [1, 2])
def test_labels_of_whole_trees(order: int) -> None:
    config = make_settings(ParserConfig, {**SMALL, "order": order, "threads": 1, "tree_labels": "true"})
    using, document = Parser(train_parser(toy_document(80, 1), None, config).snapshot), toy_document(4, 9)
    plain = using.trees(document, probabilities=True)
    weak = using.trees(document, probabilities=True, constraints=["forbid 1 -> 2 @ 0.000001"])
    np.testing.assert_allclose(plain.label_probability, weak.label_probability, atol=1e-3)
    sure = using.trees(document, probabilities=True, constraints=["require-label 1 det", "require 3 -> 1"])
    firsts = np.cumsum(document.lengths) - document.lengths
    assert (sure.arc_probability[firsts] > 0.999).all() and (sure.label_probability[firsts] > 0.999).all()
    assert set(sure.ruled_probabilities.values()) == {"estimate"}


def test_the_document_says_which_they_are() -> None:
    using, document = parser(1), toy_document(3, 9)
    exact = using.parse(document, probabilities=True, constraints=["forbid 0 -> 1"])
    assert [sentence.comment("accord_marginals") for sentence in exact.sentences] == ["exact"] * 3
    estimate = using.parse(document, probabilities=True, constraints=["at-most-one nsubj"])
    assert [sentence.comment("accord_marginals") for sentence in estimate.sentences] == ["estimate"] * 3
    assert all("ArcConf=" in word.misc for sentence in estimate.sentences for word in sentence.words)
    assert b"accord_marginals" not in using.parse(document, probabilities=True).to_bytes()


def test_given_heads_and_rules_together() -> None:
    using, document = parser(1), toy_document(6, 11)
    half = document.replace(
        heads=[head if index % 3 == 0 else None for index, head in enumerate(document.heads.tolist())]
    )
    found = using.trees(half, keep="given", probabilities=True, constraints=["at-most-one nsubj"])
    known = half.heads >= 0
    np.testing.assert_allclose(found.arc_probability[known], 1.0, atol=1e-4)
    assert (found.arc_probability <= 1).all() and (found.label_probability <= found.arc_probability + 1e-9).all()
