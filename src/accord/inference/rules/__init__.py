# SPDX-License-Identifier: Apache-2.0
"""Rules on dependency trees as data: hard or soft, from Python, text or TOML, and the best tree under them."""

from accord.inference.rules.arcs import Agreement, Forbid, ForbidLabel, Require, RequireLabel
from accord.inference.rules.counts import AtLeastOne, AtMostOne, MaxDependents
from accord.inference.rules.decode import TreeSolution, decode_tree
from accord.inference.rules.files import read_rules, rules_from_toml
from accord.inference.rules.rule import ArcRule, Rule, TreeRule
from accord.inference.rules.shape import NoCrossing, Subtree
from accord.inference.rules.text import parse_rule, rule_from_table

__all__ = [
    "Agreement",
    "ArcRule",
    "AtLeastOne",
    "AtMostOne",
    "Forbid",
    "ForbidLabel",
    "MaxDependents",
    "NoCrossing",
    "Require",
    "RequireLabel",
    "Rule",
    "Subtree",
    "TreeRule",
    "TreeSolution",
    "decode_tree",
    "parse_rule",
    "read_rules",
    "rule_from_table",
    "rules_from_toml",
]
