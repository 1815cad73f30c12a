# SPDX-License-Identifier: Apache-2.0
r"""Texts from documents.

MISC of a token says what follows it when that is not one blank: SpaceAfter=No, or SpacesAfter with the blanks, written
\s \t \r \n \p \\ as UDPipe writes them and \uXXXX for the others. The first token of a document says SpacesBefore, a
token with unusual blanks inside SpacesInToken.
"""

from __future__ import annotations

from accord.data import Document
from accord.tasks.tokenizer.blanks import unescape

_EMPTY = "\t_\t_\t_\t_\t_\t_\t_\t"


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
