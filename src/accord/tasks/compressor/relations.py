# SPDX-License-Identifier: Apache-2.0
"""Relations of compressed sentences: a parser reads what is left of each sentence."""

from __future__ import annotations

from collections.abc import Sequence

from accord.data import Document, Sentence
from accord.evaluation.compression import Relation, kept_relations
from accord.tasks.compressor.pairs import Mask
from accord.tasks.pipeline import Pipeline


def relations_of_masks(
    sentences: Sequence[Sequence[str]], masks: Sequence[Mask], model: str | Pipeline
) -> list[set[Relation]]:
    """For each compression, its relations by a model's tagger and parser, in places of the source."""
    pipeline = model if isinstance(model, Pipeline) else Pipeline.load(model)
    kept = [
        [word for word, one in zip(words, mask, strict=True) if one]
        for words, mask in zip(sentences, masks, strict=True)
    ]
    document = pipeline(Document.from_sentences([Sentence.from_words(words) for words in kept if words]))
    trees = iter(document.sentences)
    found: list[set[Relation]] = []
    for words, mask in zip(kept, masks, strict=True):
        if not words:
            found.append(set())
            continue
        tree = next(trees)
        found.append(kept_relations(mask, [head or 0 for head in tree.heads], tree.deprels))
    return found
