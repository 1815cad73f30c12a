# SPDX-License-Identifier: Apache-2.0
"""Labelled spans of tokens: named entities, chunks."""

from accord.tasks.spans.config import SpansConfig
from accord.tasks.spans.files import LabelledFile, read_labelled, tag_column
from accord.tasks.spans.model import SpanAnswer, SpanLabeller, SpanLabels, SpansModel
from accord.tasks.spans.training import train_spans

__all__ = [
    "LabelledFile",
    "SpanAnswer",
    "SpanLabeller",
    "SpanLabels",
    "SpansConfig",
    "SpansModel",
    "read_labelled",
    "tag_column",
    "train_spans",
]
