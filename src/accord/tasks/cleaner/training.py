# SPDX-License-Identifier: Apache-2.0
"""Training of cleaners: a stack of chains, and the temperatures that make its probabilities honest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.learning import SILENT, Checkpoint, EpochReport, Reporter, TrainingResult
from accord.tasks.cleaner.config import CleanerConfig
from accord.tasks.cleaner.features import EDITS, FILLERS, FIRST_EDITS, TAGS, views_of
from accord.tasks.cleaner.gold import GoldTranscript
from accord.tasks.cleaner.levels import stack_of
from accord.tasks.cleaner.model import CleanerModel
from accord.tasks.cleaner.neural import train_networks
from accord.tasks.cleaner.scoring import label_scores
from accord.tasks.cleaner.worker import Cleaner
from accord.tasks.labeller import Labeller, LabellerModel, fit_temperature
from accord.tasks.labeller.problem import number_labels
from accord.tasks.stack import StackedLabeller, run_labels
from accord.tasks.stack.columns import column_names

Numbers = NDArray[np.int32]


def train_cleaner(
    training: GoldTranscript,
    dev: GoldTranscript | None,
    config: CleanerConfig,
    *,
    card: Mapping[str, Any] | None = None,
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
) -> TrainingResult[CleanerModel]:
    """Train all levels; dev data fit the probabilities and are scored."""
    if not training.edits.any():
        raise ConfigError(f"{training.name}: no word is marked as edited, so there is nothing to learn")
    utterances = training.utterances
    tags, tag_numbers = number_labels(list(utterances.tags or ["_"] * len(utterances.words)))
    gold = {TAGS: tag_numbers, **gold_labels(training)}
    if config.scorer == "neural":
        result = train_networks(utterances, gold, config, reporter)
    else:
        stack = stack_of(config, tags)
        result = stack.train(utterances, utterances.lengths, gold, reporter=reporter, checkpoint=checkpoint)
    levels = result.models
    if dev is not None and config.method != "lbfgs" and config.scorer == "linear":
        levels = with_temperatures(config, levels, dev)
    model = CleanerModel(config, levels)
    scores = {} if dev is None else label_scores(Cleaner(model), dev)
    figures = {} if not result.logs[EDITS] else dict(result.logs[EDITS][-1].get("figures", {}))
    report = EpochReport(len(result.logs[EDITS]), 0.0, 0.0, 0.0, 0.0, scores, figures, best=True)
    reporter.epoch(report)
    log = [{**line, "level": name} for name, lines in result.logs.items() for line in lines[-1:]]
    return TrainingResult(model, log, report.epoch, scores=scores)


def gold_labels(transcript: GoldTranscript) -> dict[str, Numbers]:
    """The labels of the levels that find fillers and edits."""
    lengths = transcript.utterances.lengths
    edits = run_labels(transcript.edits, lengths)
    return {FILLERS: run_labels(transcript.fillers, lengths), FIRST_EDITS: edits, EDITS: edits}


def with_temperatures(
    config: CleanerConfig, levels: Mapping[str, LabellerModel], dev: GoldTranscript
) -> dict[str, LabellerModel]:
    """The chains of fillers and edits with the temperatures under which the dev data are most probable."""
    views = views_of(config)
    found = StackedLabeller(levels, views).label(dev.utterances, threads=config.threads)
    gold = gold_labels(dev)
    fitted = dict(levels)
    for name in (FILLERS, EDITS):
        columns = views[name](dev.utterances, found.decisions)
        names = column_names(levels[name].templates)

        def make(_: Labeller, columns: Any = columns, names: list[str] = names) -> Any:
            return columns.sequences(names)

        fitted[name] = fit_temperature(levels[name], make, gold[name])
    return fitted
