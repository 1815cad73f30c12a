# SPDX-License-Identifier: Apache-2.0
"""Summaries within a budget of words, characters or sentences."""

from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.model import Summarizer, SummarizerModel
from accord.tasks.summarizer.sources import Source, read_sources
from accord.tasks.summarizer.summary import Summary, SummarySentence
from accord.tasks.summarizer.topics import Topic

__all__ = [
    "Source",
    "Summarizer",
    "SummarizerConfig",
    "SummarizerModel",
    "Summary",
    "SummarySentence",
    "Topic",
    "read_sources",
]
