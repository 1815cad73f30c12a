# SPDX-License-Identifier: Apache-2.0
"""Compressors: which words of a sentence stay, by scores of words, arcs and neighbours.

>>> import numpy as np
>>> from accord.inference.compression import CompressionProblem, Length, compress
>>> words = [1.0, -2.0, 0.5, 2.0]
>>> problem = CompressionProblem(words, heads=[-1, 4, 1, 4, 0])  # what is left of a tree
>>> found = compress(problem, Length.at_most(2))
>>> found.kept.tolist(), found.score, found.status
([True, False, False, True], 3.0, 'optimal')
"""

from accord.inference.compression.deletion_rules import (
    CONSERVATIVE,
    GRAMMATICAL,
    Conditions,
    DeletionRule,
    conditions,
    parse_deletion_rule,
    read_deletion_rules,
)
from accord.inference.compression.distribution import CompressionDistribution, CompressionMarginals
from accord.inference.compression.factor import CompressionFactor
from accord.inference.compression.length import Length
from accord.inference.compression.problem import CompressionProblem, crossing_heads
from accord.inference.compression.solving import METHODS, Compression, best_by_cost, compress
from accord.inference.compression.together import Extract, compress_together
from accord.inference.compression.virtual import add_virtual_arcs, remove_virtual_arcs

__all__ = [
    "CONSERVATIVE",
    "GRAMMATICAL",
    "METHODS",
    "Compression",
    "CompressionDistribution",
    "CompressionFactor",
    "CompressionMarginals",
    "CompressionProblem",
    "Conditions",
    "DeletionRule",
    "Extract",
    "Length",
    "add_virtual_arcs",
    "best_by_cost",
    "compress",
    "compress_together",
    "conditions",
    "crossing_heads",
    "parse_deletion_rule",
    "read_deletion_rules",
    "remove_virtual_arcs",
]
