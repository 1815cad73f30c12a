# SPDX-License-Identifier: Apache-2.0
"""Dependency parsing: treebank -> model -> trees."""

from accord.tasks.parser.answers import RankedTree, Trees
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.model import Parser
from accord.tasks.parser.model_file import ParserModel
from accord.tasks.parser.search import Search

__all__ = ["Parser", "ParserConfig", "ParserModel", "RankedTree", "Search", "Trees"]
