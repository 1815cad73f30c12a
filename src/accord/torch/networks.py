# SPDX-License-Identifier: Apache-2.0
"""Thousands of small networks of one shape in one call, on the CPU or on a GPU.

A shape is the number of values of each variable and the variables of each table. The scores of B networks are tensors
with the batch as their first axis, in any floating-point precision on any device: ``unary[b, v, a]`` for value a of
variable v (what stands beyond a variable's values is not read), and one tensor for each table. A tensor whose batch is
1 is shared by all networks. ``-inf`` forbids. Everything is made of operations on tensors, so gradients flow, and a GPU
does all of the work.

The answers are those of :class:`accord.inference.graph.FactorGraph` on each network by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch

from accord.errors import ConfigError, ConstraintError
from accord.inference.graph import Network
from accord.torch._dual import descend
from accord.torch._elimination import Plan, log_partition, maximum, plan
from accord.torch._messages import Beliefs, bethe, propagate
from accord.torch._tables import grouped, scores_of

LARGEST = 2**16  # entries of a table, for each network, up to which "auto" is exact


class NetworkScores(NamedTuple):
    """Scores of a batch, or anything of their shape: marginals too."""

    unary: torch.Tensor  # [B, V, K]
    tables: list[torch.Tensor]  # [B, values of the first variable, of the second, ...] for each table


class BestSettings(NamedTuple):
    """What was found for each network; where value and bound meet, the setting is proved to be the best."""

    settings: torch.Tensor  # [B, V]
    values: torch.Tensor  # [B]
    bounds: torch.Tensor  # [B]


class NetworkBatch:
    """Networks with these numbers of values and tables over these variables.

    >>> pair = NetworkBatch([2, 3], [(0, 1)])
    >>> unary = torch.tensor([[[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]])
    >>> agree = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    >>> best = pair.argmax(unary, [agree])
    >>> best.settings.tolist(), best.values.tolist()
    ([[1, 1]], [2.0])
    >>> pair.marginals(unary, [agree]).unary[0, 0]
    tensor([0.2689, 0.7311, 0.0000])
    """

    def __init__(self, values: Sequence[int], scopes: Sequence[Sequence[int]]) -> None:
        self.values = tuple(int(count) for count in values)
        self.scopes = tuple(tuple(int(variable) for variable in scope) for scope in scopes)
        if not self.values or min(self.values) < 1:
            raise ValueError("a network has variables, each with a value at least")
        for scope in self.scopes:
            if not scope or len(set(scope)) < len(scope) or not all(0 <= one < len(self.values) for one in scope):
                raise ValueError(f"{scope} are no variables of a table: each stands once, in 0..{len(self.values) - 1}")
        self._groups = grouped(self.values, self.scopes, range(len(self.scopes)))
        self._plan: Plan | None = None

    @classmethod
    def of(cls, network: Network) -> NetworkBatch:
        """Networks of the same shape as this one. Its tables over one variable count as scores of values."""
        return cls(network.values, [scope for scope, _ in network.tables if len(scope) > 1])

    def scores(self, networks: Sequence[Network], dtype: torch.dtype = torch.float64) -> NetworkScores:
        """The scores of networks of this shape; their constants go to the first variable."""
        unary = torch.zeros(len(networks), len(self.values), max(self.values), dtype=dtype)
        tables: list[list[torch.Tensor]] = [[] for _ in self.scopes]
        for place, network in enumerate(networks):
            if network.values != self.values or [s for s, _ in network.tables if len(s) > 1] != list(self.scopes):
                raise ValueError(f"network {place} has another shape")
            unary[place, 0] += network.constant
            larger = iter(tables)
            for scope, table in network.tables:
                if len(scope) > 1:
                    next(larger).append(torch.as_tensor(table, dtype=dtype))
                else:
                    unary[place, scope[0], : table.size] += torch.as_tensor(table, dtype=dtype)
        return NetworkScores(unary, [torch.stack(rows) for rows in tables])

    @property
    def largest(self) -> int:
        """Entries of the largest table that exact answers need, for each network."""
        if self._plan is None:
            self._plan = plan(self.values, self.scopes)
        return self._plan.largest

    def log_partition(
        self,
        unary: torch.Tensor,
        tables: Sequence[torch.Tensor] | torch.Tensor,
        *,
        method: str = "auto",
        rounds: int = 100,
        damping: float = 0.0,
        tolerance: float = 1e-8,
    ) -> torch.Tensor:
        """log of the sum of exp(score) over all settings of each network: ``[B]``, differentiable.

        ``exact`` eliminates variables; it needs tables of ``largest`` entries. ``bp`` passes messages, exact without
        loops, with so many ``rounds`` at most; ``damping`` is the share of the old message that is kept. ``auto`` is
        exact where the tables have at most 65,536 entries.
        """
        unary, every = self._checked(unary, tables)
        if self._exactly(method, "bp"):
            return self._sum(unary, every)
        beliefs = self._beliefs(unary, every, False, rounds, damping, tolerance)
        return bethe(beliefs, unary, every, self._groups)

    def marginals(
        self,
        unary: torch.Tensor,
        tables: Sequence[torch.Tensor] | torch.Tensor,
        *,
        method: str = "auto",
        rounds: int = 100,
        damping: float = 0.0,
        tolerance: float = 1e-8,
    ) -> NetworkScores:
        """The probability of each value and of each entry of a table, differentiable. Options: :meth:`log_partition`.

        Exact marginals are the gradient of log Z.
        """
        unary, every = self._checked(unary, tables)
        if not self._exactly(method, "bp"):
            beliefs = self._beliefs(unary, every, False, rounds, damping, tolerance)
            return NetworkScores(beliefs.variables.exp(), self._split(beliefs.groups))
        wanted = torch.is_grad_enabled() and any(scores.requires_grad for scores in (unary, *every))
        with torch.enable_grad():
            leaves = [
                scores if scores.requires_grad else scores.detach().requires_grad_() for scores in (unary, *every)
            ]
            total = self._sum(leaves[0], leaves[1:]).sum()
            found = torch.autograd.grad(total, leaves, create_graph=wanted)
        return NetworkScores(found[0], list(found[1:]))

    def argmax(
        self,
        unary: torch.Tensor,
        tables: Sequence[torch.Tensor] | torch.Tensor,
        *,
        method: str = "auto",
        rounds: int = 100,
        gap: float = 1e-7,
        damping: float = 0.0,
    ) -> BestSettings:
        """The best setting of each network, as far as it was found, with its value and a bound that none exceeds.

        ``exact`` eliminates variables. ``dual`` lowers a bound for so many ``rounds``, until all networks are proved:
        until their values come within ``gap`` times the width of their scores. ``bp`` takes the best values by
        max-product beliefs and has no bound. ``auto`` is ``exact`` or ``dual``, as for :meth:`log_partition`.
        Settings have no gradients; values have, in the scores of their settings.
        """
        unary, every = self._checked(unary, tables)
        bounds: torch.Tensor | None = None
        with torch.no_grad():
            if self._exactly(method, "dual", "bp"):
                settings = maximum(self._found_plan(), self._slots(unary, every), len(self.values))
            elif method == "bp":
                settings = self._beliefs(unary, every, True, rounds, damping, 1e-8).variables.argmax(2)
                bounds = torch.full_like(unary[:, 0, 0], torch.inf)
            else:
                bounds, settings = descend(unary, every, self.values, self.scopes, rounds=rounds, gap=gap)
        values = scores_of(settings, unary, every, self._groups)
        return BestSettings(settings, values, values.detach() if bounds is None else bounds)

    def score(
        self, settings: torch.Tensor, unary: torch.Tensor, tables: Sequence[torch.Tensor] | torch.Tensor
    ) -> torch.Tensor:
        """The score of one setting ``[B, V]`` of each network: ``[B]``, differentiable in the scores."""
        unary, every = self._checked(unary, tables)
        return scores_of(settings, unary, every, self._groups)

    # ---- helpers

    def _found_plan(self) -> Plan:
        _ = self.largest
        assert self._plan is not None
        return self._plan

    def _exactly(self, method: str, *others: str) -> bool:
        if method not in ("auto", "exact", *others):
            raise ConfigError(f"there is no method {method!r}; there are: {', '.join(('auto', 'exact', *others))}")
        return method == "exact" or (method == "auto" and self.largest <= LARGEST)

    def _checked(
        self, unary: torch.Tensor, tables: Sequence[torch.Tensor] | torch.Tensor
    ) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """All scores with the same batch, and -inf beyond the values of a variable."""
        every = list(tables.unbind(1)) if isinstance(tables, torch.Tensor) else list(tables)
        if len(every) != len(self.scopes):
            raise ValueError(f"there are {len(self.scopes)} tables, not {len(every)}")
        shape = (len(self.values), max(self.values))
        if unary.ndim != 3 or tuple(unary.shape[1:]) != shape:
            raise ValueError(f"unary must have the shape [B, {shape[0]}, {shape[1]}], not {list(unary.shape)}")
        for place, (scope, table) in enumerate(zip(self.scopes, every, strict=True)):
            if tuple(table.shape[1:]) != tuple(self.values[variable] for variable in scope):
                wanted = ", ".join(str(self.values[variable]) for variable in scope)
                raise ValueError(f"table {place} must have the shape [B, {wanted}], not {list(table.shape)}")
        batch = max(scores.shape[0] for scores in (unary, *every))
        if any(scores.shape[0] not in (1, batch) for scores in (unary, *every)):
            raise ValueError(f"scores have a batch of {batch}, or of 1 where all networks share them")
        counts = torch.tensor(self.values, device=unary.device)
        beyond = torch.arange(shape[1], device=unary.device)[None] >= counts[:, None]
        unary = unary.masked_fill(beyond, -torch.inf).expand(batch, *shape)
        return unary, [table.expand(batch, *table.shape[1:]) for table in every]

    def _slots(self, unary: torch.Tensor, tables: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        return [*(unary[:, variable, :count] for variable, count in enumerate(self.values)), *tables]

    def _sum(self, unary: torch.Tensor, tables: Sequence[torch.Tensor]) -> torch.Tensor:
        slots = self._slots(unary, tables)
        forbids = any(bool(torch.isneginf(slot).any()) for slot in slots)
        total = log_partition(self._found_plan(), slots, forbids)
        if forbids and bool(torch.isneginf(total).any()):
            place = int(torch.isneginf(total).nonzero()[0])
            raise ConstraintError(f"network {place} of the batch: all settings are forbidden")
        return total

    def _beliefs(self, unary: torch.Tensor, tables: Sequence[torch.Tensor], maximum: bool, *how: float) -> Beliefs:
        rounds, damping, tolerance = how
        return propagate(
            unary, tables, self._groups, maximum=maximum, rounds=int(rounds), damping=damping, tolerance=tolerance
        )

    def _split(self, groups: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Stacked logarithms of joint probabilities as one tensor of probabilities for each table."""
        found: dict[int, torch.Tensor] = {}
        for group, joint in zip(self._groups, groups, strict=True):
            found.update(zip(group.tables, joint.exp().unbind(1), strict=True))
        return [found[place] for place in range(len(self.scopes))]
