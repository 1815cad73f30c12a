# SPDX-License-Identifier: Apache-2.0
"""The language of tree patterns.

    pattern   clause; clause; ...          all of them hold; a line end or `;` parts them
    clause    node                         there is such a word
              node relation node ...       relations may be chained: A > B > C
              ! clause                     there is no such word, or it does not stand so
    node      Name, Name[conditions], [conditions], []
    relation  >  <  >label  <label|label   head of, dependent of; with one of these labels, `nsubj*` with subtypes
              >> <<                        ancestor of, descendant of
              .  ..                        directly before, anywhere before
    condition form=They, lemma=see|hear, upos!=VERB, form~^un, Number=Sing, !Tense, deprel=nsubj, id=1, misc.Gloss=x

The same name is the same word wherever it stands. Names that occur only in a negated clause are not captured.
"""

from __future__ import annotations

import difflib
import re
import warnings
from dataclasses import dataclass, field

from accord.data.search.expressions import Expression
from accord.errors import ConfigError

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
_LEXEME = re.compile(
    r"""\s*(?:(?P<name>[A-Za-z_]\w*)(?=\s*(?:\[|[<>.;!\n]|$))|(?P<open>\[)|(?P<relation>>>|<<|\.\.|\.|
    (?:[<>](?P<labels>[\w:|*]*)))|(?P<end>[;\n])|(?P<not>!))""",
    re.VERBOSE,
)
_OPEN = ("ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB")
TAGS = frozenset((*_OPEN, "ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ", "PUNCT", "SYM", "X"))
_ALIASES = {"pos": "upos", "tag": "upos", "cpos": "upos", "word": "form", "text": "form", "token": "form"}
_ALIASES |= {"dep": "deprel", "label": "deprel", "relation": "deprel", "rel": "deprel", "morph": "feats"}
_CONDITION = re.compile(r"!?\s*([\w.]+)\s*(?:(!=|!~|=|~)\s*(.*))?", re.DOTALL)


@dataclass(frozen=True)
class Condition:
    """What a word's column or feature must be. ``values`` empty: only that it is there (or, negated, is not)."""

    column: str  # a column, "feats.NAME" or "misc.NAME"
    values: tuple[str, ...] = ()
    regex: Expression | None = None
    negated: bool = False

    def holds(self, value: str) -> bool:
        """Whether a value of the column is as wanted; "_" is no value."""
        if self.regex is not None:
            found = self.regex.matches(value)
        elif self.values:
            found = value in self.values
        else:
            found = value not in ("_", "")
        return found != self.negated


@dataclass(frozen=True)
class Node:
    name: str
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Relation:
    """A relation between two nodes. ``kind``: ">" (head of), ">>" (ancestor), "." (directly before), ".." (before)."""

    left: str
    kind: str
    right: str
    labels: tuple[str, ...] = ()

    def allows(self, label: str) -> bool:
        return not self.labels or any(
            label == one or (one.endswith("*") and label.split(":")[0] == one[:-1].rstrip(":")) for one in self.labels
        )


@dataclass(frozen=True)
class Group:
    """Nodes and relations that hold together."""

    nodes: dict[str, tuple[Condition, ...]] = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()


def parse(text: str) -> tuple[Group, list[Group]]:
    """What must be there, and what must not."""
    reader = _Reader(text)
    nodes: dict[str, tuple[Condition, ...]] = {}
    relations: list[Relation] = []
    refused: list[Group] = []
    for negated, found, arcs in reader.clauses():
        if negated:
            own: dict[str, tuple[Condition, ...]] = {}
            for node in found:
                own[node.name] = (*own.get(node.name, ()), *node.conditions)
            refused.append(Group(own, tuple(arcs)))
            continue
        for node in found:
            nodes[node.name] = (*nodes.get(node.name, ()), *node.conditions)
        relations += arcs
    if not nodes:
        raise ConfigError(f"pattern {text!r}: it names no word that must be there")
    return Group(nodes, tuple(relations)), refused


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.unnamed = 0

    def clauses(self) -> list[tuple[bool, list[Node], list[Relation]]]:
        clauses: list[tuple[bool, list[Node], list[Relation]]] = []
        while True:
            while (found := self._next()) is not None and found.lastgroup == "end":
                self.at = found.end()
            if found is None:
                return clauses
            negated = found.lastgroup == "not"
            if negated:
                self.at = found.end()
            clauses.append((negated, *self._clause()))

    def _clause(self) -> tuple[list[Node], list[Relation]]:
        nodes, relations = [self._node()], []
        while (found := self._next()) is not None and found["relation"]:
            self.at = found.end()
            nodes.append(self._node())
            relations.append(_relation(nodes[-2].name, found["relation"], found["labels"] or "", nodes[-1].name))
        if found is not None and found.lastgroup != "end":
            raise self._refusal("a relation or ; is expected")
        return nodes, relations

    def _node(self) -> Node:
        found = self._next()
        name = ""
        if found is not None and found["name"]:
            name, self.at = found["name"], found.end()
            found = self._next()
        if found is not None and found["open"]:
            close = self._closing(found.end())
            conditions = tuple(map(condition, _parts(self.text[found.end() : close])))
            self.at = close + 1
        elif name:
            conditions = ()
        else:
            raise self._refusal("a word is expected, Name or [conditions]" + _advice(self.text[self.at :]))
        if not name:
            self.unnamed += 1
            name = f"_{self.unnamed}"
        return Node(name, conditions)

    def _closing(self, start: int) -> int:
        """The bracket that closes; one inside a regular expression is written in a class or with a backslash."""
        depth, at = 0, start
        while at < len(self.text):
            one = self.text[at]
            if one == "\\":
                at += 1
            elif one == "[":
                depth += 1
            elif one == "]":
                if depth == 0:
                    return at
                depth -= 1
            at += 1
        raise self._refusal("a [ is not closed")

    def _next(self) -> re.Match[str] | None:
        if not self.text[self.at :].strip(" \t\r"):
            return None
        found = _LEXEME.match(self.text, self.at)
        if found is None:
            raise self._refusal("a word, a relation or ; is expected" + _advice(self.text[self.at :]))
        return found

    def _refusal(self, reason: str) -> ConfigError:
        return ConfigError(f"pattern {self.text!r}, character {self.at + 1}: {reason}")


def _relation(left: str, sign: str, labels: str, right: str) -> Relation:
    wanted = tuple(label for label in labels.split("|") if label)
    if sign.startswith("<"):
        return Relation(right, ">>" if sign == "<<" else ">", left, wanted)
    return Relation(left, sign if sign in (">>", ".", "..") else ">", right, wanted)


def _parts(text: str) -> list[str]:
    """Conditions, parted by commas or &; a backslash keeps the next character."""
    return [part.strip() for part in re.split(r"(?<!\\)[,&]", text) if part.strip()]


def column_named(name: str, place: str) -> str:
    """A column, or "feats.NAME" or "misc.NAME". Features have a capital, so that what has none is a mistake.

    >>> column_named("upos", "here"), column_named("Number", "here")
    ('upos', 'feats.Number')
    """
    if name in COLUMNS or name.startswith(("feats.", "misc.")):
        return name
    if not name[:1].islower():
        return f"feats.{name}"
    near = [_ALIASES[name]] if name in _ALIASES else difflib.get_close_matches(name, COLUMNS, 1)
    advice = f"; did you mean {near[0]!r}?" if near else f": there are {', '.join(COLUMNS)}"
    raise ConfigError(
        f"{place}: no column is named {name!r}{advice} (feats.{name} and misc.{name} are entries of them)"
    )


def doubts(pattern: Group) -> list[str]:
    """What may be meant in another way: a tag that is written where names stand is a name, and any word has it."""
    tags = sorted(name for name, conditions in pattern.nodes.items() if name in TAGS - {"X"} and not conditions)
    return [f"{tag} is a name here, which any word may have; the tag is asked for by {tag}[upos={tag}]" for tag in tags]


def _advice(rest: str) -> str:
    """What to write instead of a beginning that is no pattern."""
    if re.search(r"-\[|->|\{", rest):
        return "; an arc is written V >nsubj S, and a condition V[upos=VERB]"
    if found := re.search(r"!?[\w.]+\s*(?:=|!=|~|!~)\s*[^\s\];]+", rest):
        return f"; conditions stand in brackets: [{found[0]}]"
    return ""


def condition(text: str) -> Condition:
    """One condition, e.g. ``lemma=see|hear``.

    >>> condition("Number!=Sing").column, condition("!Tense").negated
    ('feats.Number', True)
    """
    absent = text.startswith("!")
    found = _CONDITION.fullmatch(text)
    name, sign, value = ("", "", "") if found is None else (found[1], found[2] or "", found[3] or "")
    if not name:
        raise ConfigError(f"condition {text!r}: expected NAME=VALUE, NAME!=VALUE, NAME~REGEX, NAME or !NAME")
    column = column_named(name, f"condition {text!r}")
    negated = absent != sign.startswith("!")
    if sign.endswith("~"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of what another version of Python may read in another way
                return Condition(column, (), Expression(value), negated)
        except (re.error, OverflowError, RecursionError) as error:
            raise ConfigError(f"condition {text!r}: not a regular expression ({error})") from None
    values = tuple(one.replace("\\", "") for one in re.split(r"(?<!\\)\|", value)) if sign else ()
    return Condition(column, values, None, negated)
