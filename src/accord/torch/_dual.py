# SPDX-License-Identifier: Apache-2.0
"""A bound on the best score of each network of a batch, and a setting, by block descent on the dual of the relaxation.

The bound is the sum of the best entries of all tables and of all variables by themselves, after scores were moved
between tables and variables. A step takes a table, collects the scores of its variables, and gives each variable an
equal share of the best that is left for each of its values; no step raises the bound. Tables that share no variable are
served at once. Settings are the best values of variables by themselves, improved one variable at a time.

Globerson and Jaakkola (2007), "Fixing max-product: convergent message passing algorithms for MAP LP-relaxations".
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from accord.torch._tables import apart, grouped, scores_of, stacked

CHECK_EVERY = 5  # rounds between bounds and settings
SHRINK = 0.7  # share of networks without a proof, below which the others are laid aside
SWEEPS = 5  # over all variables, at the end


def descend(
    unary: torch.Tensor,
    tables: Sequence[torch.Tensor],
    values: Sequence[int],
    scopes: Sequence[tuple[int, ...]],
    *,
    rounds: int,
    gap: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Bounds ``[B]`` and settings ``[B, V]``. All scores have the batch as their first axis."""
    batch = unary.shape[0]
    own, moved = _without_infinities(unary, tables)
    tolerance = gap * (_width(unary, (2,)).sum(1) + sum(_width(table.flatten(1), (1,)) for table in tables))
    groups = grouped(values, scopes, range(len(scopes)))
    blocks = [
        (group.index(unary.device), stacked(group, moved, batch))
        for members in apart(scopes)
        for group in grouped(values, scopes, members)
    ]
    best = unary.new_full((batch,), -torch.inf)
    bounds = unary.new_full((batch,), torch.inf)
    setting = torch.zeros(batch, unary.shape[1], dtype=torch.long, device=unary.device)
    open_rows = torch.arange(batch, device=unary.device)  # networks without a proof
    scores = (unary, tables)  # theirs
    for done in range(1, rounds + 1):
        for place, (index, table) in enumerate(blocks):
            own, table = _shared(own, table, index)
            blocks[place] = (index, table)
        if done % CHECK_EVERY and done < rounds:
            continue
        bound = own.amax(2).sum(1) + sum(table.flatten(2).amax(2).sum(1) for _, table in blocks)
        bounds[open_rows] = torch.minimum(bounds[open_rows], bound)
        found = own.argmax(2)
        value = scores_of(found, *scores, groups)
        better = value > best[open_rows]
        best[open_rows[better]] = value[better]
        setting[open_rows[better]] = found[better]
        left = (bounds - best > tolerance)[open_rows].nonzero()[:, 0]
        if not left.numel():
            break
        if left.numel() < SHRINK * open_rows.numel():
            open_rows, own = open_rows[left], own[left]
            blocks = [(index, table[left]) for index, table in blocks]
            scores = (scores[0][left], [table[left] for table in scores[1]])
    polished = _improved(setting, unary, tables, scopes)
    value = scores_of(polished, unary, tables, groups)
    setting = torch.where((value > best)[:, None], polished, setting)
    return torch.maximum(bounds, torch.maximum(value, best)), setting


def _width(scores: torch.Tensor, axes: tuple[int, ...]) -> torch.Tensor:
    """The best finite score less the worst."""
    forbidden = torch.isneginf(scores)
    highest = torch.where(forbidden, -torch.inf, scores).amax(axes)
    lowest = torch.where(forbidden, torch.inf, scores).amin(axes)
    return torch.where(torch.isneginf(highest), 0.0, highest - lowest)


def _without_infinities(unary: torch.Tensor, tables: Sequence[torch.Tensor]) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """The same scores with finite ones in place of -inf, so low that no setting gains by having one of them."""
    every = [unary, *tables]
    finite = [torch.where(torch.isneginf(scores), 0.0, scores).flatten(1).abs() for scores in every]
    low = -1.0 - 2 * finite[0].sum(1) - 2 * sum(scores.amax(1) for scores in finite[1:])
    replaced = [
        torch.where(torch.isneginf(scores), low.reshape(-1, *[1] * (scores.ndim - 1)), scores) for scores in every
    ]
    return replaced[0], replaced[1:]


def _shared(own: torch.Tensor, table: torch.Tensor, index: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """One step for tables ``[B, tables, *shape]`` that share no variable: variables' scores and tables afterwards."""
    arity = index.shape[1]
    total = table
    for axis in range(arity):
        total = total + _along(own[:, index[:, axis], : table.shape[2 + axis]], axis, arity)
    shares = []
    for axis in range(arity):
        others = tuple(2 + other for other in range(arity) if other != axis)
        shares.append((total.amax(others) if others else total) / arity)
    own = own.clone()
    for axis, share in enumerate(shares):
        own[:, index[:, axis], : share.shape[2]] = share
        total = total - _along(share, axis, arity)
    return own, total


def _along(scores: torch.Tensor, axis: int, arity: int) -> torch.Tensor:
    shape = [1] * arity
    shape[axis] = scores.shape[2]
    return scores.reshape(*scores.shape[:2], *shape)


def _improved(
    setting: torch.Tensor, unary: torch.Tensor, tables: Sequence[torch.Tensor], scopes: Sequence[tuple[int, ...]]
) -> torch.Tensor:
    """Each variable in its turn takes the best value beside those of the others, a few times over."""
    touching: list[list[tuple[int, int]]] = [[] for _ in range(unary.shape[1])]
    for table, scope in enumerate(scopes):
        for axis, variable in enumerate(scope):
            touching[variable].append((table, axis))
    setting = setting.clone()
    rows = torch.arange(setting.shape[0], device=setting.device)
    for _ in range(SWEEPS):
        before = setting.clone()
        for variable, places in enumerate(touching):
            scores = unary[:, variable]
            for table, axis in places:
                others = [setting[:, other] for other in scopes[table] if other != variable]
                entries = tables[table].movedim(1 + axis, -1)[(rows, *others)]
                scores = scores + torch.nn.functional.pad(entries, (0, scores.shape[1] - entries.shape[1]))
            best, choice = scores.max(1)
            here = scores.gather(1, setting[:, variable : variable + 1])[:, 0]
            setting[:, variable] = torch.where(best > here, choice, setting[:, variable])
        if bool((setting == before).all()):
            break
    return setting
