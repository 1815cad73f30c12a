# SPDX-License-Identifier: Apache-2.0
"""Simple rules that change treebanks: a pattern, ``=>``, and what becomes of its words.

    V >dobj O => O.deprel=obj                   another label
    S[upos=NOUN] <nsubj V => S.head=V; S.Case=Nom    a head that is another word; a feature
    X[form~^@] => X.upos=SYM; X.Typo=           an empty value takes a feature or an entry of MISC away
    X => X.lemma=X.form                         a column of another word, or of the same

Columns are form, lemma, upos, xpos, head, deprel; ``feats.NAME`` or NAME alone is a feature, ``misc.NAME`` an entry of
MISC. Where a head or a label changes, the same arc in DEPS does. All matches of a rule are found in the sentence as it
was before the rule, and applied in their order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from accord.data.document import Document
from accord.data.features import Feats
from accord.data.search.pattern import Pattern
from accord.data.search.syntax import column_named
from accord.data.sentence import Sentence
from accord.data.word import Word, enhanced_arcs
from accord.errors import ConfigError

PLAIN = ("form", "lemma", "upos", "xpos", "deprel")


@dataclass(frozen=True)
class Edit:
    """``word.column = value``; ``source``: a word whose column is copied, or which becomes the head."""

    word: str
    column: str
    value: str
    source: tuple[str, str] | None = None

    @staticmethod
    def parse(text: str, names: Iterable[str]) -> Edit:
        left, equals, value = text.partition("=")
        word, dot, column = left.strip().partition(".")
        known = set(names)
        if not equals or not dot or word not in known:
            raise ConfigError(
                f"edit {text.strip()!r}: expected NAME.column=value, NAME one of {', '.join(sorted(known))}"
            )
        value = value.strip()
        column = column_named(column, f"edit {text.strip()!r}")
        if column in ("id", "feats", "deps", "misc"):
            raise ConfigError(
                f"edit {text.strip()!r}: {column} is not changed as a whole; feats.NAME and misc.NAME are"
            )
        if column == "head":
            if value != "0" and value not in known:
                raise ConfigError(f"edit {text.strip()!r}: a head is 0 or one of {', '.join(sorted(known))}")
            return Edit(word, column, value)
        source, inner, name = value.partition(".")
        if inner and source in known:
            if name not in PLAIN:
                raise ConfigError(f"edit {text.strip()!r}: columns that can be copied are {', '.join(PLAIN)}")
            return Edit(word, column, value, (source, name))
        if column in PLAIN and (not value or "\t" in value):
            raise ConfigError(f"edit {text.strip()!r}: the value is empty or holds a tab")
        return Edit(word, column, value)

    def apply(self, sentence: Sentence, words: dict[str, int]) -> Sentence:
        number = words[self.word]
        word = sentence.words[number - 1]
        value = (
            self.value if self.source is None else getattr(sentence.words[words[self.source[0]] - 1], self.source[1])
        )
        if self.column == "head":
            head = 0 if value == "0" else words[value]
            if head == number:
                raise ConfigError(f"rewriting {sentence!r}: word {number} would be its own head")
            return sentence.edited(number, head=head, deps=_enhanced(word, head, word.deprel))
        if self.column == "deprel":
            return sentence.edited(number, deprel=value, deps=_enhanced(word, word.head, value))
        if self.column in PLAIN:
            return sentence.edited(number, **{self.column: value})
        return sentence.edited(number, **_entry(word, self.column, value))


def _enhanced(word: Word, head: int | None, deprel: str) -> str:
    """DEPS of a word with another head or label: the arc of its tree is changed there too, other arcs stay.

    >>> _enhanced(Word(4, "Rome", head=2, deprel="obl", deps="2:obl:from|7:conj"), 2, "nmod")
    '2:nmod:from|7:conj'
    """
    arcs = []
    for above, label in enhanced_arcs(word.deps):
        same = above == str(word.head) and (label == word.deprel or label.startswith(f"{word.deprel}:"))
        arcs.append((str(head), deprel + label[len(word.deprel) :]) if same else (above, label))
    ordered = sorted(set(arcs), key=lambda arc: ([int(part) for part in arc[0].split(".") if part.isdecimal()], arc[1]))
    return "|".join(f"{above}:{label}" for above, label in ordered) or word.deps


def _entry(word: Word, column: str, value: str) -> dict[str, str]:
    """FEATS or MISC with another value for a key; an empty one takes the key away."""
    kind, _, key = column.partition(".")
    old = Feats(getattr(word, kind)).mapping
    new = {**old, key: value} if value else {name: one for name, one in old.items() if name != key}
    keys = sorted(new, key=str.lower) if kind == "feats" else list(new)
    return {kind: "|".join(f"{name}={new[name]}" if new[name] else name for name in keys) or "_"}


@dataclass(frozen=True)
class Rule:
    pattern: Pattern
    edits: tuple[Edit, ...]

    @staticmethod
    def parse(text: str) -> Rule:
        left, arrow, right = text.partition("=>")
        if not arrow:
            raise ConfigError(f"rule {text!r}: expected PATTERN => EDITS")
        pattern = Pattern(left)
        edits = tuple(Edit.parse(part, pattern.names) for part in right.replace("\n", ";").split(";") if part.strip())
        if not edits:
            raise ConfigError(f"rule {text!r}: there are no edits behind =>")
        return Rule(pattern, edits)


class Rewriter:
    """Rules, applied one after the other to whole documents.

    >>> from accord.data import Document, Sentence
    >>> tree = Sentence.from_words(["See", "it"], heads=[0, 1], deprels=["root", "dobj"])
    >>> changed, count = Rewriter(["[] >dobj O => O.deprel=obj"])(Document.from_sentences([tree]))
    >>> changed[0].deprels, count
    (('root', 'obj'), 1)
    """

    def __init__(self, rules: Iterable[str]) -> None:
        self.rules = [Rule.parse(rule) for rule in rules]

    def __call__(self, document: Document) -> tuple[Document, int]:
        """The document after all rules, and how many matches were changed; other sentences keep their bytes."""
        count = 0
        for rule in self.rules:
            changed: dict[int, Sentence] = {}
            for match in rule.pattern.search(document):
                sentence = changed.get(match.index) or match.sentence
                for edit in rule.edits:
                    sentence = edit.apply(sentence, match.words)
                changed[match.index] = sentence
                count += 1
            for index, sentence in changed.items():
                if problem := sentence.problem(single_root=False, complete=False):
                    raise ConfigError(
                        f"{document.name}: sentence {sentence.sent_id or index + 1}: {problem} after {rule.pattern}"
                    )
            if changed:
                document = _with_sentences(document, changed)
        return document, count


def _with_sentences(document: Document, changed: dict[int, Sentence]) -> Document:
    native = document.native
    parts = [
        changed[index].to_conllu().encode() if index in changed else bytes(native.text(index)) + b"\n"
        for index in range(len(document))
    ]
    return Document(b"".join(parts), name=document.name, on_error="keep" if document.problems else "raise")
