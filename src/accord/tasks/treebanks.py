# SPDX-License-Identifier: Apache-2.0
"""Treebanks as training data of tasks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord import data
from accord.data import Document
from accord.learning import SILENT, Reporter


def read_treebanks(
    files: Sequence[str | Path],
    settings: Any,
    *,
    format: str = "auto",
    keep_going: bool = False,
    reporter: Reporter = SILENT,
) -> Document:
    """The sentences of all files, one file after the other; a file that is named twice counts twice."""
    documents = read_each(files, settings, format=format, keep_going=keep_going, reporter=reporter)
    if len(documents) == 1:
        return documents[0]
    return Document.from_sentences((s for d in documents for s in d.sentences), name=documents[0].name)


def read_each(
    files: Sequence[str | Path],
    settings: Any,
    *,
    format: str = "auto",
    keep_going: bool = False,
    reporter: Reporter = SILENT,
) -> list[Document]:
    """The documents of the files."""
    documents = [data.read(file, format=format, on_error="keep" if keep_going else "raise") for file in files]
    for document in documents:
        for problem in document.problems:
            reporter.warn(str(problem))
    return documents


def treebank_sizes(training: Document) -> dict[str, int]:
    """What a model card says of a treebank."""
    return {"sentences": len(training), "words": int(training.heads.size)}
