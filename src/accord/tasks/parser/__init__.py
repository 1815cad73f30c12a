"""Dependency parsing: treebank -> model -> trees."""

from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.model import Parser, ParserModel, RankedTree, Trees

__all__ = ["Parser", "ParserConfig", "ParserModel", "RankedTree", "Trees"]
