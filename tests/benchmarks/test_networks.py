# SPDX-License-Identifier: Apache-2.0
"""Instances that solvers are compared on: the same for all solvers, in every form in which a solver gets them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from accord.inference.graph import read_wcsp
from benchmarks.inference.networks import problem as problems
from benchmarks.inference.networks.files import write_wcsp
from benchmarks.inference.networks.kinds import DEV_SEEDS, KINDS, SIZES, TEST_SEEDS, instance


def some_settings(problem: problems.Problem, count: int = 20) -> list[list[int]]:
    """Settings that nothing forbids where a solver finds one, and random neighbours of it."""
    random = np.random.default_rng(5)
    settings = [random.integers(0, problem.values).tolist() for _ in range(count)]
    best = problem.graph().solve("ad3", iterations=50).assignment
    return settings if best is None else [*settings, problem.setting(best)]


def assignment_of(problem: problems.Problem, setting: list[int]) -> np.ndarray:
    if not problem.is_network:
        return np.array(setting, bool)
    return np.concatenate([np.arange(count) == value for count, value in zip(problem.values, setting, strict=True)])


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_always_gives_the_same_problem_and_another_seed_another(kind: str) -> None:
    first, again, other = instance(kind, "small", 1), instance(kind, "small", 1), instance(kind, "small", 2)
    assert first.values == again.values
    for (scope, table), (other_scope, other_table) in zip(first.tables, again.tables, strict=True):
        assert scope == other_scope and np.array_equal(table, other_table)
    assert first.tables[0][0] != other.tables[0][0] or not all(
        np.array_equal(table, other_table)
        for (_, table), (_, other_table) in zip(first.tables, other.tables, strict=False)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_whole_steps_and_graphs_give_them(kind: str) -> None:
    problem = instance(kind, "small", 0)
    graph = problem.graph()
    for setting in some_settings(problem):
        score = problem.score(setting)
        value = graph.value(assignment_of(problem, setting))
        assert score == value or value == pytest.approx(score, abs=1e-6)
        if np.isfinite(score):
            assert round(score / problems.STEP) * problems.STEP == pytest.approx(score, abs=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_problems_survive_their_way_through_a_file(kind: str, tmp_path: Path) -> None:
    problem = instance(kind, "small", 0)
    problems.save(problem, tmp_path / "p.npz")
    again = problems.load(tmp_path / "p.npz")
    assert again.values == problem.values
    for setting in some_settings(problem):
        assert again.score(setting) == problem.score(setting)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if instance(kind, "small", 0).is_network])
def test_a_wcsp_file_holds_the_same_scores(kind: str, tmp_path: Path) -> None:
    problem = instance(kind, "small", 0)
    best = write_wcsp(problem, tmp_path / "p.wcsp")
    network = read_wcsp(tmp_path / "p.wcsp")
    for setting in some_settings(problem):
        assert network.score(setting) * problems.STEP + best == pytest.approx(problem.score(setting), abs=1e-6)


def test_figures_are_reported_for_seeds_that_nothing_is_tuned_on() -> None:
    assert not set(DEV_SEEDS) & set(TEST_SEEDS)
    assert all(len(kind.makers) == len(SIZES) for kind in KINDS.values())
