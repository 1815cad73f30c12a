# SPDX-License-Identifier: Apache-2.0
"""Instances that solvers are compared on: the same for all solvers, in every form in which a solver gets them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from accord.inference.graph import read_wcsp
from benchmarks.inference.networks import problem as problems
from benchmarks.inference.networks.bif import read_bif, sample
from benchmarks.inference.networks.files import write_wcsp
from benchmarks.inference.networks.kinds import DEV_SEEDS, KINDS, SIZES, TEST_SEEDS, instance
from benchmarks.inference.networks.processes import Run, Runner
from benchmarks.inference.networks.tables import Row, cactus, false_proofs, ratios

BIF = """network unknown {
}
variable rain {
  type discrete [ 2 ] { yes, no };
}
variable wet {
  type discrete [ 3 ] { dry, damp, wet };
}
probability ( rain ) {
  table 0.25, 0.75;
}
probability ( wet | rain ) {
  (yes) 0.0, 0.5, 0.5;
  (no) 0.8, 0.1, 0.1;
}
"""


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


def test_a_bayes_network_is_read_from_a_bif_file(tmp_path: Path) -> None:
    (tmp_path / "rain.bif").write_text(BIF)
    network = read_bif(tmp_path / "rain.bif")
    assert network.values == (2, 3)
    (alone, prior), (scope, given) = network.tables
    assert (alone, scope) == ((0,), (0, 1)) and prior.tolist() == [0.25, 0.75]
    assert given.tolist() == [[0.0, 0.5, 0.5], [0.8, 0.1, 0.1]]
    drawn = [sample(network, np.random.default_rng(seed)) for seed in range(200)]
    assert not any(rain == 0 and wet == 0 for rain, wet in drawn) and {rain for rain, _ in drawn} == {0, 1}


def test_a_solver_runs_in_its_own_process_and_known_runs_are_not_repeated(tmp_path: Path) -> None:
    kept = tmp_path / "runs.jsonl"
    problem = instance("knapsack", "small", 0)
    run = Runner("python", kept).run("accord:branch_and_bound", "knapsack small 0", lambda: problem, 60.0)
    assert run.problem == "" and run.proof is not None
    assert run.value_at(60.0) == pytest.approx(problem.graph().solve("branch_and_bound").value)

    def never() -> problems.Problem:
        raise AssertionError

    assert Runner("python", kept).run("accord:branch_and_bound", "knapsack small 0", never, 60.0).proof == run.proof


def test_tables_count_proofs_and_find_false_ones(tmp_path: Path) -> None:
    results = {
        "radio small 1": {
            "a": Run("a", "", 10, [(0.1, 5.0)], 0.2),
            "b": Run("b", "", 10, [(0.1, 4.0), (3.0, 5.0)], 4.0),
        },
        "radio large 1": {"a": Run("a", "", 10, [(0.1, 5.0)], 0.2), "b": Run("b", "", 10, [(2.0, 6.0)])},
    }
    one, other, both = Row("a", ("a",)), Row("b", ("b",)), Row("both", ("a", "b"))
    assert [row.proof(results["radio small 1"]) for row in (one, other, both)] == [0.2, 4.0, 0.2]
    assert other.value_at(results["radio small 1"], 1.0) == 4.0 < both.value_at(results["radio small 1"], 1.0)
    assert [wrong.partition(":")[0] for wrong in false_proofs(results)] == ["radio large 1"]
    assert ratios(results, one, other, ["radio"]) == [["radio", 1, "0.05", 1, 0]]
    pytest.importorskip("matplotlib")
    cactus(results, [one, other], 10.0, tmp_path / "a.svg")
    cactus(results, [one, other], 10.0, tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
