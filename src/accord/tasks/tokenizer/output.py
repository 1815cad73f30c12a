# SPDX-License-Identifier: Apache-2.0
r"""Documents from tokens, and texts from documents.

MISC of a token says what follows it when that is not one blank: SpaceAfter=No, or SpacesAfter with the blanks, written
\s \t \r \n \p \\ as UDPipe writes them and \uXXXX for the others. The first token of a document says SpacesBefore, a
token with unusual blanks inside SpacesInToken.
"""

from __future__ import annotations

from dataclasses import dataclass

from accord._core import text as _text
from accord.data import Document
from accord.tasks.tokenizer.blanks import unescape
from accord.tasks.tokenizer.multiword import Multiword
from accord.tasks.tokenizer.spans import Spans

_EMPTY = "\t_\t_\t_\t_\t_\t_\t_\t"


@dataclass
class Numbering:
    """Where the documents of a stream stand: sentences and characters so far."""

    newdoc: str | None = None  # what the text is called in its first sentence and in the ids of all
    sentences: int = 0
    characters: int = 0
    inside_paragraph: bool = False  # does the next document go on with a paragraph?


def to_document(
    text: str,
    spans: Spans,
    multiword: Multiword,
    numbering: Numbering,
    *,
    blanks_inside: bool,
    offsets: bool,
    name: str,
) -> Document:
    """The document of a text and its tokens; moves the numbering on."""
    tokens = _text.TokenTable(text, spans.begin, spans.end, blanks_inside)
    words = [list(multiword.split(form)) for form in tokens.forms]
    native = tokens.document(
        words,
        spans.last,
        spans.paragraph,
        newdoc=numbering.newdoc,
        sentences=numbering.sentences,
        characters=numbering.characters,
        inside_paragraph=numbering.inside_paragraph,
        offsets=offsets,
    )
    numbering.sentences += native.sentences
    numbering.characters += len(text)
    return Document.from_native(native, name=name)


def detokenize(document: Document) -> str:
    r"""The text of a document, blanks as its MISC says.

    >>> rows = "1\tGo" + _EMPTY + "SpaceAfter=No\n", "2\t!" + _EMPTY + "SpacesAfter=\\n\n"
    >>> detokenize(Document.from_conllu("".join(rows) + "\n"))
    'Go!\n'
    """
    pieces: list[str] = []
    for sentence in document.sentences:
        for token in sentence.tokens:
            entries = dict(entry.partition("=")[::2] for entry in token.misc.split("|"))
            pieces.append(unescape(entries.get("SpacesBefore", "")))
            pieces.append(unescape(entries["SpacesInToken"]) if "SpacesInToken" in entries else token.form)
            after = "" if entries.get("SpaceAfter") == "No" else " "
            pieces.append(unescape(entries["SpacesAfter"]) if "SpacesAfter" in entries else after)
    return "".join(pieces)
