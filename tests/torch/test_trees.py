# SPDX-License-Identifier: Apache-2.0
"""Layers over trees against enumeration: values, first and second derivatives; masks, lengths, precision, devices."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import numpy as np  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from accord.errors import ConstraintError  # noqa: E402
from accord.torch import tree_argmax, tree_entropy, tree_log_partition, tree_marginals  # noqa: E402
from tests.inference.enumerated_trees import SPACES, Space  # noqa: E402
from tests.torch.enumeration import structure_scores, tree_vectors  # noqa: E402

spaces = pytest.mark.parametrize("space", SPACES, ids=str)
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


def random_batch(seed: int, scale: float, forbidden: float) -> tuple[torch.Tensor, list[int]]:
    """Sentences of zero to four words, padded with NaN; the arcs of the chain 0 -> 1 -> 2 ... are never forbidden."""
    random = np.random.default_rng(seed)
    lengths = random.permutation([0, 1, 2, 3, 4]).tolist()
    scores = np.full((5, 5, 5), np.nan)
    for sentence, words in enumerate(lengths):
        table = random.normal(scale=scale, size=(words + 1, words + 1))
        masked = random.random(table.shape) < forbidden
        masked[np.arange(words), np.arange(1, words + 1)] = False
        scores[sentence, : words + 1, : words + 1] = np.where(masked, -np.inf, table)
    return torch.from_numpy(scores), lengths


def options(space: Space) -> dict[str, bool]:
    return {"projective": space.projective, "single_root": space.single_root}


def enumerated_log_partition(scores: torch.Tensor, lengths: list[int], space: Space) -> torch.Tensor:
    values = []
    for table, words in zip(scores, lengths, strict=True):
        own = table[: words + 1, : words + 1]
        values.append(structure_scores(tree_vectors(words, space), own).logsumexp(0))
    return torch.stack(values)


def arcs_of(scores: torch.Tensor, lengths: list[int]) -> torch.Tensor:
    """Which entries are arcs that are not forbidden."""
    mask = torch.zeros_like(scores, dtype=torch.bool)
    for sentence, words in enumerate(lengths):
        mask[sentence, : words + 1, 1 : words + 1] = True
        mask[sentence].fill_diagonal_(False)
    return mask & (scores > -torch.inf)


@spaces
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([1.0, 10.0, 300.0]), forbidden=st.sampled_from([0.0, 0.4]))
def test_values_and_gradients_are_those_of_enumeration(space: Space, seed: int, scale: float, forbidden: float) -> None:
    scores, lengths = random_batch(seed, scale, forbidden)
    mask = arcs_of(scores, lengths)
    free = scores.clone().requires_grad_()
    value = tree_log_partition(free, lengths, **options(space))
    known = torch.where(mask, scores, torch.where(torch.isneginf(scores), scores, 0.0)).requires_grad_()
    expected = enumerated_log_partition(known, lengths, space)
    torch.testing.assert_close(value, expected, rtol=1e-10, atol=1e-10)
    (gradient,) = torch.autograd.grad(value.sum(), free)
    (wanted,) = torch.autograd.grad(expected.sum(), known)
    wanted = torch.where(mask, wanted, 0.0)
    torch.testing.assert_close(gradient, wanted, rtol=1e-9, atol=1e-9)
    torch.testing.assert_close(tree_marginals(scores, lengths, **options(space)), wanted, rtol=1e-9, atol=1e-9)


@spaces
def test_the_second_derivative_is_that_of_enumeration(space: Space) -> None:
    for seed in range(5):
        scores, lengths = random_batch(seed, 2.0, 0.3)
        mask = arcs_of(scores, lengths)
        direction = torch.from_numpy(np.random.default_rng(seed).normal(size=scores.shape))
        products = []
        for log_partition in (
            lambda s, lengths=lengths: tree_log_partition(s, lengths, **options(space)),
            lambda s, lengths=lengths: enumerated_log_partition(s, lengths, space),
        ):
            free = torch.where(mask | torch.isneginf(scores), scores, 0.0).requires_grad_()
            (gradient,) = torch.autograd.grad(log_partition(free).square().sum(), free, create_graph=True)
            (product,) = torch.autograd.grad((torch.where(mask, gradient, 0.0) * direction).sum(), free)
            products.append(torch.where(mask, product, 0.0))
        torch.testing.assert_close(products[0], products[1], rtol=1e-9, atol=1e-9)


@spaces
def test_autograd_checks_find_no_fault(space: Space) -> None:
    generator = torch.Generator().manual_seed(3)
    scores = torch.randn(3, 5, 5, generator=generator, dtype=torch.float64, requires_grad=True)
    lengths = [4, 0, 3]
    layer = options(space)
    assert torch.autograd.gradcheck(lambda s: tree_log_partition(s, lengths, **layer), (scores,))
    assert torch.autograd.gradgradcheck(lambda s: tree_log_partition(s, lengths, **layer), (scores,))
    assert torch.autograd.gradcheck(lambda s: tree_marginals(s, lengths, **layer), (scores,))
    assert torch.autograd.gradcheck(lambda s: tree_entropy(s, lengths, **layer), (scores,))


@spaces
def test_autograd_checks_with_forbidden_arcs(space: Space) -> None:
    weights = torch.randn(1, 5, 5, generator=torch.Generator().manual_seed(4), dtype=torch.float64, requires_grad=True)
    forbidden = torch.zeros(1, 5, 5, dtype=torch.bool)
    forbidden[0, 2:, 1] = forbidden[0, 3, 2] = forbidden[0, 0, 4] = True
    layer = options(space)
    for function in (tree_log_partition, tree_marginals, tree_entropy):
        layered = lambda s, f=function: f(s.masked_fill(forbidden, -torch.inf), **layer)  # noqa: E731
        assert torch.autograd.gradcheck(layered, (weights,))
    layered = lambda s: tree_log_partition(s.masked_fill(forbidden, -torch.inf), **layer)  # noqa: E731
    assert torch.autograd.gradgradcheck(layered, (weights,))


@spaces
def test_entropy_is_that_of_enumeration(space: Space) -> None:
    for seed in range(10):
        scores, lengths = random_batch(seed, 2.0, 0.3)
        entropies = tree_entropy(scores, lengths, **options(space))
        for entropy, table, words in zip(entropies, scores, lengths, strict=True):
            values = structure_scores(
                tree_vectors(words, space), torch.nan_to_num(table[: words + 1, : words + 1], neginf=-torch.inf)
            )
            log_probability = values - values.logsumexp(0)
            wanted = -(log_probability.exp() * torch.nan_to_num(log_probability, neginf=0.0)).sum()
            torch.testing.assert_close(entropy, wanted, rtol=1e-9, atol=1e-9)


@spaces
def test_the_best_tree_is_that_of_enumeration_and_gradients_pass_straight_through(space: Space) -> None:
    for seed in range(10):
        scores, lengths = random_batch(seed, 2.0, 0.3)
        free = scores.clone().requires_grad_()
        chosen = tree_argmax(free, lengths, **options(space))
        for tree, table, words in zip(chosen.detach(), scores, lengths, strict=True):
            vectors = tree_vectors(words, space)
            best = vectors[structure_scores(vectors, table[: words + 1, : words + 1]).argmax()]
            assert torch.equal(tree[: words + 1, : words + 1], best)
            assert tree.sum() == words
        weights = torch.randn(scores.shape, dtype=torch.float64)
        (chosen * weights).sum().backward()
        assert free.grad is not None
        assert torch.equal(free.grad, torch.where(arcs_of(scores, lengths), weights, 0.0))
        assert not tree_argmax(free, lengths, straight_through=False, **options(space)).requires_grad


@spaces
@pytest.mark.parametrize("device", DEVICES)
def test_results_have_the_precision_and_the_device_of_the_scores(space: Space, device: str) -> None:
    scores, lengths = random_batch(7, 1.0, 0.2)
    single = scores.to(device, torch.float32).requires_grad_()
    value = tree_log_partition(single, torch.tensor(lengths, device=device), **options(space))
    value.sum().backward()
    assert single.grad is not None
    assert value.dtype == single.grad.dtype == torch.float32
    assert value.device == single.grad.device == single.device
    exact = tree_log_partition(single.detach().double(), lengths, **options(space))
    torch.testing.assert_close(value.detach().double(), exact, rtol=1e-6, atol=1e-6)


def test_threads_change_nothing() -> None:
    scores = torch.randn(16, 21, 21, generator=torch.Generator().manual_seed(5), dtype=torch.float64)
    for projective in (False, True):
        alone = tree_marginals(scores, projective=projective, threads=1)
        assert torch.equal(alone, tree_marginals(scores, projective=projective, threads=3))


def test_an_empty_batch_and_a_batch_of_empty_sentences() -> None:
    assert tree_log_partition(torch.zeros(0, 4, 4)).shape == (0,)
    assert tree_marginals(torch.zeros(0, 4, 4)).shape == (0, 4, 4)
    assert tree_log_partition(torch.zeros(2, 1, 1)).tolist() == [0.0, 0.0]
    assert tree_argmax(torch.zeros(2, 1, 1)).tolist() == [[[0.0]], [[0.0]]]


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match=r"\[B, N\+1, N\+1\], not \(2, 3, 4\)"):
        tree_log_partition(torch.zeros(2, 3, 4))
    with pytest.raises(ValueError, match=r"\[B, N\+1, N\+1\], not \(3, 3\)"):
        tree_marginals(torch.zeros(3, 3))
    with pytest.raises(ValueError, match="floating-point"):
        tree_log_partition(torch.zeros(1, 3, 3, dtype=torch.int64))
    with pytest.raises(ValueError, match="lengths must be 1 integers"):
        tree_log_partition(torch.zeros(1, 3, 3), [2, 2])
    with pytest.raises(ValueError, match=r"lengths must lie in 0\.\.2"):
        tree_log_partition(torch.zeros(1, 3, 3), [3])
    broken = torch.zeros(2, 3, 3)
    broken[1, 2, 1] = torch.nan
    with pytest.raises(ValueError, match="sentence 1: the score of arc 2 -> 1 is NaN"):
        tree_log_partition(broken)
    broken[1, :, 1] = -torch.inf
    for layer in (tree_log_partition, tree_marginals, tree_entropy, tree_argmax):
        with pytest.raises(ConstraintError, match="sentence 1 of the batch: no tree"):
            layer(broken)


def test_marginals_refuse_a_second_differentiation() -> None:
    scores = torch.randn(1, 4, 4, dtype=torch.float64, requires_grad=True)
    (gradient,) = torch.autograd.grad(tree_marginals(scores).square().sum(), scores, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        gradient.sum().backward()
