# SPDX-License-Identifier: Apache-2.0
"""Accord: structured prediction for language.

>>> import accord
>>> accord.load("en")("They sleep.").sentences[0].heads
(2, 0, 2)
"""

from __future__ import annotations

from pathlib import Path

from accord import data
from accord.data import Document, Sentence
from accord.errors import AccordError, ConfigError, ConstraintError, FormatError, ModelError
from accord.inference.rules import AtLeastOne, AtMostOne, Forbid, MaxDependents, NoCrossing, Require, Subtree
from accord.tasks.parser import Parser
from accord.tasks.pipeline import Pipeline
from accord.tasks.tagger import Tagger
from accord.tasks.tokenizer import Tokenizer

__all__ = [
    "AccordError",
    "AtLeastOne",
    "AtMostOne",
    "ConfigError",
    "ConstraintError",
    "Document",
    "Forbid",
    "FormatError",
    "MaxDependents",
    "ModelError",
    "NoCrossing",
    "Parser",
    "Pipeline",
    "Require",
    "Sentence",
    "Subtree",
    "Tagger",
    "Tokenizer",
    "data",
    "load",
]


def load(model: str | Path, *, precision: str | None = None) -> Pipeline:
    """Load a model, a name inside the package or a file: a pipeline of those steps that the model has.

    ``precision``: arithmetic of a neural parser, "float32" or "int8"; None: as the model says.

    See also ``Parser.load``, ``Tagger.load`` and ``Tokenizer.load``, which take one step out of it.
    """
    return Pipeline.load(model, precision=precision)


def __getattr__(name: str) -> str:
    """``__version__``, looked up when it is asked for: that takes longer than loading a model."""
    if name != "__version__":
        raise AttributeError(f"module 'accord' has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("accord")
    except PackageNotFoundError:  # run from a source tree
        return "0.0.0"
