# SPDX-License-Identifier: Apache-2.0
"""Trees and their probabilities written into the document that they are of.

The enhanced graph in DEPS belongs to the tree in HEAD and DEPREL. A sentence that gets another tree loses its DEPS; one
whose tree stays as it was, because it was kept or found again, keeps them. Rows of empty nodes are not touched.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.data import Document
from accord.data.document import COLUMNS
from accord.tasks.parser.answers import Trees


def annotated_document(
    document: Document, trees: Trees, labels: Sequence[str], *, labelled: bool, status: bool
) -> Document:
    """HEAD and DEPREL, and probabilities in MISC, where there are some.

    Comments say whether probabilities under rules are exact, and with ``status`` how each search ended.
    """
    entries: list[str] = []
    if trees.arc_probability.size:
        entries = [f"ArcConf={arc:.4f}" for arc in trees.arc_probability.tolist()]
        if labelled:
            pairs = zip(entries, trees.label_probability.tolist(), strict=True)
            entries = [f"{entry}|LabelConf={label:.4f}" for entry, label in pairs]
    old = document.column("deprel")
    deprels = [labels[new] if new >= 0 else given for new, given in zip(trees.labels.tolist(), old, strict=True)]
    columns = [(COLUMNS.index("deprel"), deprels)]
    if document.format == "conllu" and (deps := _deps_to_keep(document, trees.heads, old, deprels)):
        columns.append((COLUMNS.index("deps"), deps))
    written = document.native.write(trees.heads, columns, entries or None)
    parsed = Document(written, format=document.format, name=document.name, on_error="keep")
    if trees.ruled_probabilities:
        kinds = [trees.ruled_probabilities.get(index) for index in range(len(document))]
        parsed = parsed.with_comments("accord_marginals", kinds)
    if not status:
        return parsed
    words = document.lengths.tolist()
    return parsed.with_comments(
        "accord_status", [name if count else None for name, count in zip(trees.status, words, strict=True)]
    )


def _deps_to_keep(
    document: Document, heads: NDArray[np.int32], old: Sequence[str], deprels: Sequence[str]
) -> list[str] | None:
    """DEPS without those of sentences whose tree changes; None where nothing is lost."""
    deps = document.column("deps")
    if all(value == "_" for value in deps):
        return None
    changed = (document.heads != heads) | np.fromiter(
        (a != b for a, b in zip(old, deprels, strict=True)), bool, len(old)
    )
    sentence_of = np.repeat(np.arange(len(document)), document.lengths)
    lost = np.isin(sentence_of, sentence_of[changed])
    return ["_" if gone else value for gone, value in zip(lost.tolist(), deps, strict=True)]
