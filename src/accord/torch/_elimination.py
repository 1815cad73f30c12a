# SPDX-License-Identifier: Apache-2.0
"""Sums and maxima over all settings of a batch of networks, by eliminating one variable after the other.

A variable is eliminated by adding up all tables that have it and summing (or maximising) over its values; what is left
is a table over its neighbours. The order is found once for a shape, by the smallest next table. A batch of B networks
takes as many operations on tensors as one network; each costs B times the entries of its table, at most B times
``largest``. Exact for any network; cheap where its treewidth is small, and linear in its size where it is a forest.

Dechter (1999), "Bucket elimination: a unifying framework for reasoning".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import torch


@dataclass(frozen=True)
class Step:
    """Eliminate a variable from some slots; the result is a new slot over the rest of their variables."""

    variable: int
    inputs: tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]  # slot, order of its axes, shape without the batch
    rest: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """All steps. Slots are numbered: variables' own scores, tables, then the results of steps."""

    steps: tuple[Step, ...]
    largest: int  # entries of the largest table
    last: tuple[int, ...]  # slots without variables: their sum is the answer


def plan(values: Sequence[int], scopes: Sequence[tuple[int, ...]]) -> Plan:
    """The elimination by the smallest next table, first variable first among equals."""
    slots: dict[int, tuple[int, ...]] = {variable: (variable,) for variable in range(len(values))}
    slots.update((len(values) + place, scope) for place, scope in enumerate(scopes))
    neighbours = [{variable} for variable in range(len(values))]
    for scope in scopes:
        for variable in scope:
            neighbours[variable].update(scope)
    following, largest = len(slots), 1
    steps: list[Step] = []
    left = set(range(len(values)))
    while left:
        variable = min(left, key=lambda one: (prod(values[other] for other in neighbours[one]), one))
        touched = [slot for slot, scope in slots.items() if variable in scope]
        rest = tuple(sorted(neighbours[variable] - {variable}))
        axes = (*rest, variable)
        inputs = tuple((slot, *_aligned(slots.pop(slot), axes, values)) for slot in touched)
        steps.append(Step(variable, inputs, rest))
        largest = max(largest, prod(values[other] for other in axes))
        slots[following] = rest
        following += 1
        left.discard(variable)
        for other in rest:
            neighbours[other] = (neighbours[other] | set(rest)) - {variable}
    return Plan(tuple(steps), largest, tuple(slots))


def _aligned(
    scope: tuple[int, ...], axes: tuple[int, ...], values: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How a table over a scope becomes one over all axes: the order of its own axes, and a shape with ones between."""
    order = tuple(1 + scope.index(axis) for axis in axes if axis in scope)
    return (0, *order), tuple(values[axis] if axis in scope else 1 for axis in axes)


def _total(step: Step, slots: Sequence[torch.Tensor]) -> torch.Tensor:
    """The sum of a step's inputs, its variable as the last axis."""
    total: torch.Tensor | None = None
    for slot, order, shape in step.inputs:
        table = slots[slot].permute(order)
        table = table.reshape(table.shape[0], *shape)
        total = table if total is None else total + table
    assert total is not None
    return total


def safe_logsumexp(scores: torch.Tensor, axis: int | tuple[int, ...]) -> torch.Tensor:
    """log of the sum of exponentials; where all scores are -inf the gradient is zero, not NaN."""
    highest = scores.detach().amax(axis, keepdim=True)
    highest = torch.where(torch.isneginf(highest), 0.0, highest)
    sums = (scores - highest).exp().sum(axis)
    least = torch.finfo(scores.dtype).tiny
    return torch.where(sums > 0, sums.clamp_min(least).log(), -torch.inf) + highest.reshape(sums.shape)


def log_partition(found: Plan, tables: Sequence[torch.Tensor], forbids: bool) -> torch.Tensor:
    """log of the sum of exp(score) over all settings: ``[B]``. ``forbids``: whether some score is -inf."""
    slots = list(tables)
    for step in found.steps:
        total = _total(step, slots)
        slots.append(safe_logsumexp(total, -1) if forbids else total.logsumexp(-1))
    return _sum(found, slots)


def maximum(found: Plan, tables: Sequence[torch.Tensor], variables: int) -> torch.Tensor:
    """The best setting: ``[B, V]``."""
    slots = list(tables)
    choices: list[torch.Tensor] = []
    for step in found.steps:
        best, choice = _total(step, slots).max(-1)
        slots.append(best)
        choices.append(choice)
    batch = tables[0].shape[0]
    setting = torch.zeros(batch, variables, dtype=torch.long, device=tables[0].device)
    rows = torch.arange(batch, device=setting.device)
    for step, choice in zip(reversed(found.steps), reversed(choices), strict=True):
        setting[:, step.variable] = choice[(rows, *(setting[:, other] for other in step.rest))]
    return setting


def _sum(found: Plan, slots: Sequence[torch.Tensor]) -> torch.Tensor:
    total = slots[found.last[0]]
    for slot in found.last[1:]:
        total = total + slots[slot]
    return total
