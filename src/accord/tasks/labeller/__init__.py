# SPDX-License-Identifier: Apache-2.0
"""Sequence labelling: the engine behind taggers, segmenters, chunkers and the tokeniser."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from accord.tasks.labeller.backoff import ConfidenceBackoff
from accord.tasks.labeller.chain_model import ChainModel
from accord.tasks.labeller.config import LabellerConfig
from accord.tasks.labeller.model import Labeller, LabelRun, Labels
from accord.tasks.labeller.model_file import LabellerModel, Lexicon, Masks, SegmentType

if TYPE_CHECKING:
    from accord.tasks.labeller.batch import BatchReport
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
    "SegmentType",
    "fit_temperature",
    "number_labels",
    "train_chain",
    "train_labeller",
]

# Imported when somebody asks for it: those who apply a model do not wait for the code that trains one.
_TRAINING = {
    "BatchReport": "batch",
    "Problem": "problem",
    "number_labels": "problem",
    "fit_temperature": "temperature",
    "train_chain": "training",
    "train_labeller": "training",
}


def __getattr__(name: str) -> Any:
    if name not in _TRAINING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"accord.tasks.labeller.{_TRAINING[name]}"), name)
