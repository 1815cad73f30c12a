# SPDX-License-Identifier: Apache-2.0
"""The constituency parser: trees of phrases, from labelled spans and an exact chart."""

from accord.tasks.constituents.config import ConstituentsConfig
from accord.tasks.constituents.model import ConstituencyParser, ConstituentsModel, ParsedTree

__all__ = ["ConstituencyParser", "ConstituentsConfig", "ConstituentsModel", "ParsedTree"]
