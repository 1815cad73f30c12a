# SPDX-License-Identifier: Apache-2.0
r"""Texts from documents.

MISC of a token says what follows it when that is not one blank: SpaceAfter=No, or SpacesAfter with the blanks, written
\s \t \r \n \p \\ as UDPipe writes them and \uXXXX for the others. The first token of a document says SpacesBefore, a
token with unusual blanks inside SpacesInToken.
"""

from __future__ import annotations

from accord.data import Document
from accord.data.spacing import Spacing, text_of

_EMPTY = "\t_\t_\t_\t_\t_\t_\t_\t"


def detokenize(document: Document) -> str:
    r"""The text of a document, blanks as its MISC says.

    >>> rows = "1\tGo" + _EMPTY + "SpaceAfter=No\n", "2\t!" + _EMPTY + "SpacesAfter=\\n\n"
    >>> detokenize(Document.from_conllu("".join(rows) + "\n"))
    'Go!\n'
    """
    return text_of(Spacing.of(token.form, token.misc) for sentence in document.sentences for token in sentence.tokens)
