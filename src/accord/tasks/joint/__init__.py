# SPDX-License-Identifier: Apache-2.0
"""Segments and their types, or columns of labels, decided together by one chain over layers of labels."""

from accord.tasks.joint.config import JointConfig
from accord.tasks.joint.layers import Layers, Segment
from accord.tasks.joint.model import JointLabeller, JointModel
from accord.tasks.joint.segments import right_elements, score_segments, segments_of_labels, segments_of_words
from accord.tasks.joint.training import score_columns, train_columns, train_joint

__all__ = [
    "JointConfig",
    "JointLabeller",
    "JointModel",
    "Layers",
    "Segment",
    "right_elements",
    "score_columns",
    "score_segments",
    "segments_of_labels",
    "segments_of_words",
    "train_columns",
    "train_joint",
]
