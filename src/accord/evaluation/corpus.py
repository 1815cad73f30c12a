# SPDX-License-Identifier: Apache-2.0
"""A document laid out on one line of characters, as the CoNLL 2018 metrics see it.

The characters of all surface tokens, without whitespace, are written one after the other. Sentences and tokens are
spans of that line; a word has the span of its token, shared with its sisters when the token is a multiword token.
Linear in the size of the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NoReturn

from accord.data.heads import defect_of_heads
from accord.errors import FormatError
from accord.evaluation.protocols import DocumentLike, SentenceLike, WordLike

ROOT = -1  # the parent of a root word, where other words have the index of a word

FUNCTIONAL_RELATIONS = frozenset(["aux", "case", "cc", "clf", "cop", "det", "mark"])

# The features of the Universal Dependencies guidelines at the time of the shared task; others are language-specific.
UNIVERSAL_FEATURES = frozenset({
    "Abbr", "Animacy", "Aspect", "Case", "Definite", "Degree", "Evident", "Foreign", "Gender", "Mood", "NumType",
    "Number", "Person", "Polarity", "Polite", "Poss", "PronType", "Reflex", "Tense", "VerbForm", "Voice",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start`` up to, not including, ``end``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CorpusWord:
    """A word as the metrics compare it: subtypes dropped, features filtered, parent as an index into the corpus."""

    span: Span
    in_multiword: bool
    folded_form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    deprel: str
    parent: int
    functional_children: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Corpus:
    """All words and spans of a document; ``name`` says in errors which one it is."""

    name: str
    characters: str
    sentences: list[Span]
    tokens: list[Span]
    words: list[CorpusWord]


@lru_cache(maxsize=65536)
def universal_features(feats: str) -> str:
    """The universal part of a FEATS column, sorted.

    >>> universal_features("Typo=Yes|Number=Sing|Case=Nom")
    'Case=Nom|Number=Sing'
    """
    return "|".join(sorted(feat for feat in feats.split("|") if feat.partition("=")[0] in UNIVERSAL_FEATURES))


def universal_relation(deprel: str) -> str:
    """A relation without its subtype.

    >>> universal_relation("nsubj:pass")
    'nsubj'
    """
    return deprel.partition(":")[0]


def flatten(document: DocumentLike, name: str) -> Corpus:
    """Lay out ``document``; a sentence that cannot be scored raises a FormatError naming it."""
    texts: list[str] = []
    sentences: list[Span] = []
    tokens: list[Span] = []
    words: list[CorpusWord] = []
    position = 0
    for number, sentence in enumerate(document, start=1):
        start, first_word = position, len(words)
        sentence_texts = _token_texts(sentence, name, number)
        for token, text in zip(sentence.tokens, sentence_texts, strict=True):
            span = Span(position, position + len(text))
            position = span.end
            tokens.append(span)
            words.extend(_token_words(sentence.words[token.first - 1 : token.last], span, text, first_word))
        texts.extend(sentence_texts)
        sentences.append(Span(start, position))
        _link_functional_children(words, first_word)
    return Corpus(name, "".join(texts), sentences, tokens, words)


def _token_words(words: Sequence[WordLike], span: Span, text: str, first_word: int) -> Iterator[CorpusWord]:
    in_multiword = len(words) > 1
    for word in words:
        head = word.head or 0  # checked before: never None
        yield CorpusWord(
            span=span,
            in_multiword=in_multiword,
            folded_form=(word.form if in_multiword else text).lower(),
            lemma=word.lemma,
            upos=word.upos,
            xpos=word.xpos,
            feats=universal_features(word.feats),
            deprel=universal_relation(word.deprel),
            parent=first_word + head - 1 if head else ROOT,
        )


def _link_functional_children(words: list[CorpusWord], first_word: int) -> None:
    for index in range(first_word, len(words)):
        word = words[index]
        if word.parent != ROOT and word.deprel in FUNCTIONAL_RELATIONS:
            words[word.parent].functional_children.append(index)


def _token_texts(sentence: SentenceLike, name: str, number: int) -> list[str]:
    """The characters of each token, after checking everything that could be wrong with the sentence."""

    def refuse(reason: str) -> NoReturn:
        raise FormatError(f"sentence {number}: {reason}", file=name)

    if not sentence.words:
        refuse("it has no words")
    for word_number, word in enumerate(sentence.words, start=1):
        if word.head is None:
            refuse(f"word {word_number} ({word.form!r}) has no head")
    if defect := defect_of_heads([word.head for word in sentence.words]):
        refuse(defect)
    covered = 0
    texts = []
    for token in sentence.tokens:
        if token.first != covered + 1 or token.last < token.first:
            refuse(f"token {token.form!r} covers words {token.first}..{token.last}, expected to start at {covered + 1}")
        covered = token.last
        text = "".join(token.form.split())
        if not text:
            refuse(f"the token of word {token.first} has an empty form")
        texts.append(text)
    if covered != len(sentence.words):
        refuse(f"its tokens cover {covered} of {len(sentence.words)} words")
    return texts
