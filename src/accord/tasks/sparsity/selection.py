# SPDX-License-Identifier: Apache-2.0
"""The training run that chooses features: online proximal gradient over groups, for any trainer of linear models.

The run shrinks groups of weights until only a budget of them is left (the sparseptron of Martins et al. 2011, when its
updates are the perceptron's). Its weights are too small, so they are thrown away: a second, ordinary training run on
the features that are left makes the model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from accord._core import learn as _learn
from accord.errors import ConfigError
from accord.learning import SILENT, Progress, Reporter, epoch_order
from accord.tasks.sparsity.config import SparsityConfig
from accord.tasks.sparsity.groups import Cell, cell_groups

CHUNK = 256  # instances between two reports of progress
SHRINKING = {"labels": "rows", "features": "entries"}

Features = tuple[NDArray[np.uint64], NDArray[np.int32]]


class GroupedTrainer(Protocol):
    """What a native trainer must be able to do for its features to be chosen."""

    def cells(self) -> list[tuple[str, str, bool]]: ...

    def sparsify(self, settings: _learn.SparsitySettings) -> None: ...

    def sparsity(self) -> _learn.Sparsity: ...


@dataclass(frozen=True)
class Selection:
    """What the choosing run left.

    ``features``: by table of the trainer, keys and columns of the features that stay; empty where whole templates are
    chosen. ``history``: features before and after each proximal step, and groups after it.
    """

    templates: str
    chosen: int
    of: int
    features: tuple[Features, ...]
    history: tuple[tuple[int, int, int], ...]

    @property
    def peak(self) -> int:
        """The most features that were ever held at once."""
        return max((before for before, _, _ in self.history), default=0)


def select_features(
    trainer: GroupedTrainer,
    update: Callable[[NDArray[np.int64]], Any],
    templates: str,
    config: SparsityConfig,
    instances: int,
    *,
    tables: int,
    seed: int,
    sections: Sequence[str] | None = None,
    needed: Sequence[str] = (),
    reporter: Reporter = SILENT,
) -> Selection:
    """Choose features by training; ``update`` trains on instances in an order, ``templates`` is their text.

    ``sections``: those that the model uses, where it does not use all of the trainer's; ``needed``: those without which
    there is no model.
    """
    config.check()
    cells = [Cell(*cell) for cell in trainer.cells()]
    groups = cell_groups(cells, config.groups)
    trainer.sparsify(
        _learn.SparsitySettings(
            shrinking=SHRINKING.get(config.groups, "cells"),
            groups=groups,
            counted=sum(not cell.constant for cell in cells),
            budget=config.budget,
            strength=config.strength,
            lasso=config.lasso,
            rate=config.rate,
            interval=config.interval,
            instances=instances,
            size_power=config.size_power,
        )
    )
    for epoch in range(config.epochs):
        order = epoch_order(instances, seed, epoch)
        for begin in range(0, instances, CHUNK):
            update(order[begin : begin + CHUNK])
            done = min(begin + CHUNK, instances)
            reporter.progress(Progress(epoch + 1, config.epochs, done, instances, 0.0, 0.0))
    result = trainer.sparsity()
    result.finish()
    used = {cell.section for cell in cells} if sections is None else set(sections)
    found = result.chosen(strongest=not config.by_feature).tolist()
    stays = [cell.constant or bool(chosen) for cell, chosen in zip(cells, found, strict=True)]
    judged = [stay for cell, stay in zip(cells, stays, strict=True) if cell.section in used and not cell.constant]
    for section in needed:
        if not any(stay for cell, stay in zip(cells, stays, strict=True) if cell.section == section):
            raise ConfigError(f"sparsity: no template is left in [{section}]; use a larger budget or less strength")
    if not any(judged):
        raise ConfigError("sparsity: no template is left; use a larger budget or less strength")
    peak = max(before for before, _, _ in result.history)
    reporter.note(f"sparsity: {sum(judged)} of {len(judged)} templates stay; at most {peak} features were held at once")
    features = tuple(result.features(table) for table in range(tables)) if config.by_feature else ()
    left = f"# {sum(judged)} of {len(judged)} templates were chosen in training\n"
    left += chosen_templates(templates, cells, stays)
    return Selection(left, sum(judged), len(judged), features, tuple(result.history))


def chosen_templates(templates: str, cells: Sequence[Cell], stays: Sequence[bool]) -> str:
    """The text of templates with only those cells that stay; sections that are not of the cells are left alone."""
    sections = list(dict.fromkeys(cell.section for cell in cells))
    lines: list[str] = []
    inside = False
    for line in templates.splitlines():
        bare = line.split("#")[0].strip()
        if bare.startswith("["):
            inside = bare[1:-1] in sections
        if not inside:
            lines.append(line)
    for section in sections:
        lines += ["", f"[{section}]"]
        lines += [cell.text for cell, stay in zip(cells, stays, strict=True) if stay and cell.section == section]
    return "\n".join(lines) + "\n"
