# SPDX-License-Identifier: Apache-2.0
"""What all training has in common: one loop, one result, one reporter, one kind of checkpoint."""

from accord.learning.checkpoint import Checkpoint
from accord.learning.interrupts import interrupts_wait
from accord.learning.loop import (
    Learnable,
    LoopState,
    Resumable,
    TrainingResult,
    UpdateReport,
    epoch_order,
    train,
)
from accord.learning.minimise import golden_section
from accord.learning.proximal import Groups, budget_threshold, prox_sparse_groups, soft_threshold
from accord.learning.reporter import SILENT, EpochReport, Progress, Reporter
from accord.learning.sample import spread

__all__ = [
    "SILENT",
    "Checkpoint",
    "EpochReport",
    "Groups",
    "Learnable",
    "LoopState",
    "Progress",
    "Reporter",
    "Resumable",
    "TrainingResult",
    "UpdateReport",
    "budget_threshold",
    "epoch_order",
    "golden_section",
    "interrupts_wait",
    "prox_sparse_groups",
    "soft_threshold",
    "spread",
    "train",
]
