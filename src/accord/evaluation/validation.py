# SPDX-License-Identifier: Apache-2.0
"""Checks of treebanks by the rules of Universal Dependencies: levels 1 to 3, for any language.

The rules themselves are data, in :mod:`accord.evaluation.ud_rules`; level 3 is :mod:`accord.evaluation.valid_trees`.
Tests have the names of the official validator, and its order: a sentence that is no tree is not checked further. Its
warnings are not here, nor are levels 4 and 5, which know single languages.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from accord.data import Document, Sentence, Word
from accord.data.word import enhanced_arcs
from accord.evaluation import ud_rules
from accord.evaluation.valid_trees import Finding, nodes_of, tree_findings, universal

_SENT_ID = re.compile(r"#\s*sent_id\s*=\s*\S+")
_FEATURE = re.compile(r"[A-Z][A-Za-z0-9]*(\[[a-z0-9]+\])?=[A-Z0-9][a-zA-Z0-9]*(,[A-Z0-9][a-zA-Z0-9]*)*")
_RELATION = re.compile(r"[a-z]+(:[a-z]+)?")


@dataclass(frozen=True)
class Problem:
    """One thing that a level forbids. ``test``: its name, as the official validator has it."""

    level: int
    test: str
    message: str
    line: int | None
    sentence: str | None

    def __str__(self) -> str:
        place = f"line {self.line}" if self.line else "file"
        name = f" sentence {self.sentence}" if self.sentence else ""
        return f"{place}{name} [L{self.level} {self.test}] {self.message}"


class Validator:
    """Checks documents one after another; sentence ids are unique across them."""

    def __init__(self, level: int = 3) -> None:
        self.level = level
        self._ids: set[str] = set()
        self._has_features = False
        self._waiting: list[Problem] = []  # that count where the treebank has features
        self._with_graph: bool | None = None
        self._has_orphans = self._has_empty_nodes = False

    def problems(self, document: Document) -> Iterator[Problem]:
        """The problems of a document, sentence by sentence."""
        for problem in document.problems:
            yield Problem(1, "format", problem.reason, problem.line, None)
        for sentence in document.sentences:
            if sentence.verbatim is None:
                yield from self._of_sentence(sentence)

    def _of_sentence(self, sentence: Sentence) -> Iterator[Problem]:
        yield from (self._problem(sentence, 1, *found) for found in _level1(sentence))
        if self.level < 2:
            return
        broken = list(_heads(sentence))
        yield from (self._problem(sentence, 2, *found) for found in broken)
        if broken:
            return
        columns = list(_columns(sentence))
        yield from (self._problem(sentence, 2, *found) for found in columns)
        if any(test in _UNSAFE for test, _, _ in columns):
            return
        yield from (self._problem(sentence, 2, *found) for found in self._metadata(sentence))
        if self.level >= 3:
            yield from (self._problem(sentence, 3, *found) for found in tree_findings(sentence))
            yield from self._typos(sentence)
            yield from (self._problem(sentence, 3, *found) for found in self._orphans(sentence))

    def _problem(self, sentence: Sentence, level: int, test: str, message: str, word: int = 0) -> Problem:
        """With the line of a word; of the sentence where it is about no word."""
        line = sentence.line
        if line is not None:
            rows = list(sentence.rows())
            at = next((n for n, row in enumerate(rows) if str(row.id) == str(word)), 0) if word else 0
            line += len(sentence.comments) + at if word else 0
        return Problem(level, test, message, line, sentence.sent_id)

    def _metadata(self, sentence: Sentence) -> Iterator[Finding]:
        has_graph = any(word.deps != "_" for word in sentence.words) or bool(sentence.empty_nodes)
        if self._with_graph is None:
            self._with_graph = has_graph
        elif has_graph != self._with_graph:
            yield "edeps-only-sometimes", "some sentences have DEPS, others have none", 0
        name, text = sentence.sent_id, sentence.comment("text")
        good = [line for line in sentence.comments if _SENT_ID.fullmatch(line)]
        if any(line.startswith(("# sent_id", "#sent_id")) and line not in good for line in sentence.comments):
            yield "invalid-sent-id", "sent_id is one word", 0
        if not good:
            yield "missing-sent-id", "there is no sent_id", 0
        elif len(good) > 1:
            yield "multiple-sent-id", "there are several", 0
        elif name is not None:
            if name in self._ids:
                yield "non-unique-sent-id", f"sent_id {name!r} is there already", 0
            self._ids.add(name)
        if text is None:
            yield "missing-text", "there is no text", 0
            return
        for row in sentence.rows():
            spaces = [entry for entry in row.misc.split("|") if entry.startswith("SpaceAfter=")]
            if any(entry != "SpaceAfter=No" for entry in spaces):
                yield "spaceafter-value", f"MISC {row.misc}", row.id if isinstance(row, Word) else 0
        pieces = (piece for token in sentence.tokens for piece in (token.form, " " if token.space_after else ""))
        if "".join(pieces).rstrip(" ") != text.rstrip(" "):
            yield "text-form-mismatch", "text and tokens differ", 0

    def _typos(self, sentence: Sentence) -> Iterator[Problem]:
        """The head of a split word has Typo=Yes, in treebanks that have features."""
        self._has_features |= any(str(word.feats) != "_" for word in sentence.words)
        for word in sentence.words:
            split = any(universal(child.deprel) == "goeswith" for child in word.children)
            if split and word.feats.get("Typo") != "Yes":
                message = f"{word.form!r} is split and has no Typo=Yes"
                self._waiting.append(self._problem(sentence, 3, "goeswith-missing-typo", message, word.id))
        if self._has_features:
            yield from self._waiting
            self._waiting = []

    def _orphans(self, sentence: Sentence) -> Iterator[Finding]:
        """A treebank with empty nodes for what is left out has no orphans in its graphs."""
        for row in nodes_of(sentence):
            number = row.id if isinstance(row, Word) else 0
            orphan = any(universal(label) == "orphan" for _, label in enhanced_arcs(row.deps))
            if not isinstance(row, Word) and row.deps != "_" and not self._has_empty_nodes:
                self._has_empty_nodes = True
                if self._has_orphans:
                    yield "empty-node-after-eorphan", "an empty node, and orphans before it", number
            self._has_orphans |= orphan
            if orphan and self._has_empty_nodes:
                yield "eorphan-after-empty-node", "an orphan in DEPS, and empty nodes before it", number


# A sentence with one of these is not read as a tree.
_UNSAFE = {
    "invalid-feature", "unsorted-features", "repeated-feature", "repeated-feature-value", "unsorted-feature-values",
}  # fmt: skip


def _level1(sentence: Sentence) -> Iterator[Finding]:
    for line in sentence.comments:
        if line != unicodedata.normalize("NFC", line):
            yield "unicode-normalization", "a comment is not NFC", 0
    for row in sentence.rows():
        number = row.id if isinstance(row, Word) else 0
        for name in ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"):
            value = str(getattr(row, name))
            if value != unicodedata.normalize("NFC", value):
                yield "unicode-normalization", f"{name.upper()} is not NFC", number
            if "\ufffd" in value:
                yield "invalid-utf", f"{name.upper()} holds U+FFFD, which stands for lost characters", number
            if value[:1].isspace():
                yield "leading-whitespace", f"{name.upper()} begins with a blank", number
            if value[-1:].isspace():
                yield "trailing-whitespace", f"{name.upper()} ends with a blank", number
            if "  " in value:
                yield "repeated-whitespace", f"{name.upper()} holds two blanks in a row", number
            if name in ("upos", "xpos", "feats", "deprel", "deps") and any(map(str.isspace, value)):
                yield "invalid-whitespace", f"{name.upper()} holds a blank", number


def _heads(sentence: Sentence) -> Iterator[Finding]:
    """Heads of trees and graphs that are nowhere, and trees that are none."""
    nodes = {str(row.id) for row in nodes_of(sentence)} | {"0"}
    for row in nodes_of(sentence):
        number = row.id if isinstance(row, Word) else 0
        if isinstance(row, Word) and row.head is None:
            yield "invalid-head", "there is no HEAD", number
        for head, _ in enhanced_arcs(row.deps):
            if head not in nodes:
                yield "unknown-ehead", f"DEPS: there is no node {head!r}", number
    if all(word.head is not None for word in sentence.words):
        loops = [word.id for word in sentence.words if word.head == word.id]
        roots = sum(word.head == 0 for word in sentence.words)
        if loops:
            yield "head-self-loop", "a word is its own head", loops[0]
        elif roots > 1:
            yield "multiple-roots", f"{roots} words have HEAD 0", 0
        elif defect := sentence.problem():
            yield "non-tree", defect, 0


def _columns(sentence: Sentence) -> Iterator[Finding]:
    for row in nodes_of(sentence):
        number = row.id if isinstance(row, Word) else 0
        if row.upos not in ud_rules.UPOS and (isinstance(row, Word) or row.upos != "_"):
            yield "unknown-upos", f"unknown UPOS {row.upos!r}", number
        yield from _features(str(row.feats), number)
        if isinstance(row, Word):
            if not _RELATION.fullmatch(row.deprel):
                yield "invalid-deprel", f"DEPREL {row.deprel!r}", number
            elif universal(row.deprel) not in ud_rules.RELATIONS:
                yield "unknown-udeprel", f"unknown relation {row.deprel!r}", number
        yield from _graph(str(row.id), row.deps, number)
    for entries in (row.misc.split("|") for row in sentence.rows()):
        names = [entry.partition("=")[0] for entry in entries if "=" in entry]
        known = [name for name in names if name in _KNOWN_MISC]
        if len(set(known)) < len(known):
            yield "repeated-misc", f"MISC {'|'.join(entries)}", 0


_KNOWN_MISC = {"SpaceAfter", "Lang", "Translit", "LTranslit", "Gloss", "LId", "LDeriv", "Ref"}


def _features(feats: str, number: int) -> Iterator[Finding]:
    if feats == "_":
        return
    entries = feats.split("|")
    for entry in entries:
        if not _FEATURE.fullmatch(entry):
            yield "invalid-feature", f"FEATS {entry!r}", number
            continue
        values = entry.partition("=")[2].split(",")
        if len(set(values)) < len(values):
            yield "repeated-feature-value", f"FEATS {entry}", number
        if values != sorted(values, key=str.lower):
            yield "unsorted-feature-values", f"FEATS {entry}", number
    names = [entry.partition("=")[0] for entry in entries]
    if entries != sorted(entries, key=str.lower):
        yield "unsorted-features", f"FEATS {feats} are not sorted", number
    if len(set(names)) < len(names):
        yield "repeated-feature", f"FEATS {feats}", number


def _graph(node: str, deps: str, number: int) -> Iterator[Finding]:
    arcs = enhanced_arcs(deps)
    heads = [tuple(int(part) for part in head.split(".")) for head, _ in arcs]
    if heads != sorted(heads):
        yield "unsorted-deps", f"DEPS {deps} are not sorted", number
    else:
        for (head, label), (other, later) in itertools.pairwise(arcs):
            if head == other and later <= label:
                yield "repeated-deps" if later == label else "unsorted-deps-2", f"DEPS {deps}", number
    if any(head == node for head, _ in arcs):
        yield "deps-self-loop", f"DEPS {deps}", number
    for _, label in arcs:
        if universal(label) not in ud_rules.RELATIONS and universal(label) != "ref":
            yield "unknown-eudeprel", f"DEPS: unknown relation {label!r}", number
