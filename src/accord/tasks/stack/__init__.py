# SPDX-License-Identifier: Apache-2.0
"""Stacked chains: taggers that read the text as the decisions of earlier taggers leave it."""

from accord.tasks.stack.checkpoint import StackResult
from accord.tasks.stack.columns import Columns, numbered_templates
from accord.tasks.stack.labelling import StackedLabeller, StackedLabels
from accord.tasks.stack.level import Decisions, Level, miss_costs, run_labels
from accord.tasks.stack.training import Stack
from accord.tasks.stack.views import View

__all__ = [
    "Columns",
    "Decisions",
    "Level",
    "Stack",
    "StackResult",
    "StackedLabeller",
    "StackedLabels",
    "View",
    "miss_costs",
    "numbered_templates",
    "run_labels",
]
