# SPDX-License-Identifier: Apache-2.0
"""Prices on rules: the bound holds for all trees, the tree keeps the rules, and long sentences get an answer."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConstraintError
from accord.inference import rules as r
from accord.inference.rules import decode, exclusion
from accord.inference.rules.clock import Clock
from accord.inference.rules.label_classes import classed
from accord.inference.rules.prices import price_rules
from accord.inference.rules.problem import broken_instances
from tests.inference.enumerated_trees import SPACES
from tests.inference.rules.obeyed_rules import LABELS, problem_of, random_case
from tests.inference.rules.random_rules import labels, optional_tags

SCALES = (1e-12, 1.0, 1e12)


@st.composite
def counting_rules(draw: st.DrawFn) -> list[r.Rule]:
    kinds: list[st.SearchStrategy[r.Rule]] = [
        st.builds(r.AtMostOne, labels, optional_tags),
        st.builds(r.MaxDependents, st.integers(0, 2), optional_tags),
    ]
    return draw(st.lists(st.one_of(kinds), min_size=1, max_size=3, unique=True))


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    words=st.integers(1, 4),
    space=st.sampled_from(SPACES),
    scale=st.sampled_from(SCALES),
    ties=st.booleans(),
    rules=counting_rules(),
)
def test_the_bound_holds_and_the_tree_keeps_the_rules(
    seed: int, words: int, space: tuple[bool, bool], scale: float, ties: bool, rules: list[r.Rule]
) -> None:
    case = random_case(seed, words, 3, space)
    scores = np.sign(case.scores) if ties else case.scores
    case = dataclasses.replace(case, scores=np.where(np.isinf(case.scores), -np.inf, scores) * scale)
    best = case.best(rules)
    try:
        found = price_rules(problem_of(case, rules), Clock(np.inf))
    except ConstraintError:
        assert best == -np.inf
        return
    assert found is not None
    tree, bound = found
    assert bound >= best - 1e-9 * scale
    if tree is not None:
        value = case.value((tuple(tree.heads.tolist()), tuple(tree.labels.tolist())), rules)
        assert -np.inf < value <= best + 1e-9 * scale


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), words=st.integers(1, 5), rules=counting_rules())
def test_a_count_is_broken_where_its_formulas_are_false(seed: int, words: int, rules: list[r.Rule]) -> None:
    case = random_case(seed, words, 3, SPACES[0])
    problem = problem_of(case, rules)
    tree, _ = problem.best_tree(problem.scores)
    answer = (tuple(tree.heads.tolist()), tuple(tree.labels.tolist()))
    broken = broken_instances(problem.tree_rules, problem.domain, tree)
    assert (case.value(answer, rules) == -np.inf) == bool(broken)


def test_labels_that_rules_treat_alike_are_one() -> None:
    case = random_case(3, 4, 3, SPACES[0])
    problem = problem_of(case, [r.AtMostOne(LABELS[1])])
    small = classed(problem)
    assert small.problem.arc_scores.shape == (5, 5, 2)
    tree, value, _ = problem.relaxed_tree()
    fewer, same, _ = small.problem.relaxed_tree()
    assert same == value
    assert small.to_labels(fewer).labels.tolist() == tree.labels.tolist()
    assert small.to_classes(tree).labels.tolist() == fewer.labels.tolist()


def test_soft_rules_and_other_shapes_have_no_price() -> None:
    case = random_case(0, 3, 3, SPACES[0])
    assert price_rules(problem_of(case, [r.MaxDependents(1, weight=2.0)]), Clock(np.inf)) is None
    assert price_rules(problem_of(case, [r.MaxDependents(1), r.Subtree(1, 2)]), Clock(np.inf)) is None


def test_a_long_sentence_gets_a_tree_and_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "LARGEST_GRAPH", 100)
    monkeypatch.setattr(exclusion, "MOST_PROBLEMS", 0)
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(41, 41)) + 2 * rng.normal(size=(41, 1))
    solution = decode.decode_tree(scores, [r.MaxDependents(2)])
    assert np.bincount(solution.heads[1:]).max() <= 2
    assert solution.value <= solution.bound
    assert solution.bound - solution.value < 0.02 * abs(solution.bound)
    monkeypatch.undo()
    exact = decode.decode_tree(scores, [r.MaxDependents(2)], solver="branch_and_bound")
    assert exact.status == "optimal"
    assert solution.value <= exact.value + 1e-9
    assert exact.value <= solution.bound + 1e-6
