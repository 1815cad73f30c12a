# SPDX-License-Identifier: Apache-2.0
"""Word segmentation of text without blanks between words."""

from accord.tasks.segmenter.config import SegmenterConfig
from accord.tasks.segmenter.labels import LABEL_SETS, LabelSet
from accord.tasks.segmenter.model import Segmenter, SegmenterModel
from accord.tasks.segmenter.training import train_segmenter
from accord.tasks.segmenter.words import WordList

__all__ = [
    "LABEL_SETS",
    "LabelSet",
    "Segmenter",
    "SegmenterConfig",
    "SegmenterModel",
    "WordList",
    "train_segmenter",
]
