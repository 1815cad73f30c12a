# SPDX-License-Identifier: Apache-2.0
"""What is summarised: texts split into sentences and words, from strings, text files, JSON lines and treebanks.

A JSON line is a document: an object with ``text``, with ``documents`` (a list of texts) or with ``sentences`` (a list
of strings); Accord's own JSON of a treebank is read as such. A treebank begins a new document at ``# newdoc``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from accord import data
from accord.errors import ConfigError
from accord.tasks.paragraphs import with_paragraphs
from accord.tasks.source_files import contents, wrong_object
from accord.tasks.summarizer.cutting import Pieces
from accord.tasks.summarizer.mending import ends_with_stop
from accord.tasks.tokenizer import Tokenizer

_LONGEST_HEADING = 15  # words
_MOST_HEADINGS = 3  # one below the other: a title, a date, a name; more of them are a list


@dataclass(frozen=True)
class SourceSentence:
    """A sentence of a source: its text, its tokens, and where the text stands in the source, in characters.

    ``parsed`` is the sentence of a treebank; ``pieces`` are there where the sentence may be shortened. A ``heading`` is
    a short paragraph without a stop, above one with a stop or above another heading.
    """

    text: str
    tokens: tuple[str, ...]
    begin: int | None = None
    end: int | None = None
    parsed: data.Sentence | None = field(default=None, compare=False, repr=False)
    pieces: Pieces | None = field(default=None, compare=False, repr=False)
    heading: bool = False

    @property
    def words(self) -> int:
        """What the sentence costs: its words between blanks or its tokens with a letter or digit, if there are more."""
        return max(len(self.text.split()), sum(any(map(str.isalnum, token)) for token in self.tokens))


@dataclass(frozen=True)
class Source:
    """A document of a topic."""

    name: str
    sentences: tuple[SourceSentence, ...]


def source_of_text(text: str, tokenizer: Tokenizer, name: str = "<text>", *, lines: bool = False) -> Source:
    """The document of a plain text; ``lines``: each line is a sentence."""
    if not isinstance(text, str):
        raise ConfigError(f"{name}: expected a string to summarise, not {type(text).__name__}")
    spans = tokenizer.spans(text if lines else with_paragraphs(text), mode="sentences" if lines else "text")
    begins, ends = spans.begin.tolist(), spans.end.tolist()
    sentences: list[SourceSentence] = []
    firsts: list[bool] = []
    shared: dict[str, str] = {}  # equal tokens are one object
    first = 0
    for k in spans.last.nonzero()[0].tolist():
        begin, end = begins[first], ends[k]
        forms = (text[b:e] for b, e in zip(begins[first : k + 1], ends[first : k + 1], strict=True))
        tokens = tuple(shared.setdefault(form, form) for form in forms)
        sentences.append(SourceSentence(_one_line(text[begin:end]), tokens, begin, end))
        firsts.append(bool(spans.paragraph[first]))
        first = k + 1
    return Source(name, tuple(sentences) if lines else _with_headings(sentences, firsts))


def _with_headings(sentences: Sequence[SourceSentence], firsts: Sequence[bool]) -> tuple[SourceSentence, ...]:
    """The sentences of a text with its headings marked; ``firsts``: which ones begin a paragraph."""
    found = list(sentences)
    begins = [k for k, first in enumerate(firsts) if first]
    above: list[int] = []  # short paragraphs without a stop, one below the other
    for begin, end in zip(begins, [*begins[1:], len(found)], strict=False):
        if ends_with_stop(found[end - 1].text):
            for k in above[-1:] if len(above) > _MOST_HEADINGS else above:
                found[k] = replace(found[k], heading=True)
            above = []
        elif end == begin + 1 and found[begin].words <= _LONGEST_HEADING:
            above.append(begin)
        else:
            above = []
    return tuple(found)


def words_of_query(query: str, tokenizer: Tokenizer) -> tuple[str, ...]:
    """The words of a query, split as those of texts are."""
    found = source_of_text(query, tokenizer, "the query")
    return tuple(token for sentence in found.sentences for token in sentence.tokens)


def sources_of_treebank(document: data.Document, name: str) -> list[Source]:
    """The documents of a treebank; ``# newpar`` begins a paragraph, which may be a heading."""
    parts: list[tuple[list[SourceSentence], list[bool]]] = [([], [])]
    for sentence in document.sentences:
        begins = [
            kind for comment in sentence.comments for kind in ("# newdoc", "# newpar") if comment.startswith(kind)
        ]
        if "# newdoc" in begins and parts[-1][0]:
            parts.append(([], []))
        sentences, firsts = parts[-1]
        tokens = tuple(token.form for token in sentence.tokens)
        firsts.append(not sentences or bool(begins))
        sentences.append(SourceSentence(_one_line(sentence.text), tokens, parsed=sentence))
    return [Source(name, _with_headings(sentences, firsts)) for sentences, firsts in parts if sentences]


def read_sources(files: Sequence[str], tokenizer: Tokenizer) -> list[Source]:
    """The documents of files; - is standard input."""
    return [source for file in files for source in _read(file, tokenizer)]


def _read(file: str, tokenizer: Tokenizer) -> Iterator[Source]:
    for name, content in contents(file):
        if isinstance(content, str):
            yield source_of_text(content, tokenizer, name)
        elif isinstance(content, data.Document):
            yield from sources_of_treebank(content, name)
        else:
            yield from sources_of_object(content, tokenizer, name)


def sources_of_object(known: Mapping[str, Any], tokenizer: Tokenizer, place: str) -> Iterator[Source]:
    """The documents of a JSON object; ``place`` is its file and line."""
    if isinstance(known.get("text"), str):
        yield source_of_text(known["text"], tokenizer, place)
    elif _are_strings(known.get("documents")):
        for one in known["documents"]:
            yield source_of_text(one, tokenizer, place)
    elif _are_strings(known.get("sentences")):
        lines = "\n".join(_one_line(one) for one in known["sentences"])
        yield source_of_text(lines, tokenizer, place, lines=True)
    else:
        raise wrong_object(place, "text, documents or sentences")


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _one_line(text: str) -> str:
    return " ".join(text.split())
