# SPDX-License-Identifier: Apache-2.0
"""The search that takes arcs away, one way out of a broken rule after the other, equals enumeration."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConstraintError
from accord.inference import rules as r
from accord.inference.rules import exclusion
from accord.inference.rules.clock import Clock
from accord.inference.rules.problem import LabelledTree, TreeProblem
from tests.inference.enumerated_trees import SPACES
from tests.inference.rules.obeyed_rules import Labelled, problem_of, random_case
from tests.inference.rules.random_rules import labels, optional_tags

SCALES = (1e-12, 1.0, 1e12)


def searched(problem: TreeProblem) -> tuple[LabelledTree, float, str] | None:
    return exclusion.exclude_arcs(problem, problem.relaxed_tree(), Clock(np.inf))


@st.composite
def excluding_rules(draw: st.DrawFn, words: int) -> list[r.Rule]:
    word = st.integers(1, words)
    kinds: list[st.SearchStrategy[r.Rule]] = [
        st.builds(r.AtMostOne, labels, optional_tags),
        st.builds(r.MaxDependents, st.integers(0, 2), optional_tags),
        st.tuples(word, word).map(lambda pair: r.Subtree(min(pair), max(pair))),
    ]
    return draw(st.lists(st.one_of(kinds), min_size=1, max_size=3, unique=True))


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    words=st.integers(1, 4),
    space=st.sampled_from(SPACES),
    scale=st.sampled_from(SCALES),
    forbidden=st.sampled_from([0.0, 0.2]),
    ties=st.booleans(),
    data=st.data(),
)
def test_the_answer_is_the_best_of_all_trees(
    seed: int, words: int, space: tuple[bool, bool], scale: float, forbidden: float, ties: bool, data: st.DataObject
) -> None:
    case = random_case(seed, words, 3, space, forbidden)
    scores = np.sign(case.scores) if ties else case.scores
    case = dataclasses.replace(case, scores=np.where(np.isinf(case.scores), -np.inf, scores) * scale)
    rules = data.draw(excluding_rules(words))
    best = case.best(rules)
    try:
        found = searched(problem_of(case, rules))
    except ConstraintError:
        assert best == -np.inf
        return
    assert found is not None
    tree, bound, status = found
    answer: Labelled = (tuple(tree.heads.tolist()), tuple(tree.labels.tolist()))
    assert status == "optimal"
    assert case.value(answer, rules) == pytest.approx(best, abs=1e-9 * scale)
    assert bound == pytest.approx(best, abs=1e-9 * scale)


def test_soft_rules_and_rules_that_need_arcs_are_left_to_the_factor_graph() -> None:
    case = random_case(0, 3, 3, SPACES[0])
    scores = np.full_like(case.scores, -1.0)
    scores[0, 1:, 0] = scores[1, 2:, 0] = 2.0
    case = dataclasses.replace(case, scores=scores)
    assert searched(problem_of(case, [r.AtMostOne("nsubj", weight=0.5)])) is None
    assert searched(problem_of(case, [r.AtLeastOne("obj", of="ROOT")])) is None


def test_a_long_search_is_left_to_the_factor_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exclusion, "MOST_PROBLEMS", 0)
    case = random_case(0, 3, 3, SPACES[0])
    scores = np.zeros_like(case.scores)
    scores[..., 0] = 1.0
    problem = problem_of(dataclasses.replace(case, scores=scores), [r.AtMostOne("nsubj"), r.MaxDependents(1)])
    assert searched(problem) is None
