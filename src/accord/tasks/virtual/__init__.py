# SPDX-License-Identifier: Apache-2.0
"""Segments and their types decided together, by one chain over two layers of labels."""

from accord.tasks.virtual.config import JointConfig
from accord.tasks.virtual.layers import Layers, Segment
from accord.tasks.virtual.model import JointLabeller, JointModel, RankedSegments
from accord.tasks.virtual.training import score_segments, segments_of_labels, segments_of_words, train_joint

__all__ = [
    "JointConfig",
    "JointLabeller",
    "JointModel",
    "Layers",
    "RankedSegments",
    "Segment",
    "score_segments",
    "segments_of_labels",
    "segments_of_words",
    "train_joint",
]
