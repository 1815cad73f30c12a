# SPDX-License-Identifier: Apache-2.0
"""Checks of treebanks by the rules of Universal Dependencies: levels 1 to 3, for any language.

The rules themselves are data, in :mod:`accord.evaluation.ud_rules`. Levels 4 and 5 of the official validator, which
know single languages, are not here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from accord.data import Document, Sentence, Word
from accord.data.word import enhanced_arcs
from accord.evaluation import ud_rules

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

    def problems(self, document: Document) -> Iterator[Problem]:
        """The problems of a document, sentence by sentence."""
        for problem in document.problems:
            yield Problem(1, "format", problem.reason, problem.line, None)
        for sentence in document.sentences:
            if sentence.verbatim is not None:
                continue
            found = [*self._level1(sentence)]
            if self.level >= 2:
                found += self._level2(sentence)
            if self.level >= 3 and not any(one.test in ("invalid-head", "tree") for one in found):
                found += self._level3(sentence)
            yield from found

    def _problem(self, sentence: Sentence, level: int, test: str, message: str, word: int = 0) -> Problem:
        line = sentence.line
        if line is not None:
            rows = list(sentence.rows())
            at = next((n for n, row in enumerate(rows) if str(row.id) == str(word)), 0) if word else 0
            line += len(sentence.comments) + at if word else 0
        return Problem(level, test, message, line, sentence.sent_id)

    def _level1(self, sentence: Sentence) -> Iterator[Problem]:
        for row in sentence.rows():
            number = row.id if isinstance(row, Word) else 0
            for name in ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"):
                value = getattr(row, name)
                if value != unicodedata.normalize("NFC", value):
                    yield self._problem(sentence, 1, "unicode-normalization", f"{name.upper()} is not NFC", number)
                if value.strip() != value:
                    yield self._problem(
                        sentence, 1, "leading-whitespace", f"{name.upper()} begins or ends with a blank", number
                    )
                if name in ("upos", "feats", "deprel", "deps") and " " in value:
                    yield self._problem(sentence, 1, "invalid-whitespace", f"{name.upper()} holds a blank", number)

    def _level2(self, sentence: Sentence) -> Iterator[Problem]:
        yield from self._metadata(sentence)
        for word in sentence.words:
            if word.upos not in ud_rules.UPOS:
                yield self._problem(sentence, 2, "unknown-upos", f"unknown UPOS {word.upos!r}", word.id)
            yield from self._features(sentence, word)
            if word.head is None or not 0 <= word.head <= len(sentence) or word.head == word.id:
                yield self._problem(sentence, 2, "invalid-head", f"HEAD {word.head!r}", word.id)
            if not _RELATION.fullmatch(word.deprel):
                yield self._problem(sentence, 2, "invalid-deprel", f"DEPREL {word.deprel!r}", word.id)
            if (word.head == 0) != (word.deprel.split(":")[0] == "root"):
                yield self._problem(sentence, 2, "0-is-not-root", f"HEAD {word.head} with {word.deprel}", word.id)
            yield from self._graph(sentence, word)
        if defect := sentence.problem():
            yield self._problem(sentence, 2, "tree", defect)

    def _metadata(self, sentence: Sentence) -> Iterator[Problem]:
        name, text = sentence.sent_id, sentence.comment("text")
        if name is None:
            yield self._problem(sentence, 2, "missing-sent-id", "there is no sent_id")
        elif name in self._ids:
            yield self._problem(sentence, 2, "non-unique-sent-id", f"sent_id {name!r} is there already")
        else:
            self._ids.add(name)
        if text is None:
            yield self._problem(sentence, 2, "missing-text", "there is no text")
            return
        pieces = (piece for token in sentence.tokens for piece in (token.form, " " if token.space_after else ""))
        if "".join(pieces).rstrip(" ") != text.rstrip(" "):
            yield self._problem(sentence, 2, "text-form-mismatch", "text and tokens differ")

    def _features(self, sentence: Sentence, word: Word) -> Iterator[Problem]:
        if word.feats == "_":
            return
        entries = word.feats.split("|")
        for entry in entries:
            if not _FEATURE.fullmatch(entry):
                yield self._problem(sentence, 2, "invalid-feature", f"FEATS {entry!r}", word.id)
        names = [entry.partition("=")[0] for entry in entries]
        if entries != sorted(entries, key=str.lower):
            yield self._problem(sentence, 2, "unsorted-features", f"FEATS {word.feats} are not sorted", word.id)
        if len(set(names)) < len(names):
            yield self._problem(sentence, 2, "repeated-feature", f"FEATS {word.feats}", word.id)

    def _graph(self, sentence: Sentence, word: Word) -> Iterator[Problem]:
        nodes = {str(row.id) for row in sentence.rows()} | {"0"}
        for head, label in enhanced_arcs(word.deps):
            if head not in nodes or "-" in head:
                yield self._problem(sentence, 2, "unknown-ehead", f"DEPS: there is no node {head!r}", word.id)
            if (head == "0") != (label == "root"):
                yield self._problem(sentence, 2, "enhanced-0-is-not-root", f"DEPS {head}:{label}", word.id)

    def _level3(self, sentence: Sentence) -> Iterator[Problem]:
        for word in sentence.words:
            base = word.deprel.split(":")[0]
            if base not in ud_rules.RELATIONS:
                yield self._problem(sentence, 3, "unknown-deprel", f"unknown relation {base!r}", word.id)
            if base in ud_rules.LEFT_TO_RIGHT and word.head and word.head > word.id:
                yield self._problem(sentence, 3, f"right-to-left-{base}", f"{base} goes from left to right", word.id)
            yield from self._part_of_speech(sentence, word, base)
            yield from self._leaf(sentence, word, base)
        yield from self._arguments(sentence)
        yield from self._punctuation(sentence)
        yield from self._gaps(sentence)

    def _part_of_speech(self, sentence: Sentence, word: Word, base: str) -> Iterator[Problem]:
        if any(child.deprel in ("fixed", "goeswith") for child in word.children) or word.feats.get("ExtPos"):
            return
        wanted = ud_rules.UPOS_OF_RELATION.get(base)
        refused = ud_rules.REFUSED_UPOS.get(base, set())
        if (wanted and word.upos not in wanted) or word.upos in refused:
            test = f"rel-upos-{base}"
            yield self._problem(sentence, 3, test, f"{base} of {word.form!r}, which is {word.upos}", word.id)
        if word.upos == "PUNCT" and base not in ("punct", "root", "goeswith", "reparandum", "conj", "dep"):
            yield self._problem(sentence, 3, "upos-rel-punct", f"PUNCT with the relation {base}", word.id)

    def _leaf(self, sentence: Sentence, word: Word, base: str) -> Iterator[Problem]:
        allowed = ud_rules.LEAVES.get(base)
        if allowed is None:
            return
        for child in word.children:
            below = child.deprel.split(":")[0]
            if below not in allowed and below not in ud_rules.ALWAYS_ALLOWED_BELOW:
                message = f"{base} has a dependent, {child.form!r} ({below})"
                yield self._problem(sentence, 3, f"leaf-{base}", message, word.id)

    def _arguments(self, sentence: Sentence) -> Iterator[Problem]:
        for word in sentence.words:
            labels = [child.deprel for child in word.children]
            subjects = [one for one in labels if one.split(":")[0] in ("nsubj", "csubj") and ":outer" not in one]
            objects = [one for one in labels if one.split(":")[0] == "obj"]
            if len(subjects) > 1:
                yield self._problem(sentence, 3, "too-many-subjects", f"{word.form!r} has {len(subjects)}", word.id)
            if len(objects) > 1:
                yield self._problem(sentence, 3, "too-many-objects", f"{word.form!r} has {len(objects)}", word.id)

    def _punctuation(self, sentence: Sentence) -> Iterator[Problem]:
        """Punctuation neither hangs over a gap nor makes one."""
        for word in sentence.words:
            if word.deprel.split(":")[0] != "punct" or not word.head:
                continue
            low, high = sorted((word.id, word.head))
            ids = {one.id for one in sentence.words[word.head - 1].subtree}
            above = {one.id for one in sentence.words[word.head - 1].ancestors}
            if any(number not in ids and number not in above for number in range(low + 1, high)):
                yield self._problem(sentence, 3, "punct-is-nonproj", "punctuation is attached over a gap", word.id)
            for other in sentence.words:
                if other.head and other.head != word.id and other.deprel.split(":")[0] != "punct":
                    first, last = sorted((other.id, other.head))
                    inside = first < word.id < last
                    if inside and not (first <= word.head <= last):
                        yield self._problem(sentence, 3, "punct-causes-nonproj", "punctuation makes a gap", word.id)
                        break

    def _gaps(self, sentence: Sentence) -> Iterator[Problem]:
        """Fixed expressions and split words are whole."""
        for word in sentence.words:
            for kind in ("fixed", "goeswith"):
                parts = [child.id for child in word.children if child.deprel.split(":")[0] == kind]
                between = set(range(word.id, max(parts) + 1)) - {word.id, *parts} if parts else set()
                if any(sentence.words[number - 1].deprel != "punct" for number in between):
                    yield self._problem(sentence, 3, f"{kind}-gap", f"{kind} expression with a gap", word.id)
