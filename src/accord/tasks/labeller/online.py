# SPDX-License-Identifier: Apache-2.0
"""Labellers that learn by an update rule over shuffled sequences, on the common loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.errors import ConfigError
from accord.learning import Reporter, UpdateReport
from accord.tasks.labeller.config import DUAL, LabellerConfig
from accord.tasks.labeller.model_file import LabellerModel
from accord.tasks.labeller.problem import PAD, PreparedProblem, Problem, native
from accord.tasks.sparsity.selection import Selection, select_features


class LabellerTask:
    """A labeller being trained by an update rule: what the training loop needs to know."""

    snapshot_type = LabellerModel

    def __init__(
        self, problem: Problem, config: LabellerConfig, evaluate: Callable[[LabellerModel], dict[str, float]] | None
    ) -> None:
        self.config = config
        self._evaluate = evaluate
        self._prepared = prepared = PreparedProblem(problem, config)
        settings = _tasks.LabellerTrainerSettings(
            rule=config.method,
            cost=config.cost,
            aggressiveness=config.aggressiveness,
            adagrad=config.step == "adagrad",
            rate=config.rate,
            l2=config.l2 if config.method in ("crf", "softmax_margin", "svm") else 0.0,
            table=config.table,
            bits=[config.bits] * len(prepared.settings.blocks),
            batch=config.batch,
            threads=config.threads,
            dual_c=config.dual_c,
            least_count=config.least_count,
        )
        self._native = native(
            lambda: _tasks.LabellerTrainer(
                prepared.settings,
                settings,
                problem.sequences,
                prepared.numbers,
                [cost.reshape(-1).tolist() for cost in problem.costs],
                prepared.cluster_lexicon,
            )
        )
        self._lengths = problem.sequences.lengths()
        self._support()

    def __len__(self) -> int:
        return len(self._lengths)

    def size_of(self, index: int) -> int:
        return int(self._lengths[index])

    def choose(self, reporter: Reporter) -> Selection:
        """Choose features in a run of proximal steps, which is all that this task can do then."""
        config = self.config.sparsity
        blocks = len(self._prepared.settings.blocks)
        return select_features(
            self._native,
            self._native.update,
            self._prepared.templates,
            config,
            len(self),
            tables=blocks,
            seed=self.config.seed,
            reporter=reporter,
        )

    def update(self, order: NDArray[np.int64]) -> UpdateReport:
        return UpdateReport(*self._native.update(order))

    def finish_epoch(self) -> dict[str, float]:
        primal, dual = self._native.finish()
        return {"primal": primal, "dual": dual, "gap": primal - dual} if self.config.method in DUAL else {}

    def snapshot(self) -> LabellerModel:
        return self._prepared.model(self._native.freeze(self.config.average, self.config.bytes, PAD, self.config.prune))

    def evaluate(self, snapshot: LabellerModel) -> dict[str, float]:
        return self._evaluate(snapshot) if self._evaluate else {}

    def save_state(self) -> list[NDArray[np.uint8]]:
        return list(self._native.save())

    def load_state(self, blocks: Sequence[NDArray[np.uint8]]) -> None:
        try:
            self._native.load(list(blocks))
        except ValueError as error:
            raise ConfigError(f"cannot resume: {error}") from None
        self._support()

    def _support(self) -> None:
        """Only the features that were chosen learn, where there was a choice; blocks that see no words always do."""
        seeing = {section for section, _, blind in self._native.cells() if not blind}
        for block, (keys, columns) in enumerate(self._prepared.problem.features):
            if self._prepared.settings.blocks[block][0] in seeing:
                self._native.support(block, keys, columns)
