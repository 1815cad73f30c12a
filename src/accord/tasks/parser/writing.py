# SPDX-License-Identifier: Apache-2.0
"""What a parser found, written into the document that it is of: trees with their probabilities, and tags.

The enhanced graph in DEPS belongs to the tree in HEAD and DEPREL. A sentence that gets another tree loses its DEPS; one
whose tree stays as it was, because it was kept or found again, keeps them. Rows of empty nodes are not touched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.data import Document
from accord.data.document import COLUMNS
from accord.errors import FormatError
from accord.tasks.parser.answers import Trees

_NONE = np.zeros(0)


def annotated_document(
    document: Document, trees: Trees, labels: Sequence[str], *, labelled: bool, status: bool
) -> Document:
    """HEAD and DEPREL, and probabilities in MISC, where there are some.

    Comments say whether probabilities under rules are exact, and with ``status`` how each search ended.
    """
    label_probability = trees.label_probability if labelled else _NONE
    try:
        native = document.native.with_trees(
            trees.heads, trees.labels, list(labels), trees.arc_probability, label_probability
        )
    except ValueError as error:
        raise FormatError(str(error), file=document.name) from None
    parsed = document.with_native(native)
    if trees.ruled_probabilities:
        kinds = [trees.ruled_probabilities.get(index) for index in range(len(document))]
        parsed = parsed.with_comments("accord_marginals", kinds)
    if not status:
        return parsed
    words = document.lengths.tolist()
    return parsed.with_comments(
        "accord_status", [name if count else None for name, count in zip(trees.status, words, strict=True)]
    )


def tagged_document(
    document: Document,
    classes: Mapping[str, NDArray[np.int32]],
    names: Mapping[str, Sequence[str]],
    keep: frozenset[str] | set[str],
) -> Document:
    """The document with the classes of each column as tags; columns in ``keep`` stay where they are."""
    native = document.native
    try:
        for column, numbers in classes.items():
            if column == "lemma":
                native = native.with_lemmas(numbers, list(names[column]), column in keep)
            else:
                native = native.with_names(COLUMNS.index(column), numbers, list(names[column]), column in keep)
    except ValueError as error:
        raise FormatError(str(error), file=document.name) from None
    return document.with_native(native)
