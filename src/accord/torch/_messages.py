# SPDX-License-Identifier: Apache-2.0
"""Belief propagation over values for a batch of networks: all messages of a round at once, with damping.

Exact where a network has no loops, after as many rounds as its longest path. Otherwise beliefs and the log-partition
are Bethe's. Gradients go through the rounds. ``-inf`` is kept apart from finite sums, so that taking a message out of a
belief is exact.

Pearl (1988), "Probabilistic reasoning in intelligent systems"; Yedidia, Freeman and Weiss (2005), "Constructing free
energy approximations and generalized belief propagation algorithms".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from accord.torch._elimination import safe_logsumexp
from accord.torch._tables import Group, stacked


@dataclass(frozen=True)
class Beliefs:
    variables: torch.Tensor  # [B, V, K] logarithms of probabilities
    groups: list[torch.Tensor]  # [B, tables, *shape] the same for the tables of each group
    change: torch.Tensor  # [B] the largest change of a message in the last round
    rounds: int


def propagate(
    unary: torch.Tensor,
    tables: Sequence[torch.Tensor],
    groups: Sequence[Group],
    *,
    maximum: bool,
    rounds: int,
    damping: float,
    tolerance: float,
) -> Beliefs:
    batch = max([unary.shape[0], *(table.shape[0] for table in tables)])
    unary = unary.expand(batch, *unary.shape[1:])
    scores = [stacked(group, tables, batch) for group in groups]
    indices = [group.index(unary.device) for group in groups]
    # messages[g][j]: from each table of group g to its variable j, [B, tables, values]
    messages = [[unary.new_zeros(batch, len(group.tables), count) for count in group.shape] for group in groups]
    change = unary.new_zeros(batch)
    done = 0
    while done < rounds:
        done += 1
        sums, blocks = _collected(unary, messages, indices)
        change = unary.new_zeros(batch)
        for place, (score, index) in enumerate(zip(scores, indices, strict=True)):
            incoming = _cavities(sums, blocks, messages[place], index)
            fresh = _outgoing(score, incoming, maximum)
            for axis, (old, new) in enumerate(zip(messages[place], fresh, strict=True)):
                moved = torch.where(torch.isneginf(old) & torch.isneginf(new), 0.0, (new - old).abs())
                change = torch.maximum(change, moved.detach().flatten(1).amax(1))
                if damping and done > 1:
                    new = torch.where(
                        torch.isneginf(new), new, damping * old.clamp_min(_least(old)) + (1 - damping) * new
                    )
                messages[place][axis] = new
        if bool((change <= tolerance).all()):
            break
    sums, blocks = _collected(unary, messages, indices)
    variables = _normal(torch.where(blocks > 0, -torch.inf, sums), (2,), maximum)
    joint = []
    for place, (score, index) in enumerate(zip(scores, indices, strict=True)):
        total = _with(score, _cavities(sums, blocks, messages[place], index))
        joint.append(_normal(total, tuple(range(2, total.ndim)), maximum))
    return Beliefs(variables, joint, change, done)


def _least(tensor: torch.Tensor) -> float:
    return float(torch.finfo(tensor.dtype).min) / 4


def _finite(scores: torch.Tensor) -> torch.Tensor:
    return torch.where(torch.isneginf(scores), 0.0, scores)


def _collected(
    unary: torch.Tensor, messages: Sequence[Sequence[torch.Tensor]], indices: Sequence[torch.Tensor]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Of each value: the sum of its finite scores, and how many are -inf."""
    sums = _finite(unary)
    blocks = torch.isneginf(unary).to(unary.dtype)
    for group, index in zip(messages, indices, strict=True):
        for axis, message in enumerate(group):
            wide = torch.nn.functional.pad(message, (0, unary.shape[2] - message.shape[2]))
            sums = sums.index_add(1, index[:, axis], _finite(wide))
            blocks = blocks.index_add(1, index[:, axis], torch.isneginf(wide).to(unary.dtype))
    return sums, blocks


def _cavities(
    sums: torch.Tensor, blocks: torch.Tensor, messages: Sequence[torch.Tensor], index: torch.Tensor
) -> list[torch.Tensor]:
    """What each variable says to each table: all that it has heard, less what it heard from the table."""
    cavities = []
    for axis, message in enumerate(messages):
        values = message.shape[2]
        left = sums[:, index[:, axis], :values] - _finite(message)
        blocked = blocks[:, index[:, axis], :values] - torch.isneginf(message).to(sums.dtype) > 0.5
        cavities.append(torch.where(blocked, -torch.inf, left))
    return cavities


def _with(score: torch.Tensor, incoming: Sequence[torch.Tensor], but: int | None = None) -> torch.Tensor:
    """A table with what its variables say, all but one."""
    total = score
    for axis, message in enumerate(incoming):
        if axis != but:
            shape = [1] * len(incoming)
            shape[axis] = message.shape[2]
            total = total + message.reshape(*message.shape[:2], *shape)
    return total


def _outgoing(score: torch.Tensor, incoming: Sequence[torch.Tensor], maximum: bool) -> list[torch.Tensor]:
    fresh = []
    for axis in range(len(incoming)):
        total = _with(score, incoming, axis)
        others = tuple(2 + other for other in range(len(incoming)) if other != axis)
        if others:
            total = total.amax(others) if maximum else safe_logsumexp(total, others)
        fresh.append(_normal(total, (2,), maximum))
    return fresh


def _normal(scores: torch.Tensor, axes: tuple[int, ...], maximum: bool) -> torch.Tensor:
    """Shifted so that the best is 0, or that the exponentials sum to 1."""
    shift = scores.detach().amax(axes, keepdim=True) if maximum else safe_logsumexp(scores, axes)
    shift = shift.reshape(*scores.shape[:2], *([1] * (scores.ndim - 2)))
    return scores - torch.where(torch.isneginf(shift), 0.0, shift)


def bethe(
    beliefs: Beliefs, unary: torch.Tensor, tables: Sequence[torch.Tensor], groups: Sequence[Group]
) -> torch.Tensor:
    """Bethe's log-partition of sum-product beliefs: ``[B]``."""
    batch, variables = beliefs.variables.shape[:2]
    degrees = unary.new_zeros(variables)
    total = unary.new_zeros(batch)
    for group, joint in zip(groups, beliefs.groups, strict=True):
        index = group.index(unary.device)
        degrees = degrees.index_add(0, index.reshape(-1), unary.new_ones(index.numel()))
        total = total + (_expected(joint, stacked(group, tables, batch)) + _entropy(joint)).flatten(1).sum(1)
    own = _expected(beliefs.variables, unary.expand(batch, *unary.shape[1:])).sum(2)
    entropy = _entropy(beliefs.variables).sum(2)
    return total + (own + (1 - degrees) * entropy).sum(1)


def _expected(logarithms: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    possible = ~torch.isneginf(logarithms)
    return torch.where(possible, torch.where(possible, logarithms, 0.0).exp() * _finite(scores), 0.0)


def _entropy(logarithms: torch.Tensor) -> torch.Tensor:
    possible = ~torch.isneginf(logarithms)
    finite = torch.where(possible, logarithms, 0.0)
    return torch.where(possible, -finite.exp() * finite, 0.0)
