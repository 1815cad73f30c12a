# SPDX-License-Identifier: Apache-2.0
"""Projective trees whose scores have parts of several arcs, over the candidate arcs of a batch of sentences.

A *layout* gives every part of a sentence a slot: arcs, and the families of :mod:`accord.inference.charts` that it was
made with. Scores are one tensor with the slots of all sentences one after another, in the order of the layouts. A score
of ``-inf`` forbids a part.

>>> layout = part_layout(torch.ones(4, 4, dtype=torch.bool), ["sibling", "grandparent"])
>>> slots, words = part_slots(layout, "grandparent")
>>> words[0].tolist()  # root -> 1 -> 2
[0, 1, 2]
>>> scores = torch.zeros(layout.size, dtype=torch.float64, requires_grad=True)
>>> part_log_partition(scores, [layout]).exp().round(decimals=6).tolist()
[7.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from accord._core import tasks as _tasks
from accord._core import trees as _core
from accord.errors import ConfigError
from accord.inference import _parts
from accord.inference.charts import Model
from accord.torch._arrays import Doubles, check_possible, checked, like, to_numpy
from accord.torch._autograd import LogPartition, Marginals

NO_TREE = "no tree is made of the candidate arcs"


class PartTrees(NamedTuple):
    """The best trees of a batch."""

    heads: torch.Tensor  # [B, N+1] integers; -1 for the root and beyond the end of a sentence
    slots: torch.Tensor  # like the scores: 1 where a part is in the tree, else 0
    values: torch.Tensor  # [B] scores of the trees
    bounds: torch.Tensor  # [B]; no tree of the sentence scores more
    proved: torch.Tensor  # [B] booleans: the tree is proved to be the best


@dataclass(frozen=True, eq=False)
class PartSums:
    """Sums over projective trees; see :class:`accord.torch._autograd.Sums`."""

    layouts: list[_core.PartLayout]
    model: _core.PartModel
    single_root: bool
    threads: int

    def log_partition(self, scores: Doubles) -> Doubles:
        values = _core.log_partition_parts(self.layouts, scores, self.model, self.single_root, self.threads)
        return check_possible(values, NO_TREE)

    def marginals(self, scores: Doubles) -> tuple[Doubles, Doubles]:
        values, marginals = _core.marginals_parts(self.layouts, scores, self.model, self.single_root, self.threads)
        return check_possible(values, NO_TREE), marginals

    def tangents(self, scores: Doubles, direction: Doubles) -> Doubles:
        moved: Doubles = _core.tangents_parts(
            self.layouts, scores, direction, self.model, self.single_root, self.threads
        )
        return moved

    def spread(self, values: torch.Tensor) -> torch.Tensor:
        sizes = torch.tensor([layout.size for layout in self.layouts], dtype=torch.int64, device=values.device)
        return values.repeat_interleave(sizes)


def part_layout(candidates: torch.Tensor, families: Sequence[str] = ()) -> _core.PartLayout:
    """The slots of a sentence's parts: its candidate arcs, a boolean ``[n+1, n+1]`` by head, and the families."""
    if candidates.dtype != torch.bool or candidates.ndim != 2 or candidates.shape[0] != candidates.shape[1]:
        raise ValueError("candidates must be a boolean tensor of shape [n+1, n+1]")
    for family in families:
        _checked_family(family)
    return _parts.layout(np.where(candidates.detach().cpu().numpy(), 0.0, -np.inf), list(families))


def part_slots(layout: _core.PartLayout, family: str = "arc") -> tuple[torch.Tensor, torch.Tensor]:
    """The slots of a family (or of ``"arc"``), and the words of each: a row a slot, 0 the root.

    The head stands for what is missing, as in :mod:`accord.inference.charts`.
    """
    if family != "arc":
        _checked_family(family)
    slots, words = layout.list_parts(_core.Part[family])
    return torch.from_numpy(slots), torch.from_numpy(words).long()


def part_log_partition(
    scores: torch.Tensor,
    layouts: Sequence[_core.PartLayout],
    *,
    single_root: bool = True,
    model: Model = "full",
    threads: int = 0,
) -> torch.Tensor:
    """log of the sum of exp(score) over the projective trees of each sentence: ``[B]``. Can be differentiated twice.

    Parameters
    ----------
    scores:
        The scores of all slots of all sentences, in the order of the layouts.
    layouts:
        One a sentence; see :func:`part_layout`.
    single_root:
        Only trees in which one word depends on the root.
    model:
        Which parts count; see :class:`accord.inference.charts.HigherOrder`.
    threads:
        0: one a processor. Results do not depend on it.
    """
    value: torch.Tensor = LogPartition.apply(*_batch(scores, layouts, single_root, model, threads))
    return value


def part_marginals(
    scores: torch.Tensor,
    layouts: Sequence[_core.PartLayout],
    *,
    single_root: bool = True,
    model: Model = "full",
    threads: int = 0,
) -> torch.Tensor:
    """The probability of each slot, a tensor like the scores. Differentiable once; see :func:`part_log_partition`."""
    marginals: torch.Tensor = Marginals.apply(*_batch(scores, layouts, single_root, model, threads))
    return marginals


def part_argmax(
    scores: torch.Tensor,
    layouts: Sequence[_core.PartLayout],
    *,
    projective: bool = False,
    single_root: bool = True,
    solver: str = "auto",
    iterations: int = 50,
    seconds: float = float("inf"),
    nodes: int = 10_000,
    search_nodes: int = 30,
    step_rule: str = "increases",
    threads: int = 0,
) -> PartTrees:
    """The best tree of each sentence, projective or not, by the decoder of the parser; no gradients.

    For a margin loss, multiply ``slots`` with the scores that shall be differentiated.

    Parameters
    ----------
    scores, layouts, single_root, threads:
        As for :func:`part_log_partition`; only arcs may be forbidden.
    projective:
        Only trees without crossing arcs.
    solver:
        ``auto`` (the chart where it is exact; else ad3, then a search where that leaves a gap), ``chart``, ``ad3``,
        ``subgradient``, ``branch_and_bound``, ``nonlocal`` or ``bp``.
    iterations, seconds, nodes, search_nodes:
        Budgets: of ad3 and subgradient, of time a sentence, of branch and bound, and of the search of ``auto``.
    step_rule:
        Steps of ``subgradient``: ``increases`` or ``level``.
    """
    _check_slots(scores, layouts)
    try:
        settings = _tasks.DecoderSettings(
            solver=solver,
            iterations=iterations,
            seconds=seconds,
            nodes=nodes,
            search_nodes=search_nodes,
            step_rule=step_rule,
            chart_grandparents=True,
        )
        heads, slots, values, bounds, proved = _tasks.argmax_parts(
            list(layouts), to_numpy(scores), settings, projective, single_root, threads
        )
    except ValueError as error:
        raise ConfigError(f"part_argmax: {error}") from None
    check_possible(values, NO_TREE)
    return PartTrees(
        heads=torch.from_numpy(heads).long().to(scores.device),
        slots=like(slots, scores),
        values=like(values, scores),
        bounds=like(bounds, scores),
        proved=torch.from_numpy(proved).bool().to(scores.device),
    )


def _batch(
    scores: torch.Tensor, layouts: Sequence[_core.PartLayout], single_root: bool, model: Model, threads: int
) -> tuple[torch.Tensor, PartSums]:
    _check_slots(scores, layouts)
    if model not in _core.PartModel.__members__:
        raise ValueError(f"model must be one of {', '.join(_core.PartModel.__members__)}, not {model!r}")
    return scores, PartSums(list(layouts), _core.PartModel[model], single_root, threads)


def _check_slots(scores: torch.Tensor, layouts: Sequence[_core.PartLayout]) -> None:
    checked(scores, 1, "[slots of all sentences]")
    slots = sum(layout.size for layout in layouts)
    if scores.shape[0] != slots:
        raise ValueError(f"the layouts have {slots} slots, but there are {scores.shape[0]} scores")


def _checked_family(family: str) -> None:
    if family not in _parts.FAMILIES:
        raise ValueError(f"family must be one of {', '.join(_parts.FAMILIES)}, not {family!r}")
