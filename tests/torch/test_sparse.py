# SPDX-License-Identifier: Apache-2.0
"""SparseMAP against the quadratic programme over enumerated structures, and its gradients by autograd's own checks."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import itertools  # noqa: E402

import numpy as np  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from accord.errors import BudgetError, ConstraintError  # noqa: E402
from accord.inference import FactorGraph  # noqa: E402
from accord.torch import sparsemap, sparsemap_tree, tree_argmax  # noqa: E402
from tests.inference.enumerated_trees import SPACES, Space  # noqa: E402
from tests.torch.enumeration import sparse_projection, tree_vectors  # noqa: E402

spaces = pytest.mark.parametrize("space", SPACES, ids=str)


def options(space: Space) -> dict[str, bool]:
    return {"projective": space.projective, "single_root": space.single_root}


def assert_optimal(vectors: torch.Tensor, scores: torch.Tensor, own: torch.Tensor, mixed: torch.Tensor) -> None:
    """No structure goes further up from here than the mixture does itself: the conditions of the concave problem.

    f(b) = b.(V s + own) - |V' b|^2 / 2 has the gradient V (s - mixed) + own in b. The own score of the mixture is not
    known from its marginals; where own is zero it is, and the conditions are complete.
    """
    gradient = vectors @ (scores - mixed) + own
    here = float(mixed @ (scores - mixed))
    assert float(gradient.max()) <= here + 1e-7


@spaces
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([0.2, 1.0, 5.0]))
def test_marginals_of_trees_meet_the_conditions_of_the_optimum(space: Space, seed: int, scale: float) -> None:
    random = np.random.default_rng(seed)
    lengths = random.permutation([0, 1, 2, 3, 4]).tolist()
    scores = torch.from_numpy(random.normal(scale=scale, size=(5, 5, 5)))
    mixed = sparsemap_tree(scores, lengths, **options(space))
    for table, marginals, words in zip(scores, mixed, lengths, strict=True):
        vectors = tree_vectors(words, space).flatten(1)
        inside = marginals[: words + 1, : words + 1]
        assert_optimal(
            vectors,
            table[: words + 1, : words + 1].flatten(),
            torch.zeros(len(vectors), dtype=torch.float64),
            inside.flatten(),
        )
        torch.testing.assert_close(inside.sum(dim=0)[1:], torch.ones(words, dtype=torch.float64))
        assert marginals.sum() == pytest.approx(words)
        assert (marginals >= 0).all()


@spaces
def test_marginals_of_trees_solve_the_quadratic_programme(space: Space) -> None:
    vectors = tree_vectors(3, space).flatten(1).numpy()
    for seed in range(10):
        table = np.random.default_rng(seed).normal(size=(4, 4))
        expected = sparse_projection(vectors, table.flatten(), np.zeros(len(vectors)))
        found = sparsemap_tree(torch.from_numpy(table)[None], **options(space))
        np.testing.assert_allclose(found[0].flatten().numpy(), expected, atol=1e-9)


@spaces
def test_autograd_checks_find_no_fault_in_trees(space: Space) -> None:
    for seed in range(3):
        generator = torch.Generator().manual_seed(seed)
        scores = torch.randn(2, 5, 5, generator=generator, dtype=torch.float64, requires_grad=True)
        layer = lambda s: sparsemap_tree(s, [4, 3], **options(space))  # noqa: E731
        assert torch.autograd.gradcheck(layer, (scores,))
        assert torch.autograd.gradgradcheck(layer, (scores,))


def test_far_apart_scores_give_the_best_tree() -> None:
    scores = 5000 * torch.randn(4, 7, 7, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    torch.testing.assert_close(sparsemap_tree(scores), tree_argmax(scores))


def test_forbidden_arcs_stay_at_zero_without_gradient() -> None:
    scores = torch.randn(1, 5, 5, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    scores[0, 1:, 1] = -torch.inf
    scores.requires_grad_()
    mixed = sparsemap_tree(scores, single_root=False)
    assert mixed[0, 0, 1] == 1
    (mixed * torch.randn(1, 5, 5, dtype=torch.float64)).sum().backward()
    assert scores.grad is not None
    assert torch.isfinite(scores.grad).all()
    assert (scores.grad[0, 1:, 1] == 0).all()


def test_sentences_that_cannot_be_answered_are_named() -> None:
    scores = torch.zeros(2, 3, 3)
    with pytest.raises(BudgetError, match="sentence 0 of the batch: 1 steps"):
        sparsemap_tree(scores, steps=1)
    scores[1, :, 2] = -torch.inf
    with pytest.raises(ConstraintError, match="sentence 1 of the batch: no tree"):
        sparsemap_tree(scores)


def test_threads_change_nothing() -> None:
    scores = torch.randn(6, 9, 9, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    assert torch.equal(sparsemap_tree(scores, threads=1), sparsemap_tree(scores, threads=3))


def small_graph(seed: int) -> FactorGraph:
    """Six variables under two constraints, with pairs that have scores."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    variables = graph.variables(np.zeros(6))
    graph.exactly_one(variables[:3])
    graph.budget(variables[2:], [1.0, 2.0, 1.0, 2.0], 3.0)
    graph.pair(variables[[0, 1, 4]], variables[[3, 4, 5]], random.normal(size=3))
    return graph


def chain_graph(seed: int, length: int = 6, labels: int = 3) -> FactorGraph:
    """A graph that is not enumerated: one label a position, neighbours scored by pairs."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    variables = graph.variables(np.zeros((length, labels)))
    graph.exactly_one(variables)
    for i in range(length - 1):
        graph.pair(variables[i][:, None], variables[i + 1], random.normal(scale=0.5, size=(labels, labels)))
    return graph


def assignments_of(graph: FactorGraph) -> tuple[np.ndarray, np.ndarray]:
    """All assignments that a graph of zero scores allows, and their own scores."""
    rows = np.array(list(itertools.product([0.0, 1.0], repeat=len(graph.scores))))
    values = np.array([graph.value(row) for row in rows])
    return rows[values > -np.inf], values[values > -np.inf]


def chain_assignments(graph: FactorGraph, length: int, labels: int) -> tuple[np.ndarray, np.ndarray]:
    rows = np.array(
        [np.eye(labels)[list(choice)].flatten() for choice in itertools.product(range(labels), repeat=length)]
    )
    return rows, np.array([graph.value(row) for row in rows])


@pytest.mark.parametrize("seed", range(10))
def test_posteriors_of_a_small_graph_solve_the_quadratic_programme(seed: int) -> None:
    graph = small_graph(seed)
    scores = np.random.default_rng(seed + 100).normal(size=6)
    vectors, own = assignments_of(graph)
    before = graph.scores
    found = sparsemap(graph, torch.from_numpy(scores))
    np.testing.assert_allclose(found.numpy(), sparse_projection(vectors, scores, own), atol=1e-8)
    np.testing.assert_array_equal(graph.scores, before)


@pytest.mark.parametrize("seed", range(5))
def test_posteriors_of_a_larger_graph_beat_every_assignment(seed: int) -> None:
    graph = chain_graph(seed)
    scores = np.random.default_rng(seed + 100).normal(size=18)
    mixture = graph.sparsemap(scores)
    vectors, own = chain_assignments(graph, 6, 3)
    weights = {row.tobytes(): weight for row, weight in zip(vectors.astype(bool), own, strict=True)}
    inner = sum(
        weight * weights[row.tobytes()] for row, weight in zip(mixture.assignments, mixture.weights, strict=True)
    )
    reached = mixture.posteriors @ (scores - mixture.posteriors) + inner
    assert (vectors @ (scores - mixture.posteriors) + own).max() <= reached + 1e-6
    np.testing.assert_allclose(mixture.weights @ mixture.assignments, mixture.posteriors, atol=1e-12)
    assert mixture.weights.sum() == pytest.approx(1.0)
    assert (mixture.weights >= -1e-12).all()


@pytest.mark.parametrize("make", [small_graph, chain_graph])
def test_autograd_checks_find_no_fault_in_graphs(make: type) -> None:
    for seed in range(3):
        graph = make(seed)
        generator = torch.Generator().manual_seed(seed)
        scores = torch.randn(len(graph.scores), generator=generator, dtype=torch.float64, requires_grad=True)
        assert torch.autograd.gradcheck(lambda s, graph=graph: sparsemap(graph, s), (scores,), atol=1e-4)
        assert torch.autograd.gradgradcheck(lambda s, graph=graph: sparsemap(graph, s), (scores,), atol=1e-4)


def test_a_tree_factor_in_a_graph_agrees_with_the_layer_over_trees() -> None:
    words = 4
    table = torch.randn(1, words + 1, words + 1, generator=torch.Generator().manual_seed(6), dtype=torch.float64)
    heads, dependents = np.array([(h, m) for m in range(1, words + 1) for h in range(words + 1) if h != m]).T
    graph = FactorGraph()
    arcs = np.full((words + 1, words + 1), -1)
    arcs[heads, dependents] = graph.variables(np.zeros(len(heads)))
    graph.tree(arcs, single_root=True)
    found = sparsemap(graph, table[0, heads, dependents])
    torch.testing.assert_close(found, sparsemap_tree(table)[0, heads, dependents], rtol=1e-8, atol=1e-8)


def test_evidence_holds() -> None:
    graph = small_graph(1)
    graph.fix(3, True)
    found = sparsemap(graph, torch.zeros(6))
    assert found[3] == 1
    assert found[5] == 0  # the budget of three has one left
    assert found[2] + found[4] <= 1


def test_mistakes_are_named() -> None:
    graph = small_graph(0)
    with pytest.raises(ValueError, match="one score per variable"):
        sparsemap(graph, torch.zeros(5))
    with pytest.raises(ValueError, match="not a finite number"):
        sparsemap(graph, torch.full((6,), -torch.inf))
    with pytest.raises(BudgetError, match="1 steps are not enough"):
        sparsemap(graph, torch.zeros(6), steps=1)
    graph.fix([0, 1, 2], False)
    with pytest.raises(ConstraintError):
        sparsemap(graph, torch.zeros(6))
