# SPDX-License-Identifier: Apache-2.0
"""Tagging: parts of speech, XPOS, FEATS and lemmas."""

from accord.tasks.tagger.config import TaggerConfig
from accord.tasks.tagger.model import RankedTags, Tagger, TaggerModel
from accord.tasks.tagger.training import jackknife, train_tagger

__all__ = ["RankedTags", "Tagger", "TaggerConfig", "TaggerModel", "jackknife", "train_tagger"]
