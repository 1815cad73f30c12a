# SPDX-License-Identifier: Apache-2.0
"""What is compressed: sentences of texts, JSON lines and treebanks, tagged and parsed.

A JSON line is an object with ``text``, which is split into sentences, or with ``tokens``, which is one sentence.
Accord's own JSON of a treebank is read as such. A sentence with more words than a compressor takes at once is cut into
pieces at marks or, where there are none, anywhere; pieces are parsed and compressed on their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.data import Document, Sentence
from accord.data.word import misc_value
from accord.errors import ConfigError
from accord.tasks.compressor.analysis import Analysis, analyses_of
from accord.tasks.paragraphs import with_paragraphs
from accord.tasks.pipeline import Pipeline
from accord.tasks.source_files import contents, wrong_object

_MARKS = frozenset(",;:.!?-–—()")


@dataclass(frozen=True)
class SourceSentence:
    """A sentence before compression. ``begin``, ``end``: where it stands in the text, in characters.

    ``spaces``: whether a blank follows each word; None where the source is words between blanks.
    """

    source: str
    number: int  # in the source, from 1
    pieces: tuple[Analysis, ...]
    spaces: tuple[bool, ...] | None = None
    begin: int | None = None
    end: int | None = None

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(form for piece in self.pieces for form in piece.forms)

    @property
    def tree(self) -> tuple[Sequence[int], Sequence[str]]:
        """Heads and labels; empty where the sentence is in pieces."""
        return (self.pieces[0].heads, self.pieces[0].deprels) if len(self.pieces) == 1 else ((), ())


def sentences_of_text(text: str, pipeline: Pipeline, longest: int, name: str = "<text>") -> list[SourceSentence]:
    """The sentences of a plain text."""
    if not isinstance(text, str):
        raise ConfigError(f"{name}: expected a string to compress, not {type(text).__name__}")
    return sentences_of_document(pipeline.tokenize(with_paragraphs(text), offsets=True), pipeline, longest, name)


def sentences_of_tokens(
    tokens: Sequence[Sequence[str]], pipeline: Pipeline, longest: int, name: str
) -> list[SourceSentence]:
    """Sentences that are words already."""
    document = Document.from_sentences([Sentence.from_words(words) for words in tokens])
    return sentences_of_document(document, pipeline, longest, name)


def sentences_of_document(
    document: Document, pipeline: Pipeline, longest: int, name: str, *, threads: int = 0
) -> list[SourceSentence]:
    """The sentences of a document; those without complete trees are parsed."""
    whole = [sentence for sentence in document.sentences if sentence.words]
    parts = [_pieces(sentence, longest) for sentence in whole]
    flat = [piece for pieces in parts for piece in pieces]
    given = [all(head is not None for head in piece.heads) for piece in flat]
    wanted = [piece for piece, known in zip(flat, given, strict=True) if not known]
    parsed = iter(analyses_of(pipeline(Document.from_sentences(wanted), threads=threads)) if wanted else ())
    known = iter(analyses_of(_tagged(flat, given, pipeline, threads)) if any(given) else ())
    found = iter([next(known if one else parsed) for one in given])
    return [
        _source(sentence, tuple(next(found) for _ in pieces), name, number)
        for number, (sentence, pieces) in enumerate(zip(whole, parts, strict=True), start=1)
    ]


def _tagged(flat: Sequence[Sentence], given: Sequence[bool], pipeline: Pipeline, threads: int) -> Document:
    """The sentences that have trees, with tags where they have none."""
    kept = [piece for piece, known in zip(flat, given, strict=True) if known]
    return pipeline.tag(Document.from_sentences(kept), threads=threads)


def _source(sentence: Sentence, pieces: tuple[Analysis, ...], name: str, number: int) -> SourceSentence:
    spaces = [True] * len(sentence.words)
    begin: int | None = None
    end: int | None = None
    for token in sentence.tokens:
        for word in token.words[:-1]:
            spaces[word - 1] = False
        spaces[token.last - 1] = token.space_after
        place = misc_value(token.misc, "TokenRange")
        if place is not None:
            first, _, last = place.partition(":")
            begin, end = int(first) if begin is None else begin, int(last)
    known = begin is not None or not all(spaces)
    return SourceSentence(name, number, pieces, tuple(spaces) if known else None, begin, end)


def _pieces(sentence: Sentence, longest: int) -> list[Sentence]:
    """The sentence itself, or its pieces without trees where it is too long."""
    size = len(sentence.words)
    if size <= longest:
        return [sentence]
    pieces = []
    first = 0
    while first < size:
        last = min(first + longest, size)
        if last < size:
            marks = [k for k in range(first + longest // 2, last) if sentence.words[k].form in _MARKS]
            last = marks[-1] + 1 if marks else last
        words = sentence.words[first:last]
        pieces.append(Sentence.from_words([word.form for word in words]))
        first = last
    return pieces


def read_sentences(files: Sequence[str], pipeline: Pipeline, longest: int) -> list[SourceSentence]:
    """The sentences of files, in order; - is standard input."""
    return [sentence for file in files for sentence in _read(file, pipeline, longest)]


def _read(file: str, pipeline: Pipeline, longest: int) -> Iterator[SourceSentence]:
    for name, content in contents(file):
        if isinstance(content, str):
            yield from sentences_of_text(content, pipeline, longest, name)
        elif isinstance(content, Document):
            yield from sentences_of_document(content, pipeline, longest, name)
        else:
            yield from _of_object(content, pipeline, longest, name)


def _of_object(known: Mapping[str, Any], pipeline: Pipeline, longest: int, place: str) -> list[SourceSentence]:
    tokens = known.get("tokens")
    if isinstance(tokens, list) and tokens and all(isinstance(one, str) and one for one in tokens):
        return sentences_of_tokens([tokens], pipeline, longest, place)
    if isinstance(known.get("text"), str):
        return sentences_of_text(known["text"], pipeline, longest, place)
    raise wrong_object(place, "text or tokens")
