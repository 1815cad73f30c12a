# SPDX-License-Identifier: Apache-2.0
"""Parses the sentences that a summary may shorten: the best ones, as many as a number of words allows.

Sentences of a treebank bring their trees. Of the others, those whose concepts are worth most are parsed first (Almeida
& Martins 2013); the rest stay whole. Very long sentences stay whole as well.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from accord.data import Sentence
from accord.tasks.pipeline import Pipeline
from accord.tasks.summarizer.concepts import Concepts
from accord.tasks.summarizer.cutting import pieces_of
from accord.tasks.summarizer.sources import Source, SourceSentence

_LONGEST = 200  # words of a sentence that is parsed


def with_pieces(
    sources: Sequence[Source], concepts: Concepts, parser: Pipeline, most_words: int, *, safe: bool = True
) -> list[Source]:
    """The sources with pieces for those sentences that are, or can be, parsed."""
    sentences = [sentence for source in sources for sentence in source.sentences]
    trees = {k: s.parsed for k, s in enumerate(sentences) if s.parsed is not None and _is_tree(s.parsed)}
    chosen = _best(sentences, concepts, most_words, set(trees))
    if chosen:
        lines = "\n".join(sentences[k].text for k in chosen)
        found = parser(lines, input="sentences").sentences
        if len(found) == len(chosen):
            trees |= dict(zip(chosen, found, strict=True))
    changed = {k: _with_pieces(sentences[k], tree, safe) for k, tree in trees.items()}
    out, first = [], 0
    for source in sources:
        mine = range(first, first + len(source.sentences))
        out.append(Source(source.name, tuple(changed.get(k, sentences[k]) for k in mine)))
        first += len(mine)
    return out


def _best(sentences: Sequence[SourceSentence], concepts: Concepts, most_words: int, done: set[int]) -> list[int]:
    """The sentences of the largest worth, within a number of words, in their order."""
    worth = [
        sum(concepts.concepts[c].weight for c in {mention[0] for mention in mentions})
        for mentions in concepts.of_sentences
    ]
    chosen, words, texts = [], 0, set()
    for k in sorted(range(len(sentences)), key=lambda k: (-worth[k], k)):
        sentence = sentences[k]
        if k in done or worth[k] <= 0 or sentence.words > _LONGEST or sentence.text in texts:
            continue
        words += sentence.words
        if words > most_words:
            break
        texts.add(sentence.text)
        chosen.append(k)
    return sorted(chosen)


def _with_pieces(sentence: SourceSentence, tree: Sentence, safe: bool) -> SourceSentence:
    pieces = pieces_of(tree, safe=safe)
    if pieces is None or len(pieces.parents) < 2 or " ".join(tree.text.split()) != sentence.text:
        return sentence
    tokens = tuple(sentence.text[begin:end] for begin, end in pieces.stretches)
    return dataclasses.replace(sentence, tokens=tokens, pieces=pieces, parsed=tree)


def _is_tree(sentence: Sentence) -> bool:
    return len(sentence.words) <= _LONGEST and all(word.head is not None for word in sentence.words)
