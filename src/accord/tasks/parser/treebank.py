# SPDX-License-Identifier: Apache-2.0
"""What a treebank says of the trees to be learnt, and how many of its arcs a parser finds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data import Document
from accord.data.heads import defect_of_heads


@dataclass(frozen=True)
class AttachmentScores:
    """Share of words with the right head, and with the right head and label, in percent."""

    uas: float
    las: float


def attachment_scores(gold: Document, trees_heads: NDArray[np.int32], labels: list[str] | None) -> AttachmentScores:
    right = gold.heads == trees_heads
    if labels is None:
        return AttachmentScores(100.0 * float(right.mean()), 100.0 * float(right.mean()))
    same = np.fromiter((a == b for a, b in zip(gold.column("deprel"), labels, strict=True)), bool, len(labels))
    return AttachmentScores(100.0 * float(right.mean()), 100.0 * float((right & same).mean()))


def has_single_roots(document: Document) -> bool:
    """Whether sentences have exactly one word that depends on the root, or may get it where heads are unknown.

    One sentence of a thousand may be an exception: large treebanks have mistakes.
    """
    single = single_roots(document)
    return bool(np.count_nonzero(~single) <= len(document) // 1000)


def trees_alone(document: Document, single_root: bool) -> Document:
    """The document without sentences whose heads form a circle or, where a tree has one root, have others than one."""
    wanted = single_roots(document) if single_root else np.ones(len(document), np.bool_)
    if wanted.all() and not document.check_trees(single_root=False, complete=False):
        return document
    kept = [
        one for one, single in zip(document.sentences, wanted, strict=True) if single and not defect_of_heads(one.heads)
    ]
    return document if len(kept) == len(document) else Document.from_sentences(kept, name=document.name)


def single_roots(document: Document) -> NDArray[np.bool_]:
    """For each sentence, whether one word depends on the root, or may where heads are unknown."""
    ends = np.cumsum(document.lengths)
    starts = ends - document.lengths

    def per_sentence(words: NDArray[np.bool_]) -> NDArray[np.int64]:
        totals = np.concatenate([[0], np.cumsum(words)])
        counts: NDArray[np.int64] = totals[ends] - totals[starts]
        return counts

    roots, unknown = per_sentence(document.heads == 0), per_sentence(document.heads < 0)
    return np.asarray((roots == 1) | ((roots == 0) & (unknown > 0)) | (document.lengths == 0))


def label_names(document: Document, blank_label: str = "unknown") -> tuple[str, ...]:
    """The labels of a treebank; ``_`` is one of them as the setting says, and where there are no others."""
    found = set(document.column("deprel"))
    if blank_label == "label" or (blank_label == "auto" and has_blank_label(document)):
        return tuple(sorted(found))
    return tuple(sorted(found - {"_"} or found))


def has_blank_label(document: Document) -> bool:
    """Whether ``_`` stands as a label on complete trees only, beside other labels."""
    labels = document.column("deprel")
    if len({"_", *labels}) < 2:
        return False
    blank = np.fromiter((label == "_" for label in labels), bool, len(labels))
    sentences = np.repeat(np.arange(len(document)), document.lengths)
    return bool(blank.any()) and not np.isin(sentences[document.heads < 0], sentences[blank]).any()
