# SPDX-License-Identifier: Apache-2.0
"""How sums over structures enter automatic differentiation, whatever the structures are.

The gradient of log Z with respect to the scores are the marginals; the derivative of the marginals along a direction is
the Hessian of log Z times the direction, which the core computes without building the Hessian. The Hessian is
symmetric, so the same product carries gradients back through the marginals. Both functions share it: log Z can be
differentiated twice, marginals once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import torch
from torch.autograd.function import once_differentiable

from accord.torch._arrays import Doubles, like, to_numpy


class Sums(Protocol):
    """Sums over the structures of a batch, as functions of its scores. A batch is one array, its results are too."""

    def log_partition(self, scores: Doubles) -> Doubles:
        """log Z of each sentence."""

    def marginals(self, scores: Doubles) -> tuple[Doubles, Doubles]:
        """log Z of each sentence, and the marginals."""

    def tangents(self, scores: Doubles, direction: Doubles) -> Doubles:
        """The derivative of the marginals along a direction."""

    def spread(self, values: torch.Tensor) -> torch.Tensor:
        """A number a sentence, as something to multiply the marginals with."""


class LogPartition(torch.autograd.Function):
    """log Z of each sentence."""

    @staticmethod
    def forward(ctx: Any, scores: torch.Tensor, sums: Sums) -> torch.Tensor:
        ctx.sums = sums
        if not ctx.needs_input_grad[0]:
            return like(sums.log_partition(to_numpy(scores)), scores)
        values, marginals = sums.marginals(to_numpy(scores))
        ctx.save_for_backward(scores, like(marginals, scores))
        return like(values, scores)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        scores, marginals = ctx.saved_tensors
        if torch.is_grad_enabled():  # this gradient will be differentiated itself
            marginals = Marginals.apply(scores, ctx.sums, marginals)
        return ctx.sums.spread(gradient) * marginals, None


class Marginals(torch.autograd.Function):
    """The marginals, which may be known already."""

    @staticmethod
    def forward(ctx: Any, scores: torch.Tensor, sums: Sums, known: torch.Tensor | None = None) -> torch.Tensor:
        ctx.sums = sums
        ctx.save_for_backward(scores)
        return like(sums.marginals(to_numpy(scores))[1], scores) if known is None else known.clone()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        (scores,) = ctx.saved_tensors
        return like(ctx.sums.tangents(to_numpy(scores), to_numpy(gradient)), scores), None, None


#: Carries a direction through the derivative of a projection: a symmetric linear map.
Map = Callable[[Doubles], Doubles]


class Projection(torch.autograd.Function):
    """A projection of the scores; ``solve`` gives it with its derivative, which is a symmetric map."""

    @staticmethod
    def forward(ctx: Any, scores: torch.Tensor, solve: Callable[[Doubles], tuple[Doubles, Map]]) -> torch.Tensor:
        projected, ctx.derivative = solve(to_numpy(scores))
        return like(projected, scores)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        return SymmetricMap.apply(gradient, ctx.derivative), None


class SymmetricMap(torch.autograd.Function):
    """A symmetric linear map, constant where the projection's support is."""

    @staticmethod
    def forward(ctx: Any, direction: torch.Tensor, derivative: Map) -> torch.Tensor:
        ctx.derivative = derivative
        return like(derivative(to_numpy(direction)), direction)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        return SymmetricMap.apply(gradient, ctx.derivative), None


class StraightThrough(torch.autograd.Function):
    """A choice that is not differentiable; gradients pass unchanged where ``passes`` is true."""

    @staticmethod
    def forward(ctx: Any, scores: torch.Tensor, choice: torch.Tensor, passes: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(passes)
        return choice.clone()

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        (passes,) = ctx.saved_tensors
        return torch.where(passes, gradient, 0.0), None, None
