# SPDX-License-Identifier: Apache-2.0
"""Accord: structured prediction for language.

>>> import accord
>>> accord.load("en")("They sleep.").sentences[0].heads
(2, 0, 2)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord import data
from accord.data import Document, Sentence
from accord.errors import (
    AccordError,
    AccordWarning,
    ConfigError,
    ConstraintError,
    FormatError,
    ModelError,
    described,
)
from accord.models import model_path
from accord.models.file import read_header
from accord.models.stored import open_worker
from accord.tasks.parser import Parser
from accord.tasks.pipeline import Pipeline
from accord.tasks.registry import row_of_kind, task
from accord.tasks.tagger import Tagger
from accord.tasks.tokenizer import Tokenizer
from accord.tasks.tokenizer.model import TokenWords

if TYPE_CHECKING:
    from accord.inference.rules import AtLeastOne, AtMostOne, Forbid, MaxDependents, NoCrossing, Require, Subtree

RULES = ("AtLeastOne", "AtMostOne", "Forbid", "MaxDependents", "NoCrossing", "Require", "Subtree")
PIPELINE_TASKS = ("tokenizer", "tagger", "parser", "pipeline")  # whose files are pipelines of one step or more

__all__ = [
    "AccordError",
    "AccordWarning",
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


def load(
    model: str | Path,
    *,
    precision: str | None = None,
    lexicon: str | Path | Iterable[str] | None = None,
    lexicon_mode: str = "prefer",
) -> Any:
    """Load whatever Accord has trained: a packaged model by its name, or a model file.

    Tokenisers, taggers, parsers and pipelines of them give a :class:`Pipeline` of those steps that the model has. A
    model of another task gives the worker of that task; see :mod:`accord.tasks.registry`.

    ``precision``: arithmetic of a neural parser, "float32" or "int8"; None: as the model says.

    ``lexicon``: words of the user that are to be tokens wherever they occur, as a list or as a file with one word in
    each line. ``lexicon_mode``: "prefer" adds a bonus to them, "force" always makes them tokens.

    See also ``Parser.load``, ``Tagger.load`` and ``Tokenizer.load``, which take one step out of a pipeline.
    """
    path = model_path(model)
    row = row_of_kind(read_header(path).get("kind"), str(path))
    if row.name in PIPELINE_TASKS:
        return Pipeline.load(path, precision=precision, words=_words(lexicon, lexicon_mode))
    if lexicon is not None and row.name != "segmenter":
        raise ConfigError(f"lexicon: a {row.title} has no tokeniser")
    if precision is not None:
        raise ConfigError(f"precision = {precision!r}: a {row.title} has no parser")
    chosen = task(row.name)
    if lexicon is not None:
        from accord.tasks.segmenter import WordList

        words = _words(lexicon, lexicon_mode)
        assert words is not None
        worker: Any = chosen.worker
        make = partial(worker, lexicon=WordList(words.words), mode=lexicon_mode)
        return open_worker(make, chosen.model, path, chosen=True)
    return open_worker(chosen.worker, chosen.model, path)


def _words(lexicon: str | Path | Iterable[str] | None, mode: str) -> TokenWords | None:
    if lexicon is None:
        return None
    if isinstance(lexicon, (str, Path)):
        from accord.tasks.segmenter.words import WordList

        return TokenWords(WordList.read(lexicon).words, mode)
    if not isinstance(lexicon, Iterable):
        raise ConfigError(f"lexicon: a list of words or the name of a file is expected, not {described(lexicon)}")
    words = list(lexicon)
    if wrong := [word for word in words if not isinstance(word, str)]:
        raise ConfigError(f"lexicon: a word is a text (str), not {described(wrong[0])}")
    return TokenWords(frozenset(words), mode)


def __getattr__(name: str) -> Any:
    """Rules, workers of rarer tasks and ``__version__``, looked up when asked for: loading a model takes less time."""
    if name == "inference" or name in RULES:
        rules = import_module("accord.inference.rules")
        return import_module("accord.inference") if name == "inference" else getattr(rules, name)
    if name == "Cleaner":
        from accord.tasks.cleaner import Cleaner

        return Cleaner
    if name == "ConstituencyParser":
        from accord.tasks.constituents import ConstituencyParser

        return ConstituencyParser
    if name == "Compressor":
        from accord.tasks.compressor import Compressor

        return Compressor
    if name == "Reranker":
        from accord.tasks.reranker import Reranker

        return Reranker
    if name == "Summarizer":
        from accord.tasks.summarizer import Summarizer

        return Summarizer
    if name != "__version__":
        raise AttributeError(f"module 'accord' has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("accord")
    except PackageNotFoundError:  # run from a source tree
        return "0.0.0"
