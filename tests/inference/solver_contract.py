# SPDX-License-Identifier: Apache-2.0
"""What every solver promises on every graph, as claims that a recipe either keeps or breaks.

A claim takes a recipe, for which the value of every assignment is known by definition, and a seed for whatever else it
draws. ``CLAIMS`` names them all, with the graphs of which they speak.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis.strategies import SearchStrategy

from accord.errors import ConfigError, ConstraintError
from accord.inference.graph import FactorGraph, Solution
from tests.inference.factor_kinds import FORBIDDEN, KINDS
from tests.inference.graph_recipes import Recipe, forests, recipes, seeded_forest, seeded_recipe

HAVE_HIGHS = importlib.util.find_spec("highspy") is not None
ROWS = "search over rows"  # on graphs that search would take as tables of values
EXACT = ["enumerate", "branch_and_bound", "search", ROWS, "auto", *(["ilp"] if HAVE_HIGHS else [])]
BOUNDING = ["ad3", "subgradient", "trws", *EXACT[1:], *(["lp"] if HAVE_HIGHS else [])]
NOT_CUSTOM = (
    "lp",
    "ilp",
    "trws",
    "search",
    ROWS,
)  # a factor written in Python has neither rows nor a table
GAP = 1e-7  # the largest default of a solver, in units of the spread
PRECISION = {"lp": 4e-9, "ilp": 4e-9}  # what HiGHS proves, in units of the spread
# How far bounds may move with rounding, in units of the spread, where rounds end elsewhere (seen: 1.05e-5, 1.8e-3).
ENDED = {"fractional": 3e-5, "budget": 3e-3}
QUICK = {"ad3": {"iterations": 300}, "subgradient": {"iterations": 200}}
ANY = list(KINDS)
MESSAGES = [name for name, kind in KINDS.items() if kind.beliefs]
RELAXING = [name for name, kind in KINDS.items() if kind.relaxes]


@dataclass(frozen=True)
class Claim:
    check: Callable[[Recipe, int], None]
    kinds: Sequence[str] = tuple(ANY)  # of factors, for which it is made
    loops: bool = True  # made for graphs with loops too

    def graphs(self, featured: str | None = None) -> SearchStrategy[Recipe]:
        """Graphs for which it is made, all with a factor of the featured kind."""
        return (recipes if self.loops else forests)(self.kinds, featured)

    def seeded(self, seed: int, featured: str | None = None) -> Recipe:
        """One of a fixed population of such graphs."""
        return (seeded_recipe if self.loops else seeded_forest)(seed, self.kinds, featured)


def solve(graph: FactorGraph, solver: str, **changed: Any) -> Solution:
    if solver == ROWS:
        return graph.solve("search", by="rows", **changed)
    return graph.solve(solver, **{**QUICK.get(solver, {}), **changed})


def close(first: float, second: float, tolerance: float = 1e-5) -> bool:
    return abs(first - second) <= tolerance * (1 + abs(second))


def check_answer(recipe: Recipe, graph: FactorGraph, answer: Solution, solver: str) -> None:
    """What holds for any answer of a solver that bounds, at any scale."""
    optimum = recipe.optimum
    rounding = 1e-14 * recipe.magnitude
    proof = rounding + PRECISION.get(solver, 0.0) * recipe.spread
    assert answer.bound >= optimum - proof
    assert answer.posteriors.shape == recipe.scores.shape
    assert np.all((answer.posteriors >= -1e-6) & (answer.posteriors <= 1 + 1e-6))
    if answer.assignment is not None:
        assert answer.value == graph.value(answer.assignment)
        assert abs(answer.value - recipe.value(answer.assignment.tolist())) <= rounding
        assert answer.value <= optimum + rounding
        assert answer.value <= answer.bound
    if answer.status == "optimal":
        assert answer.assignment is not None
        assert answer.value >= optimum - GAP * recipe.spread - proof
        assert answer.bound - answer.value <= GAP * recipe.spread + proof


def fingerprint(answer: Solution) -> tuple[Any, ...]:
    chosen = None if answer.assignment is None else answer.assignment.tobytes()
    return answer.status, chosen, answer.value, answer.bound, answer.posteriors.tobytes(), answer.iterations


# ---- values, bounds, certificates


def values_are_those_of_the_definition(recipe: Recipe, _: int) -> None:
    graph = recipe.build()
    for assignment, wanted in np.ndenumerate(recipe.values):
        found = graph.value(assignment)
        assert found == wanted == FORBIDDEN or close(found, wanted, 1e-9)


def enumeration_is_the_definition(recipe: Recipe, _: int) -> None:
    graph = recipe.build()
    best = recipe.optimum
    if best == FORBIDDEN:
        with pytest.raises(ConstraintError):
            graph.solve("enumerate")
        return
    answer = graph.solve("enumerate")
    weights = np.exp(recipe.values - best)
    marginals = [np.moveaxis(weights, r, 0)[1].sum() / weights.sum() for r in range(recipe.scores.size)]
    assert answer.status == "optimal"
    assert close(answer.value, best, 1e-9) and answer.bound == answer.value
    assert np.allclose(answer.posteriors, marginals, atol=1e-9)
    assert close(answer.log_partition, best + np.log(weights.sum()), 1e-9)


def bounds_hold_and_certificates_are_true(recipe: Recipe, _: int, solver: str) -> None:
    graph = recipe.build()
    if solver in NOT_CUSTOM and any(factor.kind == "custom" for factor in recipe.factors):
        with pytest.raises(ConfigError, match="custom"):  # it has no rows
            solve(graph, solver)
        return
    if recipe.optimum == FORBIDDEN:
        # A relaxation may be feasible where the graph is not; it must not pretend to have an assignment.
        try:
            answer = solve(graph, solver)
        except ConstraintError:
            return
        assert solver not in EXACT
        assert answer.assignment is None and answer.status != "optimal"
        return
    answer = solve(graph, solver)
    check_answer(recipe, graph, answer, solver)
    assert answer.status == "optimal" or solver not in EXACT


def evidence_is_obeyed(recipe: Recipe, seed: int) -> None:
    random = np.random.default_rng(seed)
    count = recipe.scores.size
    fixed = random.permutation(count)[: random.integers(1, count + 1)].tolist()
    held = Recipe(recipe.scores, recipe.factors, {variable: bool(random.random() < 0.5) for variable in fixed})
    solver = str(random.choice(["enumerate", "ad3", "subgradient", "branch_and_bound", "search", ROWS, "trws"]))
    bounds_hold_and_certificates_are_true(held, seed, solver)  # assignments against it have no value
    graph = held.build()
    graph.release()
    if _fits(recipe, solver):
        check_answer(recipe, graph, solve(graph, solver), solver)


# ---- scales and constants


def _fits(recipe: Recipe, solver: str) -> bool:
    """Whether the solver takes all factors of a graph that has an answer."""
    lacking = solver in NOT_CUSTOM and any(factor.kind == "custom" for factor in recipe.factors)
    return recipe.optimum > FORBIDDEN and not lacking


def the_scale_of_scores_changes_nothing_else(recipe: Recipe, seed: int, solver: str) -> None:
    if not _fits(recipe, solver):
        return
    power = int(np.random.default_rng(seed).integers(-12, 13))
    factor = 2.0 ** round(power * np.log2(10))  # which rounds no score
    plain, scaled = solve(recipe.build(), solver), solve(recipe.scaled(factor).build(), solver)
    assert scaled.status == plain.status and scaled.iterations == plain.iterations
    assert fingerprint(scaled)[1] == fingerprint(plain)[1]
    assert (scaled.value, scaled.bound) == (plain.value * factor, plain.bound * factor)
    # Powers of ten round scores in their last digit. That may turn a choice between equals, and what follows from it:
    # another assignment must then have the same value.
    other = recipe.scaled(10.0**power)
    graph = other.build()
    answer = solve(graph, solver)
    check_answer(other, graph, answer, solver)
    assert answer.status == "optimal" or solver not in EXACT
    assert answer.status == plain.status and (answer.assignment is None) == (plain.assignment is None)
    if plain.status == "optimal" and answer.assignment is not None:
        found = recipe.value(answer.assignment.tolist())
        assert abs(found - plain.value) <= 2 * GAP * recipe.spread + 1e-14 * recipe.magnitude
    # Without a proof the bound is where residuals or limits ended the rounds, of which there may be one more or less.
    near = ENDED.get(plain.status, GAP + PRECISION.get(solver, 0.0)) * recipe.spread
    assert abs(answer.bound / 10.0**power - plain.bound) <= near + 1e-14 * recipe.magnitude


def the_scale_of_scores_turns_no_message(recipe: Recipe, seed: int) -> None:
    """Max-product beliefs choose the same assignment at every scale; sums do not, since a scale is a temperature."""
    if recipe.optimum == FORBIDDEN:
        return
    power = int(np.random.default_rng(seed).integers(-12, 13))
    factor = 2.0 ** round(power * np.log2(10))
    plain, scaled = (each.build().solve("bp", maximum=True) for each in (recipe, recipe.scaled(factor)))
    if "budget" in (plain.status, scaled.status):
        return  # messages that do not settle say nothing
    assert fingerprint(scaled)[1] == fingerprint(plain)[1] and scaled.value == plain.value * factor


def constants_change_nothing_else(recipe: Recipe, seed: int, solver: str) -> None:
    if not _fits(recipe, solver):
        return
    random = np.random.default_rng(seed)
    constant = float(random.choice([-1.0, 1.0]) * 10.0 ** random.uniform(-3, 9))
    small = recipe.scaled(10.0 ** random.integers(-3, 1))
    shifted = small.shifted(constant, fixed=bool(random.random() < 0.5))
    plain, answer = solve(small.build(), solver), solve(shifted.build(), solver)
    assert answer.status == plain.status
    assert answer.iterations == plain.iterations or solver in PRECISION  # HiGHS may need a node more or less
    assert (answer.assignment is None) == (plain.assignment is None)
    if answer.assignment is not None and plain.assignment is not None:
        assert answer.assignment[:-1].tolist() == plain.assignment.tolist() and answer.assignment[-1]
    digits = 1e-15 * (abs(constant) + shifted.magnitude)
    assert abs(answer.bound - (plain.bound + constant)) <= digits
    assert answer.bound >= small.optimum + constant - digits - PRECISION.get(solver, 0.0) * small.spread


# ---- relaxations


def solvers_of_the_relaxation_agree(recipe: Recipe, _: int) -> None:
    if recipe.optimum == FORBIDDEN:
        return
    graph = recipe.build()
    bound = graph.solve("ad3", iterations=5000).bound
    if HAVE_HIGHS:
        assert close(bound, graph.solve("lp").bound, 1e-3)
    assert close(limit_of_subgradients(graph, bound), bound, 1e-3)
    # A bound on the same relaxation, though it may stay above it: its steps shrink with every increase of the dual.
    assert graph.solve("subgradient", iterations=1000).bound >= bound - 1e-3 * (1 + abs(bound))


def limit_of_subgradients(graph: FactorGraph, wanted: float) -> float:
    """The bound by steps towards a level, after as many rounds as it takes to come near, and a million at most.

    Nearly all graphs take less than three thousand. Where copies of a variable must move far apart along a slight slope
    it can be a hundred thousand.
    """
    bound = np.inf
    for rounds in (3_000, 100_000, 1_000_000):
        bound = graph.solve("subgradient", step_rule="level", iterations=rounds).bound
        if close(bound, wanted, 1e-3):
            break
    return bound


def a_warm_start_ends_where_a_cold_one_does(recipe: Recipe, seed: int, solver: str) -> None:
    if recipe.optimum == FORBIDDEN:
        return
    graph = recipe.build()
    first = solve(graph, solver)
    again = solve(graph, solver, warm=True)
    check_answer(recipe, graph, again, solver)
    if first.status == "optimal":
        assert again.status == "optimal" and close(again.value, first.value)
    moved = Recipe(np.random.default_rng(seed).normal(size=recipe.scores.size), recipe.factors)
    graph.set_scores(moved.scores)
    warm, cold = solve(graph, solver, warm=True), solve(moved.build(), solver)
    check_answer(moved, graph, warm, solver)
    if warm.status == cold.status == "optimal":
        assert close(warm.value, cold.value)


# ---- beliefs


def beliefs_are_exact_without_loops(recipe: Recipe, _: int) -> None:
    if recipe.optimum == FORBIDDEN:
        return
    graph = recipe.build()
    exact = graph.solve("enumerate")
    sums = graph.solve("bp")
    assert np.allclose(sums.posteriors, exact.posteriors, atol=1e-6)
    assert close(sums.log_partition, exact.log_partition, 1e-6)
    best = graph.solve("bp", maximum=True)
    assert best.status == "optimal" and best.assignment is not None
    assert close(best.value, exact.value, 1e-6)


def beliefs_are_probabilities_whatever_the_graph(recipe: Recipe, _: int) -> None:
    if recipe.optimum == FORBIDDEN:
        return
    graph = recipe.build()
    for maximum in (False, True):
        answer = graph.solve("bp", maximum=maximum, damping=0.3)
        assert np.all((answer.posteriors >= 0) & (answer.posteriors <= 1))
        if answer.assignment is not None and answer.value > FORBIDDEN:
            assert close(answer.value, recipe.value(answer.assignment.tolist()), 1e-9)
            assert answer.value <= recipe.optimum + 1e-9
        assert answer.status != "optimal" or close(answer.value, recipe.optimum, 1e-6)


# ---- the same question, the same answer


def answers_repeat_to_the_last_bit(recipe: Recipe, _: int, solver: str) -> None:
    if recipe.optimum == FORBIDDEN:
        return
    graph = recipe.build()
    first = fingerprint(solve(graph, solver))
    assert fingerprint(solve(graph, solver)) == first
    assert fingerprint(solve(recipe.build(), solver)) == first


def check_seeded(seed: int, claims: Iterable[str], featured: str | None = None) -> None:
    """Graphs of one seed keep these claims; graphs that serve several claims are made once."""
    made: dict[tuple[tuple[str, ...], bool], Recipe] = {}
    for name in claims:
        claim = CLAIMS[name]
        key = tuple(claim.kinds), claim.loops
        if key not in made:
            made[key] = claim.seeded(seed, featured)
        try:
            claim.check(made[key], seed)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {name}") from error


def _by_solver(check: Callable[..., None], solvers: Sequence[str], kinds: Sequence[str] = ANY) -> dict[str, Claim]:
    words = check.__name__.replace("_", " ")
    return {f"{words} ({solver})": Claim(partial(check, solver=solver), kinds) for solver in solvers}


CLAIMS = {
    "values are those of the definition": Claim(values_are_those_of_the_definition),
    "enumeration is the definition": Claim(enumeration_is_the_definition),
    **_by_solver(bounds_hold_and_certificates_are_true, BOUNDING),
    **_by_solver(the_scale_of_scores_changes_nothing_else, [*BOUNDING, "enumerate"]),
    **_by_solver(constants_change_nothing_else, [*BOUNDING, "enumerate"]),
    "the scale of scores turns no message": Claim(the_scale_of_scores_turns_no_message, MESSAGES),
    "evidence is obeyed": Claim(evidence_is_obeyed),
    "solvers of the relaxation agree": Claim(solvers_of_the_relaxation_agree, RELAXING),
    **_by_solver(a_warm_start_ends_where_a_cold_one_does, ["ad3", "subgradient"]),
    "beliefs are exact without loops": Claim(beliefs_are_exact_without_loops, MESSAGES, loops=False),
    "beliefs are probabilities whatever the graph": Claim(beliefs_are_probabilities_whatever_the_graph, MESSAGES),
    **_by_solver(answers_repeat_to_the_last_bit, ["ad3", "subgradient", "branch_and_bound", "enumerate"]),
    **_by_solver(answers_repeat_to_the_last_bit, ["bp"], MESSAGES),
    **_by_solver(answers_repeat_to_the_last_bit, ["trws", "search", ROWS], [kind for kind in ANY if kind != "custom"]),
}
