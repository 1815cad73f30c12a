# SPDX-License-Identifier: Apache-2.0
"""Transcripts of speech without fillers ("uh", "I mean") and edits (what a speaker took back)."""

from accord.tasks.cleaner.cleaned import CleanedText, CleanedUtterance, CleanedWord
from accord.tasks.cleaner.config import CleanerConfig
from accord.tasks.cleaner.model import CleanerModel
from accord.tasks.cleaner.sources import read_utterances
from accord.tasks.cleaner.utterances import SourceUtterance, SourceWord
from accord.tasks.cleaner.words import Utterances, normal_form
from accord.tasks.cleaner.worker import Cleaner, WordLabels

__all__ = [
    "CleanedText",
    "CleanedUtterance",
    "CleanedWord",
    "Cleaner",
    "CleanerConfig",
    "CleanerModel",
    "SourceUtterance",
    "SourceWord",
    "Utterances",
    "WordLabels",
    "normal_form",
    "read_utterances",
]
