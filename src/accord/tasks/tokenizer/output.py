# SPDX-License-Identifier: Apache-2.0
r"""Documents from tokens, and texts from documents.

MISC of a token says what follows it when that is not one blank: SpaceAfter=No, or SpacesAfter with the blanks, written
\s \t \r \n \p \\ as UDPipe writes them and \uXXXX for the others. The first token of a document says SpacesBefore, a
token with unusual blanks inside SpacesInToken.
"""

from __future__ import annotations

from dataclasses import dataclass

from accord.data import Document
from accord.tasks.tokenizer.blanks import escape, one_blank, unescape
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
    begins, ends = spans.begin.tolist(), spans.end.tolist()
    follows = [*begins[1:], len(text)][: len(begins)]
    sources = [text[begin:end] for begin, end in zip(begins, ends, strict=True)]
    forms = [one_blank(source) for source in sources] if blanks_inside else sources
    gaps = [text[end:follow] for end, follow in zip(ends, follows, strict=True)]
    misc = list(map(_after, gaps))
    if blanks_inside:
        for k, (form, source) in enumerate(zip(forms, sources, strict=True)):
            misc[k] = _and(misc[k], "" if form == source else "SpacesInToken=" + escape(source))
    if begins and begins[0] > 0:
        misc[0] = _and("SpacesBefore=" + escape(text[: begins[0]]), misc[0])
    if offsets:
        shift = numbering.characters
        for k, (begin, end) in enumerate(zip(begins, ends, strict=True)):
            misc[k] = _and(misc[k], f"TokenRange={begin + shift}:{end + shift}")
    words = {form: multiword.split(form) for form in set(forms)}
    parts: list[str] = []
    first = 0
    for last in spans.last.nonzero()[0].tolist():
        stop = last + 1
        if spans.paragraph[first] and not (first == 0 and numbering.inside_paragraph):
            parts.append("# newpar\n")
        if numbering.sentences == 0 and numbering.newdoc is not None:
            parts.insert(0, f"# newdoc id = {numbering.newdoc}\n")
        numbering.sentences += 1
        sent_id = numbering.sentences if numbering.newdoc is None else f"{numbering.newdoc}-{numbering.sentences}"
        shown = "".join(
            form + " " if gap else form for form, gap in zip(forms[first:last], gaps[first:last], strict=True)
        )
        parts.append(f"# sent_id = {sent_id}\n# text = {shown}{forms[last]}\n")
        _add_rows(parts, forms[first:stop], misc[first:stop], words)
        first = stop
    numbering.characters += len(text)
    return Document.from_conllu("".join(parts), name=name)


def _after(gap: str) -> str:
    return "" if gap == " " else "SpacesAfter=" + escape(gap) if gap else "SpaceAfter=No"


def _and(misc: str, entry: str) -> str:
    return f"{misc}|{entry}" if misc and entry else misc or entry


def _add_rows(parts: list[str], forms: list[str], misc: list[str], words: dict[str, tuple[str, ...]]) -> None:
    number = 1
    for form, entries in zip(forms, misc, strict=True):
        several = words[form]
        if several:
            parts.append(f"{number}-{number + len(several) - 1}\t{form}{_EMPTY}{entries or '_'}\n")
            parts.extend(f"{number + i}\t{word}{_EMPTY}_\n" for i, word in enumerate(several))
            number += len(several)
        else:
            parts.append(f"{number}\t{form}{_EMPTY}{entries or '_'}\n")
            number += 1
    parts.append("\n")


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
