# SPDX-License-Identifier: Apache-2.0
"""Scores of a batch of networks, with tables of one shape stacked so that one operation serves all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import torch


@dataclass(frozen=True)
class Group:
    """Tables of one shape."""

    tables: tuple[int, ...]  # their numbers
    variables: tuple[tuple[int, ...], ...]  # of each
    shape: tuple[int, ...]

    def index(self, device: torch.device) -> torch.Tensor:
        """``[tables, arity]``: the variables of each."""
        return torch.tensor(self.variables, dtype=torch.long, device=device).reshape(len(self.tables), len(self.shape))


def grouped(values: Sequence[int], scopes: Sequence[tuple[int, ...]], chosen: Sequence[int]) -> tuple[Group, ...]:
    """The chosen tables by their shapes."""
    found: dict[tuple[int, ...], list[int]] = {}
    for table in chosen:
        found.setdefault(tuple(values[variable] for variable in scopes[table]), []).append(table)
    return tuple(
        Group(tuple(members), tuple(scopes[table] for table in members), shape) for shape, members in found.items()
    )


def apart(scopes: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """The tables in classes, so that no two of a class share a variable: each goes to the first class that takes it."""
    classes: list[list[int]] = []
    taken: list[set[int]] = []
    for table, scope in enumerate(scopes):
        for members, variables in zip(classes, taken, strict=True):
            if variables.isdisjoint(scope):
                members.append(table)
                variables.update(scope)
                break
        else:
            classes.append([table])
            taken.append(set(scope))
    return classes


def stacked(group: Group, tables: Sequence[torch.Tensor], batch: int) -> torch.Tensor:
    """The tables of a group: ``[B, tables, *shape]``."""
    return torch.stack([tables[table].expand(batch, *group.shape) for table in group.tables], dim=1)


def scores_of(
    setting: torch.Tensor, unary: torch.Tensor, tables: Sequence[torch.Tensor], groups: Sequence[Group]
) -> torch.Tensor:
    """The score of one setting ``[B, V]`` of each network: ``[B]``."""
    batch = setting.shape[0]
    total = unary.expand(batch, *unary.shape[1:]).gather(2, setting[..., None]).sum((1, 2))
    for group in groups:
        places = setting[:, group.index(setting.device)]  # [B, tables, arity]
        strides = [prod(group.shape[axis + 1 :]) for axis in range(len(group.shape))]
        flat = (places * torch.tensor(strides, device=setting.device)).sum(-1)
        entries = stacked(group, tables, batch).flatten(2)
        total = total + entries.gather(2, flat[..., None]).sum((1, 2))
    return total
