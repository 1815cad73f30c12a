# SPDX-License-Identifier: Apache-2.0
"""The tagger's row of the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.data import Document, Sentence
from accord.evaluation import evaluate
from accord.learning import TrainingResult
from accord.tasks.examples import tiny_treebank
from accord.tasks.registry import Example, Task, row
from accord.tasks.requests import conllu_answer, document_of
from accord.tasks.tagger import Tagger, TaggerConfig, TaggerModel, train_tagger
from accord.tasks.tagger.model import COLUMNS
from accord.tasks.treebanks import read_treebanks, treebank_sizes


def train(
    training: Document, dev: Document | None, settings: TaggerConfig, *, card: dict[str, Any] | None = None, **how: Any
) -> TrainingResult[TaggerModel]:
    return train_tagger(training, dev, settings, **how)


def scores(tagger: Tagger, gold: Document) -> dict[str, float]:
    """Shares of right tags and lemmas; the column of the chain first."""
    heads = [0 if i == 0 else 1 for length in gold.lengths.tolist() for i in range(length)]
    trees: dict[str, Any] = {"heads": heads, "deprels": ["root" if head == 0 else "dep" for head in heads]}
    found = evaluate(gold.replace(**trees), tagger(gold).replace(**trees))
    names = ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas")
    first = tagger.column.upper()
    return {name: found[name].f1 for name in (first, *(name for name in names if name != first))}


def apply(tagger: Tagger, data: bytes, options: Mapping[str, Any]) -> bytes:
    return tagger(Document.from_conllu(data), threads=options.get("threads", 0)).to_bytes()


def answer(tagger: Tagger, request: Mapping[str, Any]) -> dict[str, Any]:
    return conllu_answer(tagger(document_of(request)))


def _predict(tagger: Tagger, sentences: Sequence[Sentence], threads: int) -> list[list[tuple[str, str, str, str]]]:
    tagged = tagger(Document.from_sentences(sentences), threads=threads)
    return [[(w.upos, w.xpos, str(w.feats), w.lemma) for w in sentence.words] for sentence in tagged.sentences]


def _kbest(tagger: Tagger, sentence: Sentence, k: int) -> list[list[tuple[str, str, str, str]]]:
    """Taggings of the k best sequences of parts of speech, with the columns that follow from them."""
    found = []
    for one in tagger.kbest(sentence, k):
        given = Document.from_sentences([sentence]).replace(upos=one.value)
        words = tagger(given, keep={"upos"}).sentences[0].words
        found.append([(word.upos, word.xpos, str(word.feats), word.lemma) for word in words])
    return found


def _kept(tagger: Tagger) -> bool:
    given = tiny_treebank(3)
    count = int(given.heads.size)
    odd = given.replace(upos=["X"] * count, lemmas=["odd"] * count)
    tagged = tagger(odd, keep=set(COLUMNS))
    return all(tagged.column(name) == odd.column(name) for name in COLUMNS if name != "feats")


def example() -> Example:
    return Example.over_sentences(
        tiny_treebank,
        settings=TaggerConfig(epochs=2, analysis_epochs=2, analysis_bits=10, threads=1),
        predict=_predict,
        kbest=_kbest,
        kept=_kept,
    )


TASK = Task(
    row("tagger"),
    settings=TaggerConfig,
    model=TaggerModel,
    worker=Tagger,
    read=read_treebanks,
    train=train,
    evaluate=scores,
    apply=apply,
    answer=answer,
    example=example,
    sizes=treebank_sizes,
    free=("epochs", "patience", "threads", "iterations"),
)
