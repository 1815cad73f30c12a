# SPDX-License-Identifier: Apache-2.0
"""Sentences made shorter: which words stay, within a budget of words or characters."""

from accord.tasks.compressor.config import CompressorConfig
from accord.tasks.compressor.model import CompressorModel
from accord.tasks.compressor.pairs import Pair, align, read_pairs
from accord.tasks.compressor.sources import SourceSentence, read_sentences
from accord.tasks.compressor.worker import CompressedSentence, CompressedText, Compressor

__all__ = [
    "CompressedSentence",
    "CompressedText",
    "Compressor",
    "CompressorConfig",
    "CompressorModel",
    "Pair",
    "SourceSentence",
    "align",
    "read_pairs",
    "read_sentences",
]
