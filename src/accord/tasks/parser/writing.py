# SPDX-License-Identifier: Apache-2.0
"""Trees and their probabilities written into the document that they are of."""

from __future__ import annotations

from collections.abc import Sequence

from accord._core import tasks as _tasks
from accord.data import Document
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
    written = _tasks.write_trees(document.native, trees.heads, trees.labels, list(labels), entries)
    parsed = Document(written, format=document.format, name=document.name, on_error="keep")
    if trees.ruled_marginals:
        kinds = [trees.ruled_marginals.get(index) for index in range(len(document))]
        parsed = parsed.with_comments("accord_marginals", kinds)
    if not status:
        return parsed
    words = document.lengths.tolist()
    return parsed.with_comments(
        "accord_status", [name if count else None for name, count in zip(trees.status, words, strict=True)]
    )
