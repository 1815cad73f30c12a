"""Sequence labelling: the engine behind taggers, segmenters, chunkers and the tokeniser."""

from accord.tasks.labeller.backoff import ConfidenceBackoff
from accord.tasks.labeller.config import LabellerConfig
from accord.tasks.labeller.model import Labeller, LabellerModel, LabelRun, Labels, Lexicon, Masks
from accord.tasks.labeller.training import Problem, fit_temperature, marked, number_labels, train_labeller

__all__ = [
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
    "marked",
    "number_labels",
    "train_labeller",
]
