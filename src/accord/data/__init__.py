# SPDX-License-Identifier: Apache-2.0
"""Documents and their formats: CoNLL-U, CoNLL-X, CoNLL-2008, CoNLL-2009 and JSON lines, whole or in blocks.

Beside them the files of sequence labelling: columns with a label on each word, and segmented text.
"""

from __future__ import annotations

from accord.data.columns import Sequences, read_columns, write_columns
from accord.data.converting import convert
from accord.data.document import Document
from accord.data.entities import Entity
from accord.data.features import Feats
from accord.data.files import open_input, open_output
from accord.data.formats import FORMATS
from accord.data.reading import read, stream
from accord.data.segmented import read_segmented, stream_segmented, write_segmented
from accord.data.sentence import Sentence
from accord.data.sentences import Sentences
from accord.data.word import EmptyNode, Range, Token, Word

__all__ = [
    "FORMATS",
    "Document",
    "EmptyNode",
    "Entity",
    "Feats",
    "Range",
    "Sentence",
    "Sentences",
    "Sequences",
    "Token",
    "Word",
    "convert",
    "open_input",
    "open_output",
    "read",
    "read_columns",
    "read_segmented",
    "stream",
    "stream_segmented",
    "write_columns",
    "write_segmented",
]
