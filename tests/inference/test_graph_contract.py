"""One contract for every solver on every kind of factor, held against plain enumeration.

``ACCORD_EXAMPLES`` raises the number of random graphs: ``make nightly`` takes ten thousand.
"""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError, ConstraintError
from accord.inference.graph import SETTINGS, SOLVERS, FactorGraph, Solution
from tests.inference.graph_recipes import FORBIDDEN, KINDS, Recipe, forests, recipes, seeded_recipe

EXAMPLES = int(os.environ.get("ACCORD_EXAMPLES", "50"))
HAVE_HIGHS = importlib.util.find_spec("highspy") is not None
EXACT = ["enumerate", "branch_and_bound", *(["ilp"] if HAVE_HIGHS else [])]
BOUNDING = ["ad3", "subgradient", "branch_and_bound", *(["lp", "ilp"] if HAVE_HIGHS else [])]
QUICK = {"ad3": {"iterations": 300}, "subgradient": {"iterations": 200}}
# A custom factor has no rows, so programs cannot hold it.
WITH_ROWS = [name for name in KINDS if name != "custom"]
MESSAGES = [name for name, kind in KINDS.items() if kind.beliefs]
RELAXING = [name for name, kind in KINDS.items() if kind.relaxes]

contract = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def solve(graph: FactorGraph, solver: str, **changed: Any) -> Solution:
    return graph.solve(solver, **{**QUICK.get(solver, {}), **changed})


def close(first: float, second: float, tolerance: float = 1e-5) -> bool:
    return abs(first - second) <= tolerance * (1 + abs(second))


def solvable(recipe: Recipe, solver: str) -> bool:
    return solver not in ("lp", "ilp") or all(factor.kind != "custom" for factor in recipe.factors)


def check_answer(recipe: Recipe, graph: FactorGraph, answer: Solution, optimum: float) -> None:
    """What holds for any answer of a solver that bounds."""
    assert answer.bound >= optimum - 1e-6 * (1 + abs(optimum))
    assert answer.posteriors.shape == recipe.scores.shape
    assert np.all((answer.posteriors >= -1e-6) & (answer.posteriors <= 1 + 1e-6))
    if answer.assignment is not None:
        assert close(answer.value, graph.value(answer.assignment), 1e-9)
        assert close(answer.value, recipe.value(answer.assignment.tolist()), 1e-9)
        assert answer.value <= optimum + 1e-9 * (1 + abs(optimum))
    if answer.status == "optimal":
        assert answer.assignment is not None
        assert close(answer.value, optimum)


# ---- values, bounds, certificates


@contract
@given(recipes())
def test_values_are_those_of_the_definition(recipe: Recipe) -> None:
    graph = recipe.build()
    for assignment in np.ndindex(*(2,) * recipe.scores.size):
        wanted = recipe.value([bool(bit) for bit in assignment])
        found = graph.value(assignment)
        assert found == wanted == FORBIDDEN or close(found, wanted, 1e-9)


@contract
@given(recipes())
def test_enumeration_is_the_definition(recipe: Recipe) -> None:
    graph = recipe.build()
    listed = list(recipe.assignments())
    if not listed:
        with pytest.raises(ConstraintError):
            graph.solve("enumerate")
        return
    answer = graph.solve("enumerate")
    values = np.array([value for _, value in listed])
    weights = np.exp(values - values.max())
    marginals = weights @ np.array([assignment for assignment, _ in listed], float) / weights.sum()
    assert answer.status == "optimal"
    assert close(answer.value, values.max(), 1e-9) and answer.bound == answer.value
    assert np.allclose(answer.posteriors, marginals, atol=1e-9)
    assert close(answer.log_partition, values.max() + np.log(weights.sum()), 1e-9)


@pytest.mark.parametrize("solver", BOUNDING)
@contract
@given(recipe=recipes())
def test_bounds_hold_and_certificates_are_true(solver: str, recipe: Recipe) -> None:
    graph = recipe.build()
    if not solvable(recipe, solver):
        with pytest.raises(ConfigError, match="custom"):
            solve(graph, solver)
        return
    optimum = recipe.optimum()
    if optimum == FORBIDDEN:
        if solver in EXACT:
            with pytest.raises(ConstraintError):
                solve(graph, solver)
            return
        # A relaxation may be feasible where the graph is not; it must not pretend to have an assignment.
        try:
            answer = solve(graph, solver)
        except ConstraintError:
            return
        assert answer.assignment is None and answer.status != "optimal"
        return
    answer = solve(graph, solver)
    check_answer(recipe, graph, answer, optimum)
    if solver in EXACT:
        assert answer.status == "optimal"


@contract
@given(recipes(), st.data())
def test_evidence_is_obeyed(recipe: Recipe, data: st.DataObject) -> None:
    count = recipe.scores.size
    fixed = data.draw(st.dictionaries(st.integers(0, count - 1), st.booleans(), min_size=1, max_size=count))
    recipe = Recipe(recipe.scores, recipe.factors, fixed)
    optimum = recipe.optimum()
    for solver in ("enumerate", "ad3", "subgradient", "branch_and_bound"):
        graph = recipe.build()
        if optimum == FORBIDDEN:
            if solver in EXACT:
                with pytest.raises(ConstraintError):
                    solve(graph, solver)
            continue
        answer = solve(graph, solver)
        check_answer(recipe, graph, answer, optimum)
        if answer.assignment is not None:
            assert all(answer.assignment[variable] == value for variable, value in fixed.items())
        graph.release()
        check_answer(Recipe(recipe.scores, recipe.factors), graph, solve(graph, "branch_and_bound"), optimum_of(recipe))


def optimum_of(recipe: Recipe) -> float:
    """The optimum without evidence."""
    return Recipe(recipe.scores, recipe.factors).optimum()


# ---- relaxations


@contract
@given(recipes(kinds=RELAXING))
def test_solvers_of_the_relaxation_agree(recipe: Recipe) -> None:
    if recipe.optimum() == FORBIDDEN:
        return
    graph = recipe.build()
    bound = graph.solve("ad3", iterations=5000).bound
    if HAVE_HIGHS:
        assert close(bound, graph.solve("lp").bound, 1e-3)
    # A bound on the same relaxation, though it may stay above it: its steps shrink with every increase of the dual.
    assert graph.solve("subgradient", iterations=1000).bound >= bound - 1e-3 * (1 + abs(bound))


def test_subgradients_reach_the_relaxation_of_nearly_every_graph() -> None:
    graphs = [recipe.build() for seed in range(120) if (recipe := seeded_recipe(seed, RELAXING)).optimum() > FORBIDDEN]
    reached = [
        close(graph.solve("subgradient", iterations=5000).bound, graph.solve("ad3", iterations=5000).bound, 1e-3)
        for graph in graphs
    ]
    assert len(graphs) > 80
    assert np.mean(reached) >= 0.95


@contract
@given(recipes(kinds=[name for name in KINDS if name != "custom"]), st.data())
def test_a_warm_start_ends_where_a_cold_one_does(recipe: Recipe, data: st.DataObject) -> None:
    if recipe.optimum() == FORBIDDEN:
        return
    graph = recipe.build()
    solver = data.draw(st.sampled_from(["ad3", "subgradient"]))
    first = solve(graph, solver)
    again = solve(graph, solver, warm=True)
    check_answer(recipe, graph, again, recipe.optimum())
    if first.status == "optimal":
        assert again.status == "optimal" and close(again.value, first.value)
    changed = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1))).normal(size=recipe.scores.size)
    moved = Recipe(changed, recipe.factors)
    graph.set_scores(changed)
    warm, cold = solve(graph, solver, warm=True), solve(moved.build(), solver)
    check_answer(moved, graph, warm, moved.optimum())
    if warm.status == cold.status == "optimal":
        assert close(warm.value, cold.value)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.1, 2.0))
def test_attraction_between_two_labels_is_solved_and_proved(seed: int, strength: float) -> None:
    # This relaxation is tight, so a solved one leaves nothing to be said: not `fractional`.
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    sites = graph.variables(random.normal(size=(6, 7, 2)))
    graph.exactly_one(sites.reshape(-1, 2))
    graph.pair(sites[:, :-1], sites[:, 1:], strength)
    graph.pair(sites[:-1], sites[1:], strength)
    best = graph.solve("branch_and_bound").value
    for check_every in (1, 10):  # whatever the rhythm, the last round is looked at
        answer = graph.solve("ad3", residual=1e-9, iterations=5000, check_every=check_every)
        assert answer.status == "optimal"
        assert close(answer.value, best)


# ---- beliefs


@contract
@given(forests(kinds=MESSAGES))
def test_beliefs_are_exact_without_loops(recipe: Recipe) -> None:
    if recipe.optimum() == FORBIDDEN:
        return
    graph = recipe.build()
    exact = graph.solve("enumerate")
    sums = graph.solve("bp")
    assert np.allclose(sums.posteriors, exact.posteriors, atol=1e-6)
    assert close(sums.log_partition, exact.log_partition, 1e-6)
    best = graph.solve("bp", maximum=True)
    assert best.status == "optimal" and best.assignment is not None
    assert close(best.value, exact.value, 1e-6)


@contract
@given(recipes(kinds=MESSAGES))
def test_beliefs_are_probabilities_whatever_the_graph(recipe: Recipe) -> None:
    if recipe.optimum() == FORBIDDEN:
        return
    graph = recipe.build()
    for maximum in (False, True):
        answer = graph.solve("bp", maximum=maximum, damping=0.3)
        assert np.all((answer.posteriors >= 0) & (answer.posteriors <= 1))
        if answer.assignment is not None and answer.value > FORBIDDEN:
            assert close(answer.value, recipe.value(answer.assignment.tolist()), 1e-9)
            assert answer.value <= recipe.optimum() + 1e-9
        assert answer.status != "optimal" or close(answer.value, recipe.optimum(), 1e-6)


def test_a_factor_without_messages_is_named() -> None:
    graph = Recipe(np.zeros(2), []).build()
    graph.factor(ListedFactor(), [0, 1])
    with pytest.raises(ConfigError, match="custom"):
        graph.solve("bp")


class ListedFactor:
    """Both or none."""

    def maximize(self, scores: np.ndarray[Any, Any]) -> tuple[list[int], float]:
        return ([1, 1], float(scores.sum())) if scores.sum() > 0 else ([0, 0], 0.0)


# ---- the same question, the same answer


def fingerprint(answer: Solution) -> tuple[Any, ...]:
    chosen = None if answer.assignment is None else answer.assignment.tobytes()
    return answer.status, chosen, answer.value, answer.bound, answer.posteriors.tobytes(), answer.iterations


@pytest.mark.parametrize("solver", ["ad3", "subgradient", "branch_and_bound", "enumerate", "bp"])
@contract
@given(recipe=recipes(kinds=MESSAGES))
def test_answers_repeat_to_the_last_bit(solver: str, recipe: Recipe) -> None:
    if recipe.optimum() == FORBIDDEN:
        return
    graph = recipe.build()
    first = fingerprint(solve(graph, solver))
    assert fingerprint(solve(graph, solver)) == first
    assert fingerprint(solve(recipe.build(), solver)) == first


def grid(seed: int, side: int = 12, labels: int = 3) -> FactorGraph:
    """A Potts grid with attraction and repulsion: too hard to be settled at once."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    sites = graph.variables(random.uniform(-1, 1, (side, side, labels)))
    graph.exactly_one(sites.reshape(-1, labels))
    for before, after in ((sites[:, :-1], sites[:, 1:]), (sites[:-1], sites[1:])):
        weights = random.uniform(-2, 2, before.shape[:2])[:, :, None]
        graph.pair(before, after, np.broadcast_to(weights, before.shape))
    return graph


@pytest.mark.parametrize("solver", ["ad3", "subgradient"])
def test_threads_do_not_disturb_each_other(solver: str) -> None:
    def work(seed: int) -> tuple[Any, ...]:
        return fingerprint(grid(seed).solve(solver, iterations=100))

    alone = [work(seed) for seed in range(4)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(work, range(4))) == alone


# ---- Ctrl-C


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """What the terminal does on Ctrl-C, by a timer."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


ENDLESS: dict[str, dict[str, Any]] = {
    "ad3": {"iterations": 2**31 - 1, "residual": 0.0, "gap": 0.0, "cache": False},
    "subgradient": {"iterations": 2**31 - 1, "tolerance": 0.0},
    "bp": {"iterations": 2**31 - 1, "tolerance": 0.0},
    "branch_and_bound": {"nodes": 2**31 - 1, "gap": 0.0},
}


@pytest.mark.parametrize("solver", sorted(ENDLESS))
def test_an_interrupted_graph_stays_usable(solver: str) -> None:
    graph = grid(seed=5, side=30)
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.2):
        graph.solve(solver, **ENDLESS[solver])
    short = {"iterations": 20}
    assert fingerprint(graph.solve("ad3", **short)) == fingerprint(grid(seed=5, side=30).solve("ad3", **short))
    graph.fix(0)
    answer = graph.solve("ad3", **short)
    assert answer.assignment is None or answer.assignment[0]


def test_an_exception_of_a_custom_factor_arrives() -> None:
    class Broken:
        def maximize(self, scores: Any) -> Any:
            raise ZeroDivisionError("broken factor")

    graph = FactorGraph()
    graph.factor(Broken(), graph.variables([1.0, 2.0]))
    for solver in ("ad3", "subgradient", "branch_and_bound"):
        with pytest.raises(ZeroDivisionError, match="broken factor"):
            graph.solve(solver)


# ---- wrong input


def infeasible() -> FactorGraph:
    graph = FactorGraph()
    u = graph.variables([1.0, 2.0])
    graph.exactly_one(u, name="one of them")
    graph.fix(u, [True, True])
    return graph


@pytest.mark.parametrize("solver", ["ad3", "subgradient", *EXACT])
def test_contradictions_are_reported(solver: str) -> None:
    with pytest.raises(ConstraintError, match="no assignment satisfies"):
        infeasible().solve(solver)


Wrong = tuple[str, type[Exception], str, Callable[[FactorGraph, Any], object]]
WRONG: list[Wrong] = [
    ("nan score", ValueError, "finite", lambda g, u: g.variables([np.nan])),
    ("infinite score", ValueError, "finite", lambda g, u: g.variables([np.inf])),
    ("nan pair", ValueError, "finite", lambda g, u: g.pair(u[0], u[1], np.nan)),
    ("infinite pair", ValueError, "finite", lambda g, u: g.pair(u[0], u[1], -np.inf)),
    ("nan table", ValueError, "NaN", lambda g, u: g.table(u[:1], [0.0, np.nan])),
    ("infinite count", ValueError, "NaN", lambda g, u: g.cardinality(u, [0, 0, 0, np.inf])),
    ("nan cost", ValueError, "finite", lambda g, u: g.budget(u, [1, np.nan, 1], 2)),
    ("nan limit", ValueError, "limit", lambda g, u: g.budget(u, [1, 1, 1], np.nan)),
    ("negative cost", ValueError, "cost", lambda g, u: g.budget(u, [1, -1, 1], 2)),
    ("nan sibling", ValueError, "NaN", lambda g, u: g.sibling_automaton(u, np.full((4, 5), np.nan))),
    ("nan new scores", ValueError, "finite", lambda g, u: g.set_scores([0, np.nan, 0])),
    ("empty factor", ValueError, "at least 1 variable", lambda g, u: g.exactly_one([])),
    ("empty tree", ValueError, "word", lambda g, u: g.tree([[-1]])),
    ("duplicate", ValueError, "twice", lambda g, u: g.exactly_one([u[0], u[1], u[0]])),
    ("duplicate by negation", ValueError, "twice", lambda g, u: g.at_most_one([u[0], ~u[0]])),
    ("duplicate pair", ValueError, "twice", lambda g, u: g.pair(u[0], u[0], 1.0)),
    ("no such variable", ValueError, "does not exist", lambda g, u: g.exactly_one([0, 7])),
    ("no such evidence", ValueError, "no such variable as 7", lambda g, u: g.fix(7)),
    ("no such evidence to release", ValueError, "no such variable as 7", lambda g, u: g.release(7)),
    ("fractional variable", TypeError, "integers", lambda g, u: g.exactly_one([0.5, 1.0])),
    ("too few scores", ValueError, "score", lambda g, u: g.set_scores([1.0])),
    ("flat table", ValueError, "shape", lambda g, u: g.table(u[:2], [0, 0, 0, 0])),
    ("short counts", ValueError, "0..3", lambda g, u: g.cardinality(u, [0, 0])),
    ("oblong tree", ValueError, "arcs", lambda g, u: g.tree(np.zeros((2, 3), int))),
    ("small automaton", ValueError, "shape", lambda g, u: g.sibling_automaton(u, np.zeros((3, 4)))),
    ("missing transitions", ValueError, "tables between", lambda g, u: g.chain([u[:1], u[1:]], [])),
    ("short assignment", ValueError, "3 values", lambda g, u: g.value([True])),
    ("impossible count", ConstraintError, "cannot be on", lambda g, u: g.exactly(4, u)),
    ("pairs of unequal length", ValueError, "broadcast", lambda g, u: g.pair(u[:2], u[:3], 1.0)),
    ("deep variables", ValueError, "set per row", lambda g, u: g.exactly_one(np.zeros((1, 1, 1), int))),
    ("not a factor", TypeError, "maximize", lambda g, u: g.factor(object(), u)),  # type: ignore[arg-type]
    ("unknown solver", ConfigError, "unknown solver", lambda g, u: g.solve("simplex")),
    ("unknown setting", ConfigError, "no setting", lambda g, u: g.solve("ad3", speed=9)),
    ("setting out of range", ConfigError, "relaxation", lambda g, u: g.solve("ad3", relaxation=5.0)),
]


@pytest.mark.parametrize(("error", "message", "act"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_wrong_input_is_refused_in_words(
    error: type[Exception], message: str, act: Callable[[FactorGraph, Any], object]
) -> None:
    graph = FactorGraph()
    u = graph.variables([1.0, -1.0, 0.5])
    graph.exactly_one(u)
    with pytest.raises(error, match=message):
        act(graph, u)
    # What was refused has left no trace.
    assert len(graph) == 1 and graph.solve("ad3").assignment is not None
    assert graph.solve("ad3").value == 1.0


def test_every_solver_has_settings() -> None:
    assert set(SETTINGS) == set(SOLVERS)


def test_too_many_free_variables_are_not_enumerated() -> None:
    graph = FactorGraph()
    graph.variables(np.zeros(30))
    with pytest.raises(ConfigError, match="30"):
        graph.solve("enumerate")


def test_an_empty_graph_has_the_empty_answer() -> None:
    for solver in ("ad3", "subgradient", "branch_and_bound", "enumerate"):
        answer = FactorGraph().solve(solver)
        assert (answer.status, answer.value, answer.bound) == ("optimal", 0.0, 0.0)


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "bp" and (HAVE_HIGHS or "lp" not in name)])
def test_variables_without_factors_follow_their_scores(solver: str) -> None:
    graph = FactorGraph()
    graph.variables([1.5, -2.0, 0.25])
    answer = graph.solve(solver)
    assert answer.assignment is not None and answer.assignment.tolist() == [True, False, True]
    assert (answer.status, answer.value) == ("optimal", 1.75)
