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

__all__ = [
    "EpochReport",
    "Learnable",
    "LoopState",
    "Progress",
    "TrainingResult",
    "UpdateReport",
    "epoch_order",
    "train",
]
