# SPDX-License-Identifier: Apache-2.0
"""Rules from text: one rule a line, as the command line and rule files write them.

require 2 -> 5 nsubj              at-most-one nsubj,csubj of VERB      subtree 3..7
forbid 3 -> 5                     at-least-one root of ROOT            no-crossing
require-label 4 obj               max-dependents 0 of PUNCT            nsubj* head-not PUNCT
forbid-label dep                  * head-is NOUN,VERB in upos          ... @ 2.5    (soft, with this weight)
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from accord.errors import ConfigError
from accord.inference.rules.arcs import Agreement, Forbid, ForbidLabel, Require, RequireLabel
from accord.inference.rules.counts import AtLeastOne, AtMostOne, MaxDependents
from accord.inference.rules.rule import Rule
from accord.inference.rules.shape import NoCrossing, Subtree

# Agreement comes last: it begins with a label, which may be any word.
KINDS: tuple[type[Rule], ...] = (
    *(Require, Forbid, RequireLabel, ForbidLabel),
    *(AtMostOne, AtLeastOne, MaxDependents, Subtree, NoCrossing, Agreement),
)
NAMES: dict[str, type[Rule]] = {kind.syntax.kind or "agreement": kind for kind in KINDS}

_WEIGHT = re.compile(r"(.*?)\s+@\s*(\S*)")
_ARROW = re.compile(r"\s*->\s*")


def listed_rules(rules: Iterable[Rule | str]) -> tuple[Rule, ...]:
    """Rules, some of which may be given by their texts."""
    return tuple(parse_rule(rule) if isinstance(rule, str) else rule for rule in rules)


def parse_rule(text: str) -> Rule:
    """The rule that a text states; a :class:`~accord.errors.ConfigError` says what is wrong with it.

    >>> parse_rule("require 2->5 nsubj @ 1.5")
    Require(head=2, dependent=5, label='nsubj', weight=1.5)
    >>> parse_rule("at-most-one nsubj off VERB")
    Traceback (most recent call last):
    accord.errors.ConfigError: rule 'at-most-one nsubj off VERB': expected at-most-one LABEL [of OF] [in COLUMN]
    """
    body = _ARROW.sub(" -> ", " ".join(text.split()))
    weighted = _WEIGHT.fullmatch(body)
    try:
        weight = None if weighted is None else _weight(weighted[2])
        return _body(weighted[1] if weighted else body, weight)
    except ConfigError as error:
        raise ConfigError(f"rule {text!r}: {error}") from None


def rule_from_table(table: Mapping[str, Any]) -> Rule:
    """The rule of a table: ``kind`` is the first word of the text form (or ``agreement``), the rest are its fields.

    >>> rule_from_table({"kind": "at-most-one", "label": ["nsubj", "csubj"], "weight": 2})
    AtMostOne(label='nsubj,csubj', weight=2)
    """
    name = table.get("kind")
    if not isinstance(name, str) or name not in NAMES:
        raise ConfigError(f"kind = {name!r}: expected one of {', '.join(NAMES)}")
    kind = NAMES[name]
    fields = {field.name: field for field in dataclasses.fields(kind)}
    values: dict[str, Any] = {
        key: ",".join(map(str, v)) if isinstance(v, list) else v for key, v in table.items() if key != "kind"
    }
    for key in values:
        if key not in fields:
            raise ConfigError(f"{name} has no field {key!r}; it has: {', '.join(fields)}")
    for key, field in fields.items():
        if field.default is dataclasses.MISSING and key not in values:
            raise ConfigError(f"{name} needs the field {key!r}")
    return kind(**values)


def _body(body: str, weight: float | None) -> Rule:
    for kind in KINDS:
        fields: dict[str, Any] | None = kind.syntax.match(body)
        if fields is not None and (kind is not Agreement or len(fields) > 1):
            return kind(**fields, weight=weight)
    raise ConfigError(_advice(body))


def _advice(body: str) -> str:
    """What the writer may have meant."""
    words = body.split()
    if not words:
        return "it is empty"
    if words[0] in NAMES:
        return f"expected {NAMES[words[0]].syntax.usage}"
    if len(words) > 1 and re.fullmatch("(head|dependent)-(is|not)", words[1]):
        return f"expected {Agreement.syntax.usage}"
    near = difflib.get_close_matches(words[0], NAMES, n=1)
    if near:
        return f"no rule begins so; did you mean {NAMES[near[0]].syntax.usage}?"
    return f"no rule begins so; there are: {'; '.join(kind.syntax.usage for kind in KINDS)}"


def _weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ConfigError(f"the weight after @ is not a number: {text!r}") from None
