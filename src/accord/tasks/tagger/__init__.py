# SPDX-License-Identifier: Apache-2.0
"""Tagging: parts of speech, XPOS, FEATS and lemmas."""

from typing import TYPE_CHECKING, Any

from accord.tasks.tagger.config import TaggerConfig
from accord.tasks.tagger.model import Tagger, TaggerModel

if TYPE_CHECKING:
    from accord.tasks.tagger.training import jackknife, train_tagger

__all__ = ["Tagger", "TaggerConfig", "TaggerModel", "jackknife", "train_tagger"]


def __getattr__(name: str) -> Any:
    """Training is imported when somebody asks for it: those who tag do not wait for it."""
    if name not in ("jackknife", "train_tagger"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from accord.tasks.tagger import training

    return getattr(training, name)
