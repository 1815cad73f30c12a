# SPDX-License-Identifier: Apache-2.0
"""A parser that learns from text which larger networks have annotated.

teachers   networks with settings of their own, trained on the treebank with different seeds, or parsers that are given
silver     raw text, split by the pipeline's tokeniser, with the trees and tags that the teachers find together
student    the parser of the pipeline; it learns from the treebank, repeated, and from the silver text
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random

from accord.data import Document
from accord.data.files import open_input
from accord.errors import ConfigError, FormatError, MissingDependencyError
from accord.learning import Reporter
from accord.models import model_path
from accord.tasks.network.raw_text import document_of_words
from accord.tasks.parser import ParserModel
from accord.tasks.parser.config import ParserConfig
from accord.tasks.pipeline.config import PipelineConfig
from accord.tasks.pipeline.model import Pipeline, PipelineModel
from accord.tasks.pipeline.silver import Variation, read_lemmas, vary
from accord.tasks.tokenizer import TokenizerModel

SHORTEST = 3  # words of a sentence that is annotated
PARAGRAPHS, SENTENCES = 2000, 4000  # that are read and annotated together
Sentences = list[list[str]]


def check(config: PipelineConfig, parser: ParserConfig, teacher: ParserConfig) -> None:
    """Raise ConfigError for settings that cannot be meant."""
    if parser.scorer != "neural" or parser.neural.tags != "predict":
        raise ConfigError(
            "distil: the parser that learns is a network that predicts tags: set parser.scorer = neural, and "
            "parser.neural.tags = predict"
        )
    if teacher.scorer != "neural" or teacher.neural.tags != "predict":
        raise ConfigError("teacher: teachers are networks that predict tags")
    if not Path(config.distil).is_file():
        raise ConfigError(f"distil = {config.distil!r}: there is no such file")
    if config.teachers.isascii() and config.teachers.isdigit():
        if int(config.teachers) < 1:
            raise ConfigError("teachers = 0: there is at least one")
    else:
        given_teachers(config)
    if config.distil_lemmas:
        read_lemmas(config.distil_lemmas)


def given_teachers(config: PipelineConfig) -> list[ParserModel] | None:
    """The parsers that the settings name; None where teachers are to be trained."""
    if config.teachers.isascii() and config.teachers.isdigit():
        return None
    names = [name.strip() for name in config.teachers.split(",") if name.strip()]
    if not names:
        raise ConfigError("teachers: a number, or files of parsers with commas between")
    return [ParserModel.load(model_path(name)) for name in names]


def raw_sentences(config: PipelineConfig, tokenizer: TokenizerModel | None) -> Sentences:
    """The sentences of the raw text that are annotated; without a tokeniser each line is one, with blanks."""
    found = [words for words in _split(config, tokenizer) if SHORTEST <= len(words) <= config.distil_longest]
    if not found:
        raise FormatError(f"no sentence of {SHORTEST} to {config.distil_longest} words", file=config.distil)
    if not config.distil_words:
        return found
    Random(1).shuffle(found)
    kept = total = 0
    while kept < len(found) and total < config.distil_words:
        total += len(found[kept])
        kept += 1
    return found[:kept]


def _split(config: PipelineConfig, tokenizer: TokenizerModel | None) -> Iterator[list[str]]:
    if tokenizer is None:
        yield from (line.split() for line in _lines(config.distil))
        return
    pipeline, block = Pipeline(PipelineModel(tokenizer=tokenizer)), []
    for line in _lines(config.distil):
        block.append(line)
        if len(block) == PARAGRAPHS:
            yield from _words(pipeline.tokenize("\n\n".join(block), threads=config.threads))
            block.clear()
    if block:
        yield from _words(pipeline.tokenize("\n\n".join(block), threads=config.threads))


def _lines(path: str) -> Iterator[str]:
    with open_input(path) as source:
        for number, line in enumerate(source, 1):
            try:
                text = line.decode().strip()
            except UnicodeDecodeError:
                raise FormatError("not UTF-8", file=path, line=number) from None
            if text:
                yield text


def _words(document: Document) -> Iterator[list[str]]:
    forms = iter(document.column("form"))
    for length in document.lengths.tolist():
        yield [next(forms) for _ in range(length)]


def silver_text(
    sentences: Sentences,
    teachers: Sequence[ParserModel],
    config: PipelineConfig,
    device: str,
    reporter: Reporter,
) -> bytes:
    """CoNLL-U of the sentences with trees and tags of the teachers, as the student is to learn them."""
    try:
        import_module("torch")
    except ImportError:
        raise MissingDependencyError("teachers need PyTorch: pip install 'accord[neural]'") from None
    from accord.torch.ensemble import Ensemble  # only here: PyTorch is needed for nothing else
    from accord.torch.training import choose_device

    ensemble = Ensemble(teachers, choose_device(device))
    lemmas = read_lemmas(config.distil_lemmas) if config.distil_lemmas else None
    variation = Variation() if config.distil_vary else None
    total = sum(map(len, sentences))
    reporter.note(f"{len(teachers)} teachers annotate {len(sentences):,} sentences, {total:,} words")
    pieces = []
    for begin in range(0, len(sentences), SENTENCES):
        found = ensemble.annotate(document_of_words(sentences[begin : begin + SENTENCES], config.distil))
        pieces.append(vary(found, variation, lemmas, seed=begin).encode())
    return b"".join(pieces)


def student_data(gold: Document, silver: bytes, times: int) -> Document:
    """The treebank so many times, and the silver text behind it."""
    own = gold.to_bytes("conllu")
    return Document.from_conllu(own * times + silver, name=gold.name)
