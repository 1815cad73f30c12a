"""Accord: structured prediction for language.

>>> import accord
>>> sentence = accord.Sentence.from_words(["They", "sleep"], upos=["PRON", "VERB"], xpos=["PRP", "VBP"])
>>> accord.load("en")(sentence).sentences[0].heads
(2, 0)
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from accord import data
from accord.data import Document, Sentence
from accord.errors import AccordError, ConfigError, ConstraintError, FormatError, ModelError
from accord.inference.rules import AtLeastOne, AtMostOne, Forbid, MaxDependents, NoCrossing, Require, Subtree
from accord.models import model_path
from accord.tasks.parser import Parser

try:
    __version__ = version("accord")
except PackageNotFoundError:  # run from a source tree
    __version__ = "0.0.0"

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
    "Require",
    "Sentence",
    "Subtree",
    "data",
    "load",
]


def _notebook_view(document: Document) -> str:
    """What a notebook shows of a document: its trees, drawn."""
    from accord.app.pictures import page

    return page(document.sentences, title=document.name)


# Documents do not know drawings; the package as a whole does.
setattr(Document, "_repr_html_", _notebook_view)  # noqa: B010


def load(model: str | Path) -> Parser:
    """Load a model: a name inside the package, or a file."""
    return Parser.load(model_path(model))
