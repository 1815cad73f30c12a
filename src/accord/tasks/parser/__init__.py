# SPDX-License-Identifier: Apache-2.0
"""Dependency parsing: treebank -> model -> trees."""

from accord.tasks.parser.answers import RankedTree, Tree, Trees
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.model import Parser
from accord.tasks.parser.model_file import ParserModel
from accord.tasks.parser.options import ParseOptions, Search

__all__ = ["ParseOptions", "Parser", "ParserConfig", "ParserModel", "RankedTree", "Search", "Tree", "Trees"]
