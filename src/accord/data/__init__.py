"""Documents and their formats: CoNLL-U, CoNLL-X, CoNLL-2008, CoNLL-2009 and JSON lines, whole or in blocks."""

from __future__ import annotations

from accord.data.converting import convert
from accord.data.document import Document, Sentences
from accord.data.files import open_input, open_output
from accord.data.formats import FORMATS
from accord.data.reading import read, stream
from accord.data.sentence import Sentence
from accord.data.word import EmptyNode, Range, Token, Word

__all__ = [
    "FORMATS",
    "Document",
    "EmptyNode",
    "Range",
    "Sentence",
    "Sentences",
    "Token",
    "Word",
    "convert",
    "open_input",
    "open_output",
    "read",
    "stream",
]
