# SPDX-License-Identifier: Apache-2.0
"""Texts in, documents or reasons out: what every engine does with its share of a corpus.

A text that cannot be analysed never stops the others: it has a reason in the place of its document. The model of a
process is loaded once, whoever asks for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from accord.data import Document
from accord.data.jsonlines import sentence_to_json
from accord.errors import AccordError
from accord.tasks.parser import ParseOptions
from accord.tasks.pipeline import Pipeline

Result = tuple[Document | None, str | None]  # a document, or the reason why there is none


@lru_cache(maxsize=4)
def pipeline_of(model: str) -> Pipeline:
    """The pipeline of a name or a file, once for each process."""
    return Pipeline.load(model)


def annotate_texts(
    pipeline: Pipeline, texts: Sequence[Any], options: ParseOptions | None = None, **changes: Any
) -> list[Result]:
    """One result for each text, in order. Anything that is no text gets a reason.

    >>> found = annotate_texts(pipeline_of("en"), ["They sleep.", None])
    >>> found[0][0].sentences[0].heads, found[1][1]
    ((2, 0, 2), 'not a text: None')
    """
    reasons = [_reason(text) for text in texts]
    good = [text for text, reason in zip(texts, reasons, strict=True) if reason is None]
    try:
        documents: Iterator[Result] = iter([(one, None) for one in pipeline.pipe(good, options, **changes)])
    except AccordError:  # one of them is to blame: find it
        documents = iter([_alone(pipeline, text, options, changes) for text in good])
    return [next(documents) if reason is None else (None, reason) for reason in reasons]


def _reason(text: Any) -> str | None:
    """Why something is no text; None if it is one."""
    if not isinstance(text, str):
        return f"not a text: {text!r:.60}"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "half of a surrogate pair"
    return None


def _alone(pipeline: Pipeline, text: str, options: ParseOptions | None, changes: dict[str, Any]) -> Result:
    try:
        return pipeline(text, options, **changes), None
    except AccordError as error:
        return None, str(error).splitlines()[0]


def sentences_of(document: Document) -> list[dict[str, Any]]:
    """The sentences of a document as rows of a table: their texts and their words, every column there."""
    rows = []
    for sentence in document.sentences:
        found = json.loads(sentence_to_json(sentence))
        words = [{name: word.get(name) for name in WORD_COLUMNS} for word in found["words"]]
        rows.append({"text": sentence.text, "words": words})
    return rows


WORD_COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "misc")
