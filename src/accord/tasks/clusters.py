"""Word clusters as models carry them."""

from __future__ import annotations

from accord._core.text import ClusterLexicon
from accord.errors import FormatError


def cluster_lexicon(text: str) -> ClusterLexicon:
    """Word clusters from 'bits<TAB>word[<TAB>count]' lines."""
    try:
        return ClusterLexicon.read(text.encode())
    except ValueError as error:
        raise FormatError("expected 'bits<TAB>word'", file="clusters", line=int(str(error))) from None
