# SPDX-License-Identifier: Apache-2.0
"""The tokeniser's row of the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.data import Document
from accord.learning import TrainingResult
from accord.tasks.examples import tiny_treebank
from accord.tasks.registry import Example, Task, row
from accord.tasks.requests import conllu_answer, text_of
from accord.tasks.tokenizer import Tokenizer, TokenizerConfig, TokenizerModel
from accord.tasks.tokenizer.gold import read_gold
from accord.tasks.tokenizer.model import uses_surroundings
from accord.tasks.tokenizer.training import DevData, train_tokenizer
from accord.tasks.treebanks import read_each


def train(
    training: Sequence[Document], dev: Sequence[Document] | None, settings: TokenizerConfig, **how: Any
) -> TrainingResult[TokenizerModel]:
    return train_tokenizer(training, dev or [], settings, **how)


def scores(tokenizer: Tokenizer, gold: Sequence[Document]) -> dict[str, float]:
    model = tokenizer.model
    paragraphs = read_gold(gold, spacing=model.config.spacing)
    lexical = uses_surroundings(model.characters.templates)
    return DevData(paragraphs, model.blanks_inside, lexical, model.config.threads).of(model)


def apply(tokenizer: Tokenizer, data: bytes, options: Mapping[str, Any]) -> bytes:
    return tokenizer(data.decode(), threads=options.get("threads", 0)).to_bytes()


def answer(tokenizer: Tokenizer, request: Mapping[str, Any]) -> dict[str, Any]:
    return conllu_answer(tokenizer(text_of(request)))


def _predict(tokenizer: Tokenizer, texts: Sequence[str], threads: int) -> list[list[tuple[str, ...]]]:
    return [[s.forms for s in tokenizer(text, threads=threads).sentences] for text in texts]


def example() -> Example:
    texts = ["the cat saw a dog. Ana liked Rio.", "Bo found the cats in Oslo.", "a dog"]
    return Example(
        training=[tiny_treebank(30)],
        dev=[tiny_treebank(8, 30)],
        settings=TokenizerConfig(epochs=2, bits=10, threads=1),
        inputs=texts,
        predict=_predict,
        request={"text": texts[0]},
        applied="\n\n".join(texts).encode(),
    )


TASK = Task(
    row("tokenizer"),
    settings=TokenizerConfig,
    model=TokenizerModel,
    worker=Tokenizer,
    read=read_each,
    train=train,
    evaluate=scores,
    apply=apply,
    answer=answer,
    example=example,
)
