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
    follows = [*begins[1:], len(text)]
    lasts, paragraphs = spans.last.tolist(), spans.paragraph.tolist()
    lead = text[: begins[0]] if begins else ""
    shift = numbering.characters
    known: dict[str, tuple[str, ...]] = {}
    parts: list[str] = []
    rows: list[str] = []
    shown: list[str] = []
    number, new_paragraph = 0, False
    for k, (begin, end, follow) in enumerate(zip(begins, ends, follows, strict=True)):
        source = text[begin:end]
        form = one_blank(source) if blanks_inside else source
        gap = text[end:follow]
        misc = "" if gap == " " else "SpaceAfter=No" if not gap else "SpacesAfter=" + escape(gap)
        if form != source:
            misc = _add(misc, "SpacesInToken=" + escape(source))
        if lead:
            misc, lead = _add("SpacesBefore=" + escape(lead), misc), ""
        if offsets:
            misc = _add(misc, f"TokenRange={begin + shift}:{end + shift}")
        if number == 0:
            new_paragraph = paragraphs[k] and not (k == 0 and numbering.inside_paragraph)
        words = known.get(form)
        if words is None:
            words = known[form] = multiword.split(form)
        if words:
            rows.append(f"{number + 1}-{number + len(words)}\t{form}{_EMPTY}{misc or '_'}\n")
            rows.extend(f"{number + i}\t{word}{_EMPTY}_\n" for i, word in enumerate(words, 1))
            number += len(words)
        else:
            number += 1
            rows.append(f"{number}\t{form}{_EMPTY}{misc or '_'}\n")
        shown.append(form)
        if not lasts[k]:
            shown.append(" " if gap else "")
            continue
        numbering.sentences += 1
        parts.append("# newpar\n" if new_paragraph else "")
        parts.append(f"# sent_id = {numbering.sentences}\n# text = {''.join(shown)}\n")
        parts.extend(rows)
        parts.append("\n")
        rows, shown, number = [], [], 0
    numbering.characters += len(text)
    return Document.from_conllu("".join(parts), name=name)


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


def _add(misc: str, entry: str) -> str:
    return f"{misc}|{entry}" if misc and entry else misc or entry
