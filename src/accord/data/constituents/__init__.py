# SPDX-License-Identifier: Apache-2.0
"""Constituents: trees of phrases, their brackets, their shapes, their heads, and how documents hold them."""

from accord.data.constituents.brackets import BracketedSentence, MissingTree, read_brackets
from accord.data.constituents.carriers import (
    constituents_of,
    document_from_brackets,
    document_from_trees,
    document_to_brackets,
    with_constituents,
)
from accord.data.constituents.labels import category, functions
from accord.data.constituents.shapes import (
    binarise,
    collapse_unaries,
    debinarise,
    expand_unaries,
    plain,
    without_empties,
    without_functions,
    without_root,
)
from accord.data.constituents.tree import Constituent, Constituents

__all__ = [
    "BracketedSentence",
    "Constituent",
    "Constituents",
    "MissingTree",
    "binarise",
    "category",
    "collapse_unaries",
    "constituents_of",
    "debinarise",
    "document_from_brackets",
    "document_from_trees",
    "document_to_brackets",
    "expand_unaries",
    "functions",
    "plain",
    "read_brackets",
    "with_constituents",
    "without_empties",
    "without_functions",
    "without_root",
]
