# SPDX-License-Identifier: Apache-2.0
"""Sequence labelling: the engine behind taggers, segmenters, chunkers and the tokeniser."""

from accord.tasks.labeller.backoff import ConfidenceBackoff
from accord.tasks.labeller.batch import BatchReport
from accord.tasks.labeller.chain_model import ChainModel
from accord.tasks.labeller.config import LabellerConfig
from accord.tasks.labeller.model import Labeller, LabelRun, Labels
from accord.tasks.labeller.model_file import LabellerModel, Lexicon, Masks
from accord.tasks.labeller.problem import Problem, number_labels
from accord.tasks.labeller.temperature import fit_temperature
from accord.tasks.labeller.training import train_chain, train_labeller

__all__ = [
    "BatchReport",
    "ChainModel",
    "ConfidenceBackoff",
    "LabelRun",
    "Labeller",
    "LabellerConfig",
    "LabellerModel",
    "Labels",
    "Lexicon",
    "Masks",
    "Problem",
    "fit_temperature",
    "number_labels",
    "train_chain",
    "train_labeller",
]
