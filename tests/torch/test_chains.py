# SPDX-License-Identifier: Apache-2.0
"""Layers over label sequences against enumeration and autograd's own checks."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import itertools  # noqa: E402

import numpy as np  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from accord.errors import ConstraintError  # noqa: E402
from accord.torch import chain_log_partition, chain_marginals  # noqa: E402


def enumerated(unary: torch.Tensor, transitions: torch.Tensor, lengths: list[int]) -> torch.Tensor:
    """log Z of each sentence, labelling by labelling; transitions are [B, N-1, L, L]."""
    values = []
    for sentence, length in enumerate(lengths):
        scores = []
        for labels in itertools.product(range(unary.shape[2]), repeat=length):
            score = unary.new_zeros(())
            for i, label in enumerate(labels):
                score = score + unary[sentence, i, label]
                if i > 0:
                    score = score + transitions[sentence, i - 1, labels[i - 1], label]
            scores.append(score)
        values.append(torch.stack(scores).logsumexp(0))
    return torch.stack(values)


def random_batch(seed: int, scale: float, forbidden: float) -> tuple[torch.Tensor, torch.Tensor, list[int]]:
    """Sentences of zero to four positions with three labels; label 0 may always follow itself."""
    random = np.random.default_rng(seed)
    lengths = random.permutation([0, 1, 2, 3, 4]).tolist()
    unary = random.normal(scale=scale, size=(5, 4, 3))
    transitions = random.normal(scale=scale, size=(5, 3, 3, 3))
    for table in (unary, transitions):
        masked = random.random(table.shape) < forbidden
        masked[..., 0] = False
        table[masked] = -np.inf
    return torch.from_numpy(unary), torch.from_numpy(transitions), lengths


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([1.0, 10.0, 500.0]), forbidden=st.sampled_from([0.0, 0.4]))
def test_values_and_both_derivatives_are_those_of_enumeration(seed: int, scale: float, forbidden: float) -> None:
    unary, transitions, lengths = random_batch(seed, scale, forbidden)
    unary.requires_grad_()
    transitions.requires_grad_()
    inputs = (unary, transitions)
    value = chain_log_partition(*inputs, lengths)
    expected = enumerated(*inputs, lengths)
    torch.testing.assert_close(value, expected, rtol=1e-10, atol=1e-10)
    weights = torch.arange(1.0, 6.0, dtype=torch.float64)
    gradients = torch.autograd.grad((weights * value).sum(), inputs, create_graph=True)
    random = np.random.default_rng(seed + 1)
    directions = [torch.from_numpy(random.normal(size=table.shape)) for table in inputs]
    products = torch.autograd.grad(sum((g * d).sum() for g, d in zip(gradients, directions, strict=True)), inputs)
    wanted = [torch.zeros_like(table) for table in inputs]
    curvature = [torch.zeros_like(table) for table in inputs]
    for sentence in range(5):  # by finite probabilities: logsumexp of -inf has no derivative
        moments(inputs, lengths, sentence, directions, wanted, curvature, weights)
    for found, right in zip((*gradients, *products), (*wanted, *curvature), strict=True):
        torch.testing.assert_close(found.detach(), right, rtol=1e-8, atol=1e-8)


def moments(inputs, lengths, sentence, directions, wanted, curvature, weights) -> None:  # type: ignore[no-untyped-def]
    """Adds a sentence's marginals and their derivatives along the directions, times its weight."""
    unary, transitions = (table.detach() for table in inputs)
    labellings = list(itertools.product(range(3), repeat=lengths[sentence]))
    parts = [
        [(0, (sentence, i, y)) for i, y in enumerate(labels)]
        + [(1, (sentence, i - 1, labels[i - 1], labels[i])) for i in range(1, len(labels))]
        for labels in labellings
    ]
    tables = (unary, transitions)
    scores = torch.tensor([sum(float(tables[t][at]) for t, at in own) for own in parts], dtype=torch.float64)
    probabilities = torch.softmax(scores, 0)
    along = torch.tensor([sum(float(directions[t][at]) for t, at in own) for own in parts], dtype=torch.float64)
    mean = (probabilities * along).sum()
    for own, probability, moved in zip(parts, probabilities, along, strict=True):
        for t, at in own:
            wanted[t][at] += weights[sentence] * probability
            curvature[t][at] += weights[sentence] * probability * (moved - mean)


def test_autograd_checks_find_no_fault() -> None:
    generator = torch.Generator().manual_seed(1)
    unary = torch.randn(3, 4, 3, generator=generator, dtype=torch.float64, requires_grad=True)
    lengths = [4, 0, 2]
    for shape in ((3, 3), (3, 3, 3), (3, 3, 3, 3)):
        transitions = torch.randn(*shape, generator=generator, dtype=torch.float64, requires_grad=True)
        inputs = (unary, transitions)
        assert torch.autograd.gradcheck(lambda u, t: chain_log_partition(u, t, lengths), inputs)
        assert torch.autograd.gradgradcheck(lambda u, t: chain_log_partition(u, t, lengths), inputs)
        assert torch.autograd.gradcheck(lambda u, t: tuple(chain_marginals(u, t, lengths)), inputs)


def test_marginals_have_the_shapes_of_the_scores_and_agree_with_the_gradient() -> None:
    unary, transitions, lengths = random_batch(3, 1.0, 0.3)
    unary.requires_grad_()
    transitions.requires_grad_()
    labels, pairs = chain_marginals(unary, transitions, lengths)
    gradients = torch.autograd.grad(chain_log_partition(unary, transitions, lengths).sum(), (unary, transitions))
    torch.testing.assert_close(labels, gradients[0])
    torch.testing.assert_close(pairs, gradients[1])
    for row, length in zip(labels.detach(), lengths, strict=True):
        torch.testing.assert_close(row.sum(dim=1), (torch.arange(4) < length).double())


def test_single_positions_empty_batches_and_single_precision() -> None:
    unary = torch.randn(2, 1, 4)
    value = chain_log_partition(unary, torch.zeros(4, 4))
    torch.testing.assert_close(value, unary[:, 0].logsumexp(1))
    assert value.dtype == torch.float32
    assert chain_log_partition(torch.zeros(0, 3, 2), torch.zeros(2, 2)).shape == (0,)
    assert chain_log_partition(torch.zeros(2, 0, 2), torch.zeros(2, 2)).tolist() == [0.0, 0.0]
    assert chain_marginals(torch.zeros(2, 1, 2), torch.zeros(2, 2)).pairs.shape == (2, 0, 2, 2)


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match=r"transitions must have the shape \(1, 2, 3, 3\), \(2, 3, 3\) or \(3, 3\)"):
        chain_log_partition(torch.zeros(1, 3, 3), torch.zeros(2, 2))
    with pytest.raises(ValueError, match=r"lengths must lie in 0\.\.3"):
        chain_log_partition(torch.zeros(1, 3, 3), torch.zeros(3, 3), [4])
    with pytest.raises(ValueError, match="sentence 0: a score is NaN"):
        chain_log_partition(torch.full((1, 3, 3), torch.nan), torch.zeros(3, 3))
    with pytest.raises(ConstraintError, match="sentence 1 of the batch: no labelling"):
        unary = torch.zeros(2, 3, 3)
        unary[1, 2] = -torch.inf
        chain_log_partition(unary, torch.zeros(3, 3))
