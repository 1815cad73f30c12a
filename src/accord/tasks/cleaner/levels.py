# SPDX-License-Identifier: Apache-2.0
"""The levels of a cleaner as a stack: tags, fillers, edits, and edits again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accord.inference.schemes import Scheme
from accord.tasks.cleaner.config import CleanerConfig
from accord.tasks.cleaner.features import EDITS, FILLERS, FIRST_EDITS, TAGS, views_of
from accord.tasks.labeller import LabellerConfig, Masks
from accord.tasks.setting_files import read_template_sets
from accord.tasks.stack import Level, Stack, miss_costs

FILLER_LABELS = ("O", "BP", "IP", "EP", "SP")
EDIT_LABELS = ("O", "BE", "IE", "EE", "SE")
TAG_EPOCHS = 8


def stack_of(config: CleanerConfig, tags: Sequence[str]) -> Stack:
    """The stack that settings ask for; ``tags``: the names of the tags, where the model finds them itself."""
    levels = [_level(name, config, tags) for name in views_of(config)]
    return Stack(levels, config.folds)


def trainer_of(config: CleanerConfig) -> LabellerConfig:
    """How fillers and edits are learnt."""
    return LabellerConfig(
        method=config.method,
        dual_c=config.dual_c,
        epochs=config.epochs,
        iterations=10 * config.epochs,
        patience=config.epochs,
        l2=config.l2 if config.method == "lbfgs" else 0.0,
        aggressiveness=config.aggressiveness,
        table=config.table,
        bits=config.bits,
        prune=config.prune,
        sparsity=config.sparsity,
        seed=config.seed,
        threads=config.threads,
    )


def _level(name: str, config: CleanerConfig, tags: Sequence[str]) -> Level:
    view = views_of(config)[name]
    trainer = trainer_of(config)
    if name == TAGS:
        trainer = replace(trainer, method="mira", aggressiveness=0.1, epochs=min(TAG_EPOCHS, config.epochs), l2=0.0)
        return Level(name, tuple(tags), view, _templates("tags"), trainer)
    labels = FILLER_LABELS if name == FILLERS else EDIT_LABELS
    cost = None if name == FILLERS else miss_costs(labels, config.miss)
    templates = _templates(*_sets(name, config))
    return Level(name, labels, view, templates, trainer, cost, legal_masks(labels) if config.legal else Masks())


def _sets(name: str, config: CleanerConfig) -> list[str]:
    """The sets of templates of a level."""
    if name == FILLERS or config.steps == 1:
        return ["original", "transitions"]
    sets = ["original", "without_fillers", "tag_transitions"]
    if config.wide:
        sets.insert(2, "wide")
    if name == EDITS and config.steps == 3:
        sets[-1:-1] = ["without_edits", "in_between"] if config.in_between else ["without_edits"]
    return sets


def _templates(*names: str) -> str:
    return read_template_sets("accord.tasks.cleaner", list(names))


def legal_masks(labels: Sequence[str]) -> Masks:
    """Labels that fit together: a run begins before it goes on, and ends."""
    automaton = Scheme("BIOES", [label[0] if label == "O" else f"{label[0]}-{label[1]}" for label in labels])
    return Masks(*(np.where(one, 0.0, -np.inf) for one in (automaton.starts, automaton.ends, automaton.follows)))


__all__ = ["EDITS", "FILLERS", "FIRST_EDITS", "TAGS", "stack_of", "trainer_of"]
