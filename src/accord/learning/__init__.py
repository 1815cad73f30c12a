# SPDX-License-Identifier: Apache-2.0
"""Trainers: one loop, many update rules."""

from accord.learning.loop import (
    EpochReport,
    Learnable,
    LoopState,
    Progress,
    TrainingResult,
    UpdateReport,
    epoch_order,
    train,
)
from accord.learning.minimise import golden_section

__all__ = [
    "EpochReport",
    "Learnable",
    "LoopState",
    "Progress",
    "TrainingResult",
    "UpdateReport",
    "epoch_order",
    "golden_section",
    "train",
]
